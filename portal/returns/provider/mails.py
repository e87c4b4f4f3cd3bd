"""Mails about returns and withdrawals. They render the account; the amounts come from the stored settlement."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.account_values import subject_line
from portal.backend.bike_names import bike_called
from portal.backend.context import Context
from portal.backend.letter import day
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.shops import settings_for
from portal.contract.account import AccountMoney, LocalizedText
from portal.contract.models import Locale
from portal.kernel.address import readable_phone
from portal.kernel.days import AMSTERDAM
from portal.kernel.texts import gettext_for
from portal.links.api import LinkSent
from portal.links.provider import Addressee, Links, Subject
from portal.login.provider.queries import CustomerQueries
from portal.orders.provider.mapping import line_picture
from portal.pictures.provider.lookup import pictures_of_lines
from portal.pictures.provider.mails import mail_picture
from portal.returns.provider.account import ReturnCase, account_of, case_of, names_of
from portal.returns.provider.queries import ReturnQueries
from portal.returns.provider.wording import (
    amount_rows,
    battery_unanswered,
    department_lines,
    handover_lines,
    item_lines,
    item_mark,
    never_sent,
    total_row,
)
from portal.settings import Brand
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    BATTERY_INSTRUCTIONS,
    BATTERY_NAMES,
    DONE,
    GIVES_BACK,
    RETURN_KIND_NAMES,
    ReturnKind,
    ReturnMethod,
)


async def addressee(session: AsyncSession, row: ReturnRow) -> Addressee:
    """The customer's current e-mail address and the language of mails."""
    customer = await CustomerQueries(session, row.customer_id).get()
    return Addressee(customer.email, "en" if customer.locale == "en" else "nl")


