"""A return of the older flow, confirmed by its link (part-2 §4; edge-cases 43-47)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.contract.links import LinkSent
from portal.domain.codes import Code
from portal.domain.countries import Country
from portal.domain.delivery_options import can_be_had
from portal.provider.confirming.desk import ConfirmationDesk
from portal.provider.context import Context
from portal.provider.links import Subject
from portal.provider.repositories import returns as rows
from portal.provider.repositories.returns import ReturnRepository
from portal.provider.returns.letters import addressee, send_link, tell_received
from portal.provider.returns.moving import enter, expire, move
from portal.provider.returns.texting import plan_text
from portal.provider.returns.words import item_lines
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.returns import RETURNS, ReturnStatus


async def about(session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What a page may tell: what its mail tells; not whose it is, nor where it is picked up."""
    row = await return_of(session, subject)
    units = (await ReturnRepository(session, subject.customer_id).units([row])).get(row.id or 0, [])
    return {
        "reference": row.reference,
        "return_id": row.public_id,
        "order_number": row.order_number,
        "items": "\n".join(item_lines(units)),
        "pickup_day": row.pickup_day.isoformat() if row.pickup_day else "",
        "status": row.status.value,
    }


async def confirm(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    """The customer means it."""
    row = await return_of(session, subject)
    if row.status is not ReturnStatus.PENDING_CONFIRMATION:
        raise Refused(Code.INVALID_HASH)
    row.confirm_until = None
    await move(context, session, row, ReturnStatus.REQUEST_RECEIVED)
    await tell_received(context, session, row)
    await plan_text(context, session, row, (await addressee(session, row)).locale)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Wait again, for another 24 hours.

    Raises:
        Refused: `return_request_already_exists`, something of it went into another return meanwhile; `invalid_itme`,
            the day of the pick-up is past; `invalid_hash`, it does not wait any more.
    """
    row = await return_of(session, subject)
    await expire(context, session, row.customer_id)
    if row.status is ReturnStatus.EXPIRED:
        if not in_time(row, context.clock()):
            raise Refused(Code.INVALID_TIME)
        try:
            await rows.hold_again(session, row)
        except IntegrityError:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS) from None
        await enter(session, row, ReturnStatus.PENDING_CONFIRMATION, context.clock())
    elif not RETURNS.allows(row.status, ReturnStatus.EXPIRED):
        raise Refused(Code.LINK_USED)
    sent = await send_link(context, session, row)
    row.confirm_until = sent.expires_at
    return sent


def in_time(row: ReturnRow, moment: datetime) -> bool:
    """Whether it could still be picked up on its day, if it were asked for at this moment."""
    country = Country((row.address or {}).get("country_code", "NL"))
    return row.pickup_day is None or can_be_had(row.pickup_day, moment, country)


async def return_of(session: AsyncSession, subject: Subject) -> ReturnRow:
    """The return that a link is about.

    Raises:
        Refused: `invalid_hash`, there is none.
    """
    row = await ReturnRepository(session, subject.customer_id).by_key(subject.key)
    if row is None:
        raise Refused(Code.INVALID_HASH)
    return row


DESK = ConfirmationDesk(about, confirm, renew)
