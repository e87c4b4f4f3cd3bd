"""The mail that tells a customer how far a work order is, in the customer's language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from babel.dates import format_date
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.base import Locale
from portal.domain.phones import readable
from portal.provider.context import Context
from portal.provider.mail.texts import Template
from portal.provider.outbox import Outbox
from portal.provider.repositories.work_orders import Found
from portal.provider.tables.partners import PartnerRow
from portal.texts import gettext_for
from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    MEANINGS,
    REQUEST_LABELS,
    WORK_ORDER_LABELS,
    WorkOrderStatus,
)


@dataclass(frozen=True, slots=True)
class Told:
    """What the customer is told.

    Attributes:
        status: where the work order stands now.
        note: what the back office adds, empty for nothing.
        day: the day the work is planned for, when there is one.
        partner: the assigned service location, when there is one.
    """

    status: WorkOrderStatus
    note: str
    day: date | None
    partner: PartnerRow | None


async def tell_customer(context: Context, session: AsyncSession, found: Found, told: Told) -> None:
    """Put the mail into the outbox, in the transaction of the move."""
    request, customer = found.request, found.customer
    locale: Locale = "en" if customer.locale == "en" else "nl"
    say = gettext_for(locale)
    # Where and when no longer matter once it is over.
    ended = told.status in CLOSED_WORK_ORDER
    partner = None if ended else told.partner
    planned = "" if ended or told.day is None else format_date(told.day, "d MMMM y", locale=locale)
    await Outbox(context).post(
        session,
        Template.WORK_ORDER_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            "bike": found.bike.name,
            "kind": say(REQUEST_LABELS[request.kind]),
            "status": say(WORK_ORDER_LABELS[told.status]),
            "meaning": say(MEANINGS[request.kind][told.status]),
            "note": told.note,
            "planned": planned,
            "partner": partner.name if partner else "",
            "partner_phone": readable(partner.phone) if partner and partner.phone else "",
            "reference": request.reference,
        },
    )
