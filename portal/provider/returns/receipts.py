"""Mails about a withdrawal: its receipt at once, and, when something has a battery, whether that may be sent."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.base import Locale
from portal.contract.links import LinkSent
from portal.domain.dates import AMSTERDAM
from portal.provider.context import Context
from portal.provider.documents.formats import day
from portal.provider.links import Addressee, Links, Subject
from portal.provider.mail.texts import Template
from portal.provider.outbox import Outbox
from portal.provider.returns import words
from portal.provider.returns.letters import addressee, details
from portal.provider.returns.safety import unanswered
from portal.provider.tables.returns import ReturnRow
from portal.texts import gettext_for
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import BATTERY_FIRST


async def send_receipt(context: Context, session: AsyncSession, row: ReturnRow, to: Addressee) -> LinkSent | None:
    """The receipt. With a battery it asks how that is, by a link; where to send it is told when that was answered."""
    told = _declared(context, row, to.locale)
    if unanswered(row):
        about = Subject(row.id or 0, row.customer_id)
        return await Links(context).send(session, LinkPurpose.BATTERY, about, to, Template.WITHDRAWAL_RECEIVED, told)
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_RECEIVED,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=told,
    )
    return None


async def tell_whether_it_travels(context: Context, session: AsyncSession, row: ReturnRow) -> None:
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
            "department": words.department_lines(context.settings.brand, to.locale),
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
        "amounts": words.amount_lines(row.settlement, locale),
        "total": words.total_line(row.settlement, locale),
        "open": words.open_line(row.settlement, locale),
        "department": words.department_lines(context.settings.brand, locale),
    }
