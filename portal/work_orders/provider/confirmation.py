"""Content of the confirmation of a request, in one language. Mail, PDF and calendar file are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from portal.contract.models import Locale
from portal.flow.provider.handler import (
    HANDLERS,
    FlowHandler,
    StoredFile,
    StoredRequest,
    SummaryLine,
    lines_of,
    rows_of,
)
from portal.kernel.address import address_lines
from portal.kernel.money import Cost
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, REQUEST_LABELS, RequestKind, WorkOrderStatus
from portal.work_orders.provider.queries import ConfirmationMatch

FLOW_OF: dict[RequestKind, str] = {
    RequestKind.REPAIR: "repair-request",
    RequestKind.SERVICE: "service-request",
    RequestKind.CLAIM: "claim-request",
}
"""Id of the flow for each kind of request."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """The planned day of the work.

    Attributes:
        day: local day in Europe/Amsterdam.
        where: name and address of the service location; empty until one is assigned.
        change: version number for the calendar file; increases when the request changes.
        cancelled: the request was cancelled.
        changed_at: last change of the request (UTC).
    """

    day: date
    where: str
    change: int
    cancelled: bool
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A request as text in the language `locale`.

    Attributes:
        kind: kind of request, such as "Reparatie".
        title: heading, such as "Je reparatie is aangemeld".
        customer: full name.
        bike: name of the bike.
        frame_number: empty if unknown.
        sent_at: UTC.
        rows: the answers.
        next_steps: what happens next; empty once the request is closed.
        appointment: None until a day is planned.
    """

    locale: Locale
    reference: str
    kind: str
    title: str
    customer: str
    bike: str
    frame_number: str
    sent_at: datetime
    rows: Sequence[SummaryLine]
    files: Sequence[StoredFile]
    costs: Sequence[Cost]
    next_steps: Sequence[str]
    appointment: Appointment | None

    @property
    def reference_in_groups(self) -> str:
        """The reference, split into groups so that it is easier to read aloud."""
        return in_groups(self.reference)


def confirmation_of(found: ConfirmationMatch, locale: Locale) -> Confirmation:
    """Build the confirmation of a request.

    Args:
        found: the request with its bike, customer and service location.
        locale: language of the text. Text that the customer wrote is not translated.
    """
    _ = gettext_for(locale)
    request, bike, customer, partner = found.request, found.bike, found.customer, found.partner
    stored = StoredRequest.of(request.details, locale)
    handler = HANDLERS.get(FLOW_OF.get(request.kind, ""))
    rows = rows_of(handler.flow, stored, handler.rows) if handler and stored.answers else []
    if not rows:
        # Staff entered this request for the customer, so it has a description but no answers.
        rows = [SummaryLine(_("Description"), (request.title, *lines_of(request.description)))]
    return Confirmation(
        locale=locale,
        reference=request.reference,
        kind=_(REQUEST_LABELS[request.kind]),
        title=_(handler.flow.sent) if handler else _("Your request has been sent"),
        customer=" ".join(part for part in (customer.first_name, customer.prefix, customer.last_name) if part),
        bike=bike.name,
        frame_number=bike.frame_number or "",
        sent_at=request.created_at,
        rows=rows,
        files=stored.files,
        costs=stored.costs,
        next_steps=[
            _(text).format(location=partner.name if partner else "")
            for text in _next_steps(handler, stored)
            if partner or "{location}" not in text
        ]
        if request.status not in CLOSED_WORK_ORDER
        else [],
        appointment=Appointment(
            day=request.planned_date,
            where=f"{partner.name}, {address_lines(partner).joined}" if partner else "",
            # Seconds from creation to the last change: increases over time, and is the same in every process.
            change=max(0, int((request.updated_at - request.created_at).total_seconds())),
            cancelled=request.status is WorkOrderStatus.CANCELLED,
            changed_at=request.updated_at,
        )
        if request.planned_date
        else None,
    )


def _next_steps(handler: FlowHandler | None, stored: StoredRequest) -> Sequence[str]:
    if handler is None:
        return ()
    return handler.next_steps(stored) if handler.next_steps else handler.flow.next_steps


def pdf_name(confirmation: Confirmation) -> str:
    """Return the file name of the PDF, such as 'reparatie-K7M3P9RT.pdf'."""
    return f"{_stem(confirmation)}.pdf"


def calendar_name(confirmation: Confirmation) -> str:
    """Return the file name of the calendar file, such as 'reparatie-K7M3P9RT-afspraak.ics'."""
    _ = gettext_for(confirmation.locale)
    word = _("appointment")
    return f"{_stem(confirmation)}-{word}.ics"


def _stem(confirmation: Confirmation) -> str:
    return f"{confirmation.kind.lower().replace(' ', '-')}-{confirmation.reference}"


def title_and_description(row: RequestRow, locale: Locale) -> tuple[str, str]:
    """Return title and description of a request.

    Both are built from the answers. A request without answers uses the stored title and description.

    Args:
        row: the request.
        locale: language of the reader.
    """
    handler = HANDLERS.get(FLOW_OF.get(row.kind, ""))
    if handler is None or handler.describe is None:
        return row.title, row.description
    title, description = handler.describe(StoredRequest.of(row.details, locale))
    return title or row.title, description or row.description
