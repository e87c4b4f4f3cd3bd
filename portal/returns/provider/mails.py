"""Mails about returns. Their amounts are those of the stored settlement, to the cent."""

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
    department_lines,
    item_lines,
    method_lines,
    money_next,
    open_line,
    pickup_notes,
    shown,
    total_line,
    unanswered,
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
    """The customer's address now, and the language of mails."""
    customer = await CustomerRepository(session, row.customer_id).get()
    return Addressee(customer.email, "en" if customer.locale == "en" else "nl")


async def details(session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    """What every mail about a return needs."""
    _ = gettext_for(locale)
    repository = ReturnRepository(session, row.customer_id)
    units = (await repository.units([row])).get(row.id or 0, [])
    return {
        "reference": row.reference,
        "return_id": row.public_id,
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "exchange": row.kind is ReturnKind.EXCHANGE,
        "order_number": row.order_number,
        "lines": item_lines(unit for unit in units),
        "amounts": amount_lines(row.settlement, locale) if row.settlement.get("lines") else [],
        "total": total_line(row.settlement, locale),
        "open": open_line(row.settlement, locale),
        "money_next": money_next(row.settlement, locale, row.kind),
        "way": method_lines(row, await repository.store(row), locale),
        "instructions": [_(text) for text in BATTERY_INSTRUCTIONS] if row.urgent else [],
    }


async def notify_received(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """The request is in; where the mail goes."""
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
    """One more step: the link that confirms it."""
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
    """It has moved on."""
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
            "refund": shown(row.refund_amount, to.locale),
        },
    )


async def warn_back_office(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """A battery that must not travel: somebody has to call this customer today."""
    brand = context.settings.brand
    described = await details(session, row, "nl")
    battery = gettext_for("nl")(BATTERY_NAMES[row.battery]) if row.battery else ""
    await Outbox(context).post(
        session,
        Template.URGENT_BATTERY,
        recipient=brand.email,
        locale="nl",
        details={
            "reference": row.reference,
            "kind": described["kind"],
            "lines": described["lines"],
            "battery": battery,
        },
    )


async def send_receipt(context: Context, session: AsyncSession, row: ReturnRow, to: Addressee) -> LinkSent | None:
    """The receipt. With a battery it asks how that is, by a link; where to send it is told when that was answered."""
    described = _declared(context, row, to.locale)
    if unanswered(row):
        about = Subject(row.id or 0, row.customer_id)
        return await Links(context).send(
            session, LinkPurpose.BATTERY, about, to, Template.WITHDRAWAL_RECEIVED, described
        )
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_RECEIVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=described,
    )
    return None


async def notify_of_battery(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Where to send it; or, of an unsafe battery, what to do with it instead."""
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


def _declared(context: Context, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    said, local = row.statement or {}, row.created_at.astimezone(AMSTERDAM)
    return {
        "reference": row.reference,
        "order_number": row.order_number,
        "name": said.get("name", ""),
        "day": day(local.date(), locale),
        "time": f"{local:%H:%M}",
        "lines": said.get("lines", []),
        "battery_first": gettext_for(locale)(BATTERY_FIRST) if unanswered(row) else "",
        "amounts": amount_lines(row.settlement, locale),
        "total": total_line(row.settlement, locale),
        "open": open_line(row.settlement, locale),
        "department": department_lines(context.settings.brand, locale),
    }
