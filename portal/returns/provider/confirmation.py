"""What mailed links confirm: an older return, and the state of a battery (part-2 §4; edge-cases 43-47)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput, Refused
from portal.deliveries.rules import can_be_had
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.links.provider import LinkHandler, Links, Subject
from portal.returns.provider import queries
from portal.returns.provider.mails import (
    addressee,
    notify_of_battery,
    notify_received,
    send_link,
    send_receipt,
    warn_back_office,
)
from portal.returns.provider.queries import ReturnRepository
from portal.returns.provider.transitions import enter, expire, move, plan_text
from portal.returns.provider.wording import asked, item_lines
from portal.tables.returns import ReturnRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import RETURNS, BatteryState, ReturnStatus, may_travel


async def describe_return(session: AsyncSession, subject: Subject) -> dict[str, Any]:
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


async def confirm_return(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    """The customer means it."""
    row = await return_of(session, subject)
    if row.status is not ReturnStatus.PENDING_CONFIRMATION:
        raise Refused(Code.INVALID_HASH)
    row.confirm_until = None
    await move(context, session, row, ReturnStatus.REQUEST_RECEIVED)
    await notify_received(context, session, row)
    await plan_text(context, session, row, (await addressee(session, row)).locale)


async def renew_return(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
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
            await queries.hold_again(session, row)
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


LINK_HANDLER = LinkHandler(describe_return, confirm_return, renew_return)


async def answer(context: Context, session: AsyncSession, row: ReturnRow, given: str) -> None:
    """Note how the battery of a return is that the transaction holds, and tell what to do now.

    A safe one may be sent; of any other the back office is told at once. Answered the same again, nothing happens.

    Raises:
        InvalidInput: `required` or `invalid_choice` for the field `battery`.
        Conflict: `status_changed`; it was answered otherwise, has arrived, or has no such question.
    """
    if given not in {state.value for state in BatteryState}:
        raise InvalidInput(
            Code.INVALID_INPUT, fields={"battery": Code.INVALID_CHOICE if given.strip() else Code.REQUIRED}
        )
    state, now = BatteryState(given), context.clock()
    if row.battery is state:
        return
    if not asked(row):
        raise Conflict(Code.STATUS_CHANGED)
    row.battery, row.urgent, row.updated_at = state, not may_travel(state), now
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, now)
    await Links(context).settle(session, LinkPurpose.BATTERY, Subject(row.id or 0, row.customer_id))
    await notify_of_battery(context, session, row)
    if row.urgent:
        await warn_back_office(context, session, row)


async def describe_battery(session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What a page may tell: what its mail tells, and what was answered."""
    row = await return_of(session, subject)
    units = (await ReturnRepository(session, subject.customer_id).units([row])).get(row.id or 0, [])
    return {
        "reference": row.reference,
        "order_number": row.order_number,
        "items": "\n".join(item_lines(units)),
        "battery": row.battery.value if row.battery else "",
    }


async def confirm_battery(context: Context, session: AsyncSession, subject: Subject, given: str) -> None:
    """How the battery is.

    Raises:
        InvalidInput: `required` or `invalid_choice` for the field `battery`.
        Refused: `status_changed`, it has arrived already.
    """
    row = await return_of(session, subject)
    if not asked(row):
        raise Refused(Code.STATUS_CHANGED)
    await answer(context, session, row, given)


async def renew_battery_link(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
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


BATTERY_LINK_HANDLER = LinkHandler(describe_battery, confirm_battery, renew_battery_link)
