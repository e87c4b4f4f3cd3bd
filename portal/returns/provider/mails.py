"""Mails about returns and withdrawals. Amounts come from the stored settlement and are never computed again."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import day
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.models import Locale
from portal.kernel.days import AMSTERDAM
from portal.kernel.texts import gettext_for
from portal.links.api import LinkSent
from portal.links.provider import Addressee, Links, Subject
from portal.login.provider.queries import CustomerRepository
from portal.returns.provider.queries import ReturnRepository
from portal.returns.provider.wording import (
    amount_lines,
    battery_unanswered,
    department_lines,
    item_lines,
    method_lines,
    money_or_empty,
    open_line,
    payment_note,
    pickup_notes,
    total_line,
)
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    BATTERY_INSTRUCTIONS,
    BATTERY_NAMES,
    RETURN_KIND_NAMES,
    ReturnKind,
    label_of,
    meaning_of,
)


async def addressee(session: AsyncSession, row: ReturnRow) -> Addressee:
    """The customer's current e-mail address and the language of mails."""
    customer = await CustomerRepository(session, row.customer_id).get()
    return Addressee(customer.email, "en" if customer.locale == "en" else "nl")


async def details(session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    """The template values of every mail about a return."""
    _ = gettext_for(locale)
    repository = ReturnRepository(session, row.customer_id)
    units = (await repository.units([row])).get(row.id or 0, [])
    return {
        "reference": row.reference,
        "return_id": row.public_id,
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "exchange": row.kind is ReturnKind.EXCHANGE,
        "order_number": row.order_number,
        "lines": item_lines(units),
        "amounts": amount_lines(row.settlement, locale) if row.settlement.get("lines") else [],
        "total": total_line(row.settlement, locale),
        "open": open_line(row.settlement, locale),
        "money_next": payment_note(row.settlement, locale, row.kind),
        "way": method_lines(row, await repository.store(row), locale),
        "instructions": [_(text) for text in BATTERY_INSTRUCTIONS] if row.urgent else [],
    }


async def notify_received(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Mail that the return is received, and warn the back office of an unsafe battery.

    Returns:
        The e-mail address of the customer.
    """
    to = await addressee(session, row)
    await Outbox(context).post(
        session,
        Template.RETURN_RECEIVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=await details(session, row, to.locale),
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
        Subject(row.id or 0, row.customer_id),
        to,
        Template.CONFIRM_RETURN,
        await details(session, row, to.locale),
    )


async def notify_moved(context: Context, session: AsyncSession, row: ReturnRow, note: str) -> None:
    """Mail the new status of a return, with a note of staff."""
    to = await addressee(session, row)
    _ = gettext_for(to.locale)
    await Outbox(context).post(
        session,
        Template.RETURN_MOVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details={
            **await details(session, row, to.locale),
            "status": _(label_of(row.kind, row.status)),
            "meaning": " ".join(_(text) for text in (meaning_of(row.kind, row.status), *pickup_notes(row))),
            "note": note,
            "refund": money_or_empty(row.refund_amount, to.locale),
        },
    )


async def warn_back_office(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Mail the back office that a return has an unsafe battery. Staff have to call the customer today."""
    brand = context.settings.brand
    values = await details(session, row, "nl")
    battery = gettext_for("nl")(BATTERY_NAMES[row.battery]) if row.battery else ""
    await Outbox(context).post(
        session,
        Template.URGENT_BATTERY,
        recipient=brand.email,
        locale="nl",
        details={
            "reference": row.reference,
            "kind": values["kind"],
            "lines": values["lines"],
            "battery": battery,
        },
    )


async def send_receipt(context: Context, session: AsyncSession, row: ReturnRow, to: Addressee) -> LinkSent | None:
    """Mail the receipt of a withdrawal.

    Returns:
        The link of the battery question, which the mail contains while the question is open; else `None`.
    """
    values = _receipt_details(context, row, to.locale)
    if battery_unanswered(row):
        subject = Subject(row.id or 0, row.customer_id)
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
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_BATTERY,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details={
            **await details(session, row, to.locale),
            "department": department_lines(context.settings.brand, to.locale),
        },
    )


def _receipt_details(context: Context, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    statement, local = row.statement or {}, row.created_at.astimezone(AMSTERDAM)
    return {
        "reference": row.reference,
        "order_number": row.order_number,
        "name": statement.get("name", ""),
        "day": day(local.date(), locale),
        "time": f"{local:%H:%M}",
        "lines": statement.get("lines", []),
        "battery_first": gettext_for(locale)(BATTERY_FIRST) if battery_unanswered(row) else "",
        "amounts": amount_lines(row.settlement, locale),
        "total": total_line(row.settlement, locale),
        "open": open_line(row.settlement, locale),
        "department": department_lines(context.settings.brand, locale),
    }
