"""The confirmation of a request in one language. Mail, PDF and calendar file are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from portal.bikes.provider.wording import bike_mark
from portal.contract.account import Account
from portal.contract.models import Locale, Picture
from portal.flow.provider.handler import HANDLERS, StoredRequest
from portal.kernel.texts import gettext_for
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import REQUEST_LABELS
from portal.work_orders.provider.account import FLOW_OF, account_of
from portal.work_orders.provider.queries import ConfirmationMatch


@dataclass(frozen=True, slots=True)
class Appointment:
    """The planned day of the work.

    Attributes:
        day: local day in Europe/Amsterdam.
        changed_at: last change of the request (UTC).
    """

    day: date
    change: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a document says about a request, in the language `locale`.

    Attributes:
        reference: without spaces.
        frame_number: empty if unknown.
        sent_at: UTC.
        appointment: None while no day is ahead.
    """

    account: Account
    locale: Locale
    reference: str
    kind: str
    sent: str
    customer: str
    first_name: str
    bike: str
    picture: Picture
    frame_number: str
    mark: str
    sent_at: datetime
    appointment: Appointment | None


def confirmation_of(found: ConfirmationMatch, locale: Locale) -> Confirmation:
    _ = gettext_for(locale)
    request, bike, customer, partner = found.request, found.bike, found.customer, found.partner
    handler = HANDLERS.get(FLOW_OF.get(request.kind, ""))
    account = account_of(request, bike, partner, departure=found.departure)
    day = account.handover.day if account.handover else None
    return Confirmation(
        account=account,
        locale=locale,
        reference=request.reference,
        kind=_(REQUEST_LABELS[request.kind]),
        sent=_(handler.flow.sent) if handler else _("Your request has been sent"),
        customer=customer.full_name,
        first_name=customer.first_name,
        bike=bike.name_in(locale),
        picture=found.picture,
        frame_number=bike.frame_number or "",
        mark=bike_mark(bike, locale),
        sent_at=request.created_at,
        appointment=Appointment(
            day=day,
            # Seconds from creation to the last change: increases over time, and is the same in every process.
            change=max(0, int((request.updated_at - request.created_at).total_seconds())),
            changed_at=request.updated_at,
        )
        if day
        else None,
    )


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
    """
    handler = HANDLERS.get(FLOW_OF.get(row.kind, ""))
    if handler is None or handler.describe is None:
        return row.title, row.description
    title, description = handler.describe(StoredRequest.of(row.details, locale))
    return title or row.title, description or row.description
