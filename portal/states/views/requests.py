"""Service requests in a list."""

from __future__ import annotations

from dataclasses import dataclass

from portal.contract.bikes import ServiceRequest
from portal.domain.phones import readable
from portal.states.views.tones import Tone, request_tone


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One repair, service or claim. `planned` is empty while no day is planned.

    `phone` is written for reading, `phone_number` for dialling (E.164).
    """

    reference: str
    kind: str
    status: str
    tone: Tone
    title: str
    description: str
    planned: str
    created: str
    closed: bool
    bike_id: str
    bike_name: str
    partner: str
    phone: str
    phone_number: str


def request_row(request: ServiceRequest) -> RequestRow:
    """Tell one request."""
    return RequestRow(
        reference=request.reference,
        kind=request.kind.value,
        status=request.status.value if request.status else "",
        tone=request_tone(request.status),
        title=request.title,
        description=request.description,
        planned=request.planned_date.isoformat() if request.planned_date else "",
        created=request.created_at.isoformat(),
        closed=request.closed,
        bike_id=request.bike_id,
        bike_name=request.bike_name,
        partner=request.partner_name,
        phone=readable(request.partner_phone),
        phone_number=request.partner_phone,
    )
