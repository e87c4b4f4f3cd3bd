"""The battery of a withdrawal, asked by the link in its receipt: who holds it need not be logged in."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.contract.links import LinkSent
from portal.domain.codes import Code
from portal.provider.confirming.desk import ConfirmationDesk
from portal.provider.confirming.returns import return_of
from portal.provider.context import Context
from portal.provider.links import Subject
from portal.provider.repositories.returns import ReturnRepository
from portal.provider.returns.battery import answer
from portal.provider.returns.letters import addressee
from portal.provider.returns.receipts import send_receipt
from portal.provider.returns.safety import asked
from portal.provider.returns.words import item_lines


async def about(session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What a page may tell: what its mail tells, and what was answered."""
    row = await return_of(session, subject)
    units = (await ReturnRepository(session, subject.customer_id).units([row])).get(row.id or 0, [])
    return {
        "reference": row.reference,
        "order_number": row.order_number,
        "items": "\n".join(item_lines(units)),
        "battery": row.battery.value if row.battery else "",
    }


async def confirm(context: Context, session: AsyncSession, subject: Subject, given: str) -> None:
    """How the battery is.

    Raises:
        InvalidInput: `required` or `invalid_choice` for the field `battery`.
        Refused: `status_changed`, it has arrived already.
    """
    row = await return_of(session, subject)
    if not asked(row):
        raise Refused(Code.STATUS_CHANGED)
    await answer(context, session, row, given)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail the receipt again, with another link.

    Raises:
        Refused: `status_changed`, there is nothing to answer any more.
        TooMany: `mail_sent_recently` with `retry_at`.
    """
    row = await return_of(session, subject)
    sent = await send_receipt(context, session, row, await addressee(session, row)) if asked(row) else None
    if sent is None:
        raise Refused(Code.STATUS_CHANGED)
    return sent


DESK = ConfirmationDesk(about, confirm, renew)
