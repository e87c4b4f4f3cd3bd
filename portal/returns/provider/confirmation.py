"""Handlers of the mailed links: confirm a return of the older flow, answer the battery question of a withdrawal.

Source: part-2 §4; edge-cases 43-47.
"""

from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.cases import wait_for_link
from portal.backend.context import Context
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, Refused
from portal.deliveries.rules import can_be_had
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.links.api import LinkAbout, LinkSent
from portal.links.provider import LinkHandler, Links, Subject
from portal.login.provider.queries import addressee
from portal.returns.provider.account import account_of, send_to
from portal.returns.provider.documents import (
    notify_of_battery,
    notify_received,
    send_link,
    send_receipt,
    warn_back_office,
)
from portal.returns.provider.queries import ReturnQueries
from portal.returns.provider.return_case import ReturnCase, battery_asked, case_of, item_lines
from portal.returns.provider.transitions import change_status, expire, hold_again, plan_text, record, record_case
from portal.returns.rules.settlement import ComputedSettlement
from portal.setting_groups import Brand
from portal.tables.returns import ReturnRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import RETURNS, BatteryState, ReturnStatus, may_travel


async def describe_return(context: Context, session: AsyncSession, subject: Subject) -> LinkAbout:
    """What the page of the link shows: what its mail says, without the pick-up address."""
    row = await return_of(session, subject)
    case = await case_of(session, row, context.clock())
    return shown_by_link(case, context.settings.of(case.source).brand)


def shown_by_link(case: ReturnCase, brand: Brand) -> LinkAbout:
    """What the page of the link shows of a return. Whoever has the link need not be the customer."""
    row, account = case.row, account_of(case, brand)
    way = account.handover
    shown = account.model_copy(
        update={
            "facts": send_to(case, brand),
            "handover": way and way.model_copy(update={"place": [], "country": LocalizedText()}),
        }
    )
    return LinkAbout(
        reference=row.reference,
        return_id=row.public_id,
        order_number=case.orders,
        items="\n".join(item_lines(case.units, case.locale)),
        battery=row.battery or "",
        account=shown,
        binds=ComputedSettlement.from_json(row.settlement).binds_to_pay,
    )


async def confirm_return(context: Context, session: AsyncSession, subject: Subject, _answer: str) -> None:
    """Confirm a return: it is received now."""
    row = await return_of(session, subject)
    if row.status is not ReturnStatus.PENDING_CONFIRMATION:
        raise Refused(Code.INVALID_HASH)
    row.confirm_until = None
    await change_status(context, session, row, ReturnStatus.REQUEST_RECEIVED, by_customer=True)
    # The mail names the text message that is planned.
    await plan_text(context, session, row, (await addressee(session, row.customer_id)).locale)
    await notify_received(context, session, row)


async def renew_return(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail a new link. An expired return waits for confirmation again, for another 24 hours."""
    row = await return_of(session, subject)
    await expire(context, session, row.customer_id)
    if row.status is ReturnStatus.EXPIRED:
        if not in_time(row, context.clock()):
            raise Refused(Code.INVALID_TIME)
        try:
            await hold_again(session, row)
        except IntegrityError:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS) from None
        await record(session, row, ReturnStatus.PENDING_CONFIRMATION, context.clock(), by_customer=True)
    elif not RETURNS.allows(row.status, ReturnStatus.EXPIRED):
        raise Refused(Code.LINK_USED)
    sent = await send_link(context, session, row)
    row.confirm_until = sent.expires_at
    await wait_for_link(session, CaseKind.RETURN, row.reference, sent.expires_at, context.clock())
    return sent


def in_time(row: ReturnRow, moment: datetime) -> bool:
    """Whether the pick-up day of a return is still available at this moment. True when it has no day."""
    country = Country((row.address or {}).get("country_code", "NL"))
    return row.pickup_day is None or can_be_had(row.pickup_day, moment, country)


async def return_of(session: AsyncSession, subject: Subject) -> ReturnRow:
    """The return that a link refers to, locked until the end of the transaction."""
    row = await ReturnQueries(session, subject.customer_id).by_key(subject.key)
    if row is None:
        raise Refused(Code.INVALID_HASH)
    return row


LINK_HANDLER = LinkHandler(return_of, describe_return, confirm_return, renew_return)


async def answer_battery(context: Context, session: AsyncSession, row: ReturnRow, answer: str) -> None:
    """Store the battery answer of a return that the transaction has locked, and mail the customer what to do.

    Items with a safe battery may be sent. For an unsafe one the back office is warned at once. The same answer again
    changes nothing.
    """
    if answer not in {state.value for state in BatteryState}:
        raise InvalidInput(
            Code.INVALID_INPUT, fields={"battery": Code.INVALID_CHOICE if answer.strip() else Code.REQUIRED}
        )
    state, moment = BatteryState(answer), context.clock()
    if row.battery is state:
        return
    if not battery_asked(row):
        raise Conflict(Code.STATUS_CHANGED)
    row.battery, row.urgent, row.updated_at = state, not may_travel(state), moment
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, moment)
    await record_case(session, row, CaseEventType.CORRECTED, moment, by_customer=True)
    await Links(context).settle(session, LinkPurpose.BATTERY, Subject(row.id, row.customer_id))
    await notify_of_battery(context, session, row)
    if row.urgent:
        await warn_back_office(context, session, row)


async def confirm_battery(context: Context, session: AsyncSession, subject: Subject, answer: str) -> None:
    """Store the answer to the battery question."""
    row = await return_of(session, subject)
    if not battery_asked(row):
        raise Refused(Code.STATUS_CHANGED)
    await answer_battery(context, session, row, answer)


async def renew_battery_link(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail the receipt again, with a new link."""
    row = await return_of(session, subject)
    sent = (
        await send_receipt(context, session, row, await addressee(session, row.customer_id))
        if battery_asked(row)
        else None
    )
    if sent is None:
        raise Refused(Code.STATUS_CHANGED)
    return sent


BATTERY_LINK_HANDLER = LinkHandler(return_of, describe_return, confirm_battery, renew_battery_link)