async def details(context: Context, session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    case = await case_of(session, row, context.clock())
    values = values_of(case, context.settings.of(case.source).brand, locale)
    if not case.units:
        return values
    bikes = [bike for own in (await ReturnQueries(session, row.customer_id).bikes(case.units)).values() for bike in own]
    if len(case.units) == len(bikes) == 1:
        subject = subject_line(LocalizedText.same(values["meaning"]), await bike_called(session, bikes[0]))
        values |= {"subject": subject.text(locale)}
    line, number = case.units[0].line, case.units[0].order_number
    picture = line_picture(line, await pictures_of_lines(session, row.customer_id, [line.id]))
    return {**values, "picture": mail_picture(picture, line.name_in(locale), item_mark(number, line, locale))}


def _dependents(case: ReturnCase, locale: Locale) -> list[str]:
    """What becomes of what hangs on the bikes, a line each."""
    return [f"{fact.label.text(locale)}: {fact.lines[0].text(locale)}" for fact in case.dependents]


def values_of(case: ReturnCase, brand: Brand, locale: Locale) -> dict[str, Any]:
    """The template values of every mail about a return, from its account."""
    _, row, account = gettext_for(locale), case.row, account_of(case, brand)
    closed = case.status in GIVES_BACK | DONE
    return {
        "reference": row.reference,
        "return_id": row.public_id,
        "subject": subject_line(account.meaning, names_of(case.units)).text(locale),
        "title": account.title.text(locale),
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "exchange": row.kind is ReturnKind.EXCHANGE,
        "order_number": case.orders,
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "lines": item_lines(case.units, locale),
        **money_details(account.money, locale),
        "way": [] if closed else handover_lines(account.handover, locale),
        "steps": [step.text(locale) for step in account.next_steps] + _dependents(case, locale),
        "slip": row.method is ReturnMethod.STORE,
        "instructions": [_(text) for text in BATTERY_INSTRUCTIONS] if row.urgent and not closed else [],
    }


def money_details(money: AccountMoney, locale: Locale) -> dict[str, Any]:
    """The template values of the amounts."""
    return {
        "amounts": amount_rows(money.lines, locale),
        "total": total_row(money, locale),
        "besides": amount_rows(money.besides, locale),
        "money_note": money.note.text(locale),
    }


async def notify_received(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Mail that the return is received, and warn the back office of an unsafe battery."""
    to = await addressee(session, row)
    await Outbox(context).post(
        session,
        Template.RETURN_RECEIVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=await details(context, session, row, to.locale),
    )
    if row.urgent:
        await warn_back_office(context, session, row)
    return to.email


async def send_link(context: Context, session: AsyncSession, row: ReturnRow) -> LinkSent:
    """Mail the link that confirms a return of the older flow."""
    to = await addressee(session, row)
    return await Links(context).send(
        session,
        LinkPurpose.ORDER_RETURN,
        Subject(row.id, row.customer_id),
        to,
        Template.CONFIRM_RETURN,
        await details(context, session, row, to.locale),
    )


async def notify_moved(context: Context, session: AsyncSession, row: ReturnRow, note: str) -> None:
    """Mail the new status of a return, with a note of staff."""
    to = await addressee(session, row)
    await Outbox(context).post(
        session,
        Template.RETURN_MOVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details={**await details(context, session, row, to.locale), "note": note},
    )


async def notify_of_account(context: Context, session: AsyncSession, row: ReturnRow, holder: str, digits: str) -> None:
    """Mail to which account a return will be refunded, so that the customer notices one of somebody else."""
    to = await addressee(session, row)
    await Outbox(context).post(
        session,
        Template.REFUND_ACCOUNT,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details={
            **await details(context, session, row, to.locale),
            "holder": holder,
            "digits": digits,
        },
    )


async def warn_back_office(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Mail the back office that a return has an unsafe battery: whom to call today, on which number, about what."""
    customer = await CustomerQueries(session, row.customer_id).get()
    values = await details(context, session, row, "nl")
    phones = dict.fromkeys(number for number in (row.phone, customer.phone) if number)
    await Outbox(context).post(
        session,
        Template.URGENT_BATTERY,
        recipient=context.settings.of(customer.source).desk_email,
        locale="nl",
        details={
            "reference": row.reference,
            "kind": values["kind"],
            "lines": values["lines"],
            "battery": gettext_for("nl")(BATTERY_NAMES[row.battery]) if row.battery else "",
            "name": customer.full_name,
            "phones": [readable_phone(number) for number in phones],
            "customer_email": customer.email,
            "order_number": values["order_number"],
        },
    )


async def send_receipt(context: Context, session: AsyncSession, row: ReturnRow, to: Addressee) -> LinkSent | None:
    values = await _receipt_details(context, session, row, to.locale)
    if battery_unanswered(row):
        subject = Subject(row.id, row.customer_id)
        return await Links(context).send(
            session, LinkPurpose.BATTERY, subject, to, Template.WITHDRAWAL_RECEIVED, values
        )
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_RECEIVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=values,
    )
    return None


async def notify_of_battery(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Mail where to send the items, or what to do with an unsafe battery."""
    to = await addressee(session, row)
    settings = await settings_for(session, context.settings, row.customer_id)
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_BATTERY,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details={
            **await details(context, session, row, to.locale),
            "department": department_lines(settings.brand, to.locale),
        },
    )


async def _receipt_details(context: Context, session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    account = account_of(case, brand)
    statement, local = row.statement or {}, row.created_at.astimezone(AMSTERDAM)
    return {
        "reference": row.reference,
        "order_number": case.orders,
        "name": statement.get("name", ""),
        "day": day(local.date(), locale),
        "time": f"{local:%H:%M}",
        "lines": statement.get("lines", []),
        "battery_first": gettext_for(locale)(BATTERY_FIRST) if battery_unanswered(row) else "",
        "unsent": [step.text(locale) for step in account.next_steps] if never_sent(row) else [],
        "dependents": _dependents(case, locale),
        "unsent_items": item_lines([unit for unit in case.units if unit.unit.received], locale),
        **money_details(account.money, locale),
        "department": department_lines(brand, locale),
    }
