"""The battery of a withdrawal: asked after the receipt, answered once, before anything travels."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Conflict, InvalidInput
from portal.domain.codes import Code
from portal.provider.context import Context
from portal.provider.links import Links, Subject
from portal.provider.repositories import changes
from portal.provider.returns.letters import warn_back_office
from portal.provider.returns.receipts import tell_whether_it_travels
from portal.provider.returns.safety import asked
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import BatteryState, may_travel


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
    await changes.tell(session, row.customer_id, Topic.RETURNS, now)
    await Links(context).settle(session, LinkPurpose.BATTERY, Subject(row.id or 0, row.customer_id))
    await tell_whether_it_travels(context, session, row)
    if row.urgent:
        await warn_back_office(context, session, row)
