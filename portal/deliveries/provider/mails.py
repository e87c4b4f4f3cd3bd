"""Mails about deliveries and requests for another day. They render the account."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.account_values import account_values, subject_line
from portal.backend.context import Context
from portal.backend.letter import localized_weekday
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.account import Account, LocalizedText
from portal.contract.models import Locale
from portal.deliveries.api import ShippedItem
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.moving import ordered_units
from portal.kernel.texts import N_
from portal.orders.provider.queries import OrderQueries
from portal.pictures.provider.mails import mail_picture
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow


def language(customer: CustomerRow) -> Locale:
    """The language of mails to the customer; Dutch unless the customer chose English."""
    return "en" if customer.locale == "en" else "nl"


async def change_details(
    context: Context, session: AsyncSession, order: OrderRow, change: DateChangeRow, locale: Locale
) -> dict[str, Any]:
    """The template values that all mails about a request share: its account and the order number."""
    lines = await OrderQueries(session, change.customer_id).lines(order)
    account = date_change_account(order, ordered_units(lines), change, context.clock())
    subject = subject_line(account.title, LocalizedText.same(order.order_number))
    return {"order_number": order.order_number, "account": account_values(account, locale, subject)}


async def link_details(
    context: Context, session: AsyncSession, order: OrderRow, change: DateChangeRow, locale: Locale
) -> dict[str, Any]:
    """The template values of the mail with the link that confirms a request."""
    details = await change_details(context, session, order, change, locale)
    subject = LocalizedText.of(N_("Confirm your new delivery day: {day}"), day=localized_weekday(change.new_day))
    # The mail has the button itself.
    account = details["account"] | {"subject": subject.text(locale), "next_steps": details["account"]["next_steps"][1:]}
    return details | {"account": account}


async def notify_change(
    context: Context, session: AsyncSession, customer: CustomerRow, order: OrderRow, change: DateChangeRow
) -> None:
    """Queue a mail about the current status of a request. The row must be up to date."""
    locale = language(customer)
    await Outbox(context).post(
        session,
        Template.DELIVERY_DATE_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details=await change_details(context, session, order, change, locale),
    )


async def notify_delivery(
    context: Context,
    session: AsyncSession,
    customer: CustomerRow,
    account: Account,
    *,
    tracking_url: str = "",
    tracking_path: str = "",
    note: str = "",
    about: ShippedItem | None = None,
) -> None:
    """Queue a mail about the status of a delivery or one of its shipments."""
    locale = language(customer)
    await Outbox(context).post(
        session,
        Template.DELIVERY_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            "account": account_values(
                account, locale, subject_line(account.meaning, LocalizedText.same(account.reference))
            ),
            "tracking_url": tracking_url,
            "tracking_path": tracking_path,
            "note": note,
            **({"picture": mail_picture(about.picture, about.name)} if about else {}),
        },
    )
