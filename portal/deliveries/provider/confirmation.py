"""Mails about deliveries, and the mailed link that confirms another delivery day."""

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.backend.letter import account_values, localized_weekday, subject_line, with_button
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict, NotFound, Refused
from portal.contract.models import Locale
from portal.deliveries.api import ShippedItem
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.moving import days_with_places, ordered_units, why_not
from portal.deliveries.provider.queries import DateChangeQueries, ShipmentQueries, move, record_case, take
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.links.api import LinkAbout, LinkSent
from portal.links.provider import Addressee, LinkHandler, Links, Subject
from portal.login.provider.queries import CustomerQueries
from portal.orders.provider.queries import OrderQueries
from portal.pictures.provider.lookup import mail_picture
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.links import LIFETIME, LinkPurpose


def language(customer: CustomerRow) -> Locale:
    return "en" if customer.locale == "en" else "nl"


async def change_details(
    context: Context, session: AsyncSession, order: OrderRow, change: DateChangeRow, locale: Locale
) -> dict[str, Any]:
    lines = await OrderQueries(session, change.customer_id).lines(order)
    account = date_change_account(order, ordered_units(lines), change, context.clock())
    subject = subject_line(account.title, LocalizedText.same(order.order_number))
    return {"order_number": order.order_number, "account": account_values(account, locale, subject)}


async def link_details(
    context: Context, session: AsyncSession, order: OrderRow, change: DateChangeRow, locale: Locale
) -> dict[str, object]:
    details = await change_details(context, session, order, change, locale)
    subject = LocalizedText.of(N_("Confirm your new delivery day: {day}"), day=localized_weekday(change.new_day))
    return with_button(details, subject.text(locale))


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


PURPOSE = LinkPurpose.DELIVERY_DATE


async def about(context: Context, session: AsyncSession, subject: Subject) -> LinkAbout:
    change, order = await _found(session, subject)
    lines = await OrderQueries(session, subject.customer_id).lines(order)
    account = date_change_account(order, ordered_units(lines), change, context.clock())
    return LinkAbout(reference=change.reference, order_number=order.order_number, account=account)


async def confirm(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    change, order = await _found(session, subject)
    await _may_move(context, session, order, change)
    if not await take(session, change.country_code, change.new_day, context.settings.delivery_places):
        raise Refused(Code.DELIVERY_DAY_TAKEN)
    confirmed_at = context.clock()
    waiting = DateChangeStatus.WAITING_FOR_RETAILER
    if not await move(
        session, change, waiting, confirmed_at, by_customer=True, confirmed_at=confirmed_at, holds_place=True
    ):
        raise Conflict(Code.STATUS_CHANGED)
    customer = await CustomerQueries(session, subject.customer_id).get()
    await notify_change(context, session, customer, order, change)
    await live.publish(session, subject.customer_id, Topic.DELIVERIES, confirmed_at)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    change, order = await _found(session, subject)
    await _may_move(context, session, order, change)
    pending = {DateChangeStatus.WAITING_FOR_CUSTOMER, DateChangeStatus.EXPIRED}
    if change.status not in pending:
        raise Refused(Code.LINK_USED)
    change.status = DateChangeStatus.WAITING_FOR_CUSTOMER
    change.link_expires_at = context.clock() + LIFETIME
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.DATE_CHANGE_PENDING) from None
    await record_case(session, change, context.clock(), by_customer=True)
    return await send_link(context, session, await CustomerQueries(session, subject.customer_id).get(), order, change)


async def send_link(
    context: Context, session: AsyncSession, customer: CustomerRow, order: OrderRow, change: DateChangeRow
) -> LinkSent:
    locale = language(customer)
    return await Links(context).send(
        session,
        PURPOSE,
        Subject(change.id, change.customer_id),
        Addressee(customer.email, locale),
        Template.CONFIRM_DELIVERY_DATE,
        await link_details(context, session, order, change, locale),
    )


async def _found(session: AsyncSession, subject: Subject) -> tuple[DateChangeRow, OrderRow]:
    found = await DateChangeQueries(session, subject.customer_id).by_key(subject.key)
    if found is None:
        raise NotFound
    return found


async def _may_move(context: Context, session: AsyncSession, order: OrderRow, change: DateChangeRow) -> None:
    shipments = await ShipmentQueries(session, change.customer_id).all(order)
    if refusal := why_not(order, shipments):
        raise Refused(refusal)
    free = await days_with_places(session, context.settings, change.country_code, context.clock())
    if not free.get(change.new_day):
        raise Refused(Code.DELIVERY_DAY_TAKEN)


LINK_HANDLER = LinkHandler(_found, about, confirm, renew)
