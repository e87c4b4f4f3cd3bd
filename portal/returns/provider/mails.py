"""Mails about returns. Their amounts are those of the settlement that was kept, to the cent."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.base import Locale
from portal.contract.links import LinkSent
from portal.provider.context import Context
from portal.provider.links import Addressee, Links, Subject
from portal.provider.mail.texts import Template
from portal.provider.outbox import Outbox
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.repositories.returns import ReturnRepository
from portal.provider.returns import words
from portal.provider.tables.returns import ReturnRow
from portal.texts import gettext_for
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import (
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
        "lines": words.item_lines(unit for unit in units),
        "amounts": words.amount_lines(row.settlement, locale) if row.settlement.get("lines") else [],
        "total": words.total_line(row.settlement, locale),
        "open": words.open_line(row.settlement, locale),
        "money_next": words.money_next(row.settlement, locale, row.kind),
        "way": words.way_lines(row, await repository.store(row), locale),
        "instructions": [_(text) for text in BATTERY_INSTRUCTIONS] if row.urgent else [],
    }


async def tell_received(context: Context, session: AsyncSession, row: ReturnRow) -> str:
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


async def tell_moved(context: Context, session: AsyncSession, row: ReturnRow, note: str) -> None:
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
            "meaning": " ".join(_(text) for text in (meaning_of(row.kind, row.status), *words.pickup_notes(row))),
            "note": note,
            "refund": words.shown(row.refund_amount, to.locale),
        },
    )


async def warn_back_office(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """A battery that must not travel: somebody has to call this customer today."""
    brand = context.settings.brand
    told = await details(session, row, "nl")
    battery = gettext_for("nl")(BATTERY_NAMES[row.battery]) if row.battery else ""
    await Outbox(context).post(
        session,
        Template.URGENT_BATTERY,
        recipient=brand.email,
        locale="nl",
        details={"reference": row.reference, "kind": told["kind"], "lines": told["lines"], "battery": battery},
    )
