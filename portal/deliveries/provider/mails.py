"""Mails about deliveries and requests for another day. Days are local and written out with their weekday."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import weekday
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.models import Locale
from portal.kernel.texts import gettext_for
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import (
    DATE_CHANGE_LABELS,
    DATE_CHANGE_MEANINGS,
    DELIVERY_LABELS,
    DELIVERY_MEANINGS,
    DateChangeStatus,
    DeliveryStatus,
)


def language(customer: CustomerRow) -> Locale:
    """The language of mails to the customer; Dutch unless the customer chose English."""
    return "en" if customer.locale == "en" else "nl"


def change_details(order: OrderRow, change: DateChangeRow, locale: Locale) -> dict[str, Any]:
    """The template values that all mails about a request share."""
    return {
        "order_number": order.order_number,
        "reference": change.reference,
        "original_day": weekday(change.original_day, locale),
        "new_day": weekday(change.new_day, locale),
        "from_time": change.from_time,
        "until_time": change.until_time,
    }


async def notify_change(
    context: Context,
    session: AsyncSession,
    customer: CustomerRow,
    order: OrderRow,
    change: DateChangeRow,
    status: DateChangeStatus,
    *,
    planned: date | None,
    note: str = "",
) -> None:
    """Queue a mail about the status of a request. `planned` is the day for which the delivery is planned now."""
    locale = language(customer)
    say = gettext_for(locale)
    await Outbox(context).post(
        session,
        Template.DELIVERY_DATE_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            **change_details(order, change, locale),
            "status": say(DATE_CHANGE_LABELS[status]),
            "meaning": say(DATE_CHANGE_MEANINGS[status]),
            "planned": weekday(planned, locale) if planned else "",
            "note": note,
        },
    )


async def notify_delivery(
    context: Context,
    session: AsyncSession,
    customer: CustomerRow,
    order: OrderRow,
    status: DeliveryStatus,
    *,
    items: str = "",
    day: date | None = None,
    window: tuple[str, str] = ("", ""),
    tracking_url: str = "",
    note: str = "",
) -> None:
    """Queue a mail about the status of a delivery or one of its shipments.

    Empty arguments are left out of the mail. `window` has local times 'HH:MM'.
    """
    locale = language(customer)
    say = gettext_for(locale)
    await Outbox(context).post(
        session,
        Template.DELIVERY_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            "order_number": order.order_number,
            "status": say(DELIVERY_LABELS[status]),
            "meaning": say(DELIVERY_MEANINGS[status]),
            "items": items,
            "planned": weekday(day, locale) if day else "",
            "from_time": window[0],
            "until_time": window[1],
            "tracking_url": tracking_url,
            "note": note,
        },
    )
