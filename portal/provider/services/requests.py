"""One service request (part-1 §2 Repair and service status flow)."""

from __future__ import annotations

from portal.contract.base import Locale
from portal.contract.errors import NotFound
from portal.contract.requests import RequestBike, RequestDetail, RequestEvent, RequestPartner
from portal.domain.address import address_parts
from portal.domain.identifiers import is_reference
from portal.provider.context import Context
from portal.provider.repositories.bikes import BikeRequest
from portal.provider.repositories.requests import RequestRepository, WholeRequest
from portal.provider.services import shapes
from portal.provider.sessions import Sessions
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.vocabulary.work_orders import Actor


class RequestServices:
    """Operations on one request."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._sessions = sessions

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request with everything that happened to it."""
        async with self._sessions.reading(token) as (owner, session):
            if not is_reference(reference):
                raise NotFound
            return detail(await RequestRepository(session, owner.customer_id).get(reference), owner.locale)


def detail(found: WholeRequest, locale: Locale) -> RequestDetail:
    """A request as it travels, for a reader of this language."""
    in_list = shapes.service_request(BikeRequest(found.request, found.bike, found.partner), locale)
    return RequestDetail(
        **in_list.model_dump(),
        bike=_bike(found.bike),
        partner=_partner(found.partner) if found.partner else None,
        events=[_beginning(found.request)]
        if not found.events
        else [
            RequestEvent(
                happened_at=event.happened_at,
                status=event.status,
                actor=event.actor,
                note=event.note,
                planned_date=event.planned_date,
            )
            for event in found.events
        ],
    )


def _beginning(row: RequestRow) -> RequestEvent:
    """What is known of a request that was put into the database by other means than ours."""
    return RequestEvent(happened_at=row.created_at, status=row.status, actor=Actor.CUSTOMER)


def _bike(row: BikeRow) -> RequestBike:
    return RequestBike(
        bike_id=row.public_id,
        name=row.name,
        kind=row.kind,
        color_code=row.color_code,
        frame_number=row.frame_number or "",
    )


def _partner(row: PartnerRow) -> RequestPartner:
    return RequestPartner(
        name=row.name,
        location_type=row.location_type,
        phone=row.phone,
        email=row.email,
        **address_parts(row),
    )
