"""The back office case of returns: staff change the status, record what arrived and decide the refund.

Source: part-2 §4; edge-cases 32, 34, 38.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, NotAllowed, Transition, TransitionRequest
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.validation import ANY_ORDER_NUMBER, is_reference
from portal.links.provider import Links, Subject
from portal.returns.provider import queries, refunds
from portal.returns.provider.creation import create_replacement
from portal.returns.provider.mails import notify_moved
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.provider.receiving import (
    InspectedUnit,
    expected,
    held_units,
    never_left,
    receive,
    units_of_items,
)
from portal.returns.provider.transitions import change_status, set_off
from portal.returns.provider.wording import may_be_sent
from portal.returns.rules.settlement import ComputedSettlement
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import CANCELLABLE, DONE, PICKED_UP, RETURNS, ReturnKind, ReturnMethod, ReturnStatus

_ITEM_AND_COUNT = re.compile(rf"({ANY_ORDER_NUMBER}-[0-9]{{1,4}})\*([0-9]{{1,4}})")


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.session() as session:
        row = await queries.by_reference(session, _known(reference))
    return CurrentStatus(**_current_status(row))


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Change the status of a return. A request for its current status changes nothing."""
    row = await queries.by_reference(session, _known(reference), lock=True)
    return await move_inspected(context, session, row, request, None)


async def move_inspected(
    context: Context,
    session: AsyncSession,
    row: ReturnRow,
    request: TransitionRequest,
    inspected: list[InspectedUnit] | None,
) -> Transition:
    """Change the status of a return that the transaction has locked; otherwise as `move`."""
    target = _target(request)
    before = row.status
    if request.seen and request.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    if before == target:
        return Transition(before=before.value, changed=False, **_current_status(row))
    if request.battery_collected:
        _remove_battery(row)
    if target not in following(row):
        raise NotAllowed(before, target, [status.value for status in following(row)])
    if target is ReturnStatus.RECEIVED:
        held = await held_units(session, row)
        units = _arrived(held, request.received) if inspected is None else inspected
        await receive(context, session, row, held, units)
    if target in DONE:
        await _decide(context, session, row, request, target)
    if target is ReturnStatus.CLOSED and row.kind is ReturnKind.EXCHANGE:
        await create_replacement(context, session, row)
    if target is ReturnStatus.CLOSED:
        await set_off(session, row)
    await change_status(context, session, row, target, request.note)
    if before is ReturnStatus.PENDING_CONFIRMATION:
        await Links(context).withdraw(session, LinkPurpose.ORDER_RETURN, Subject(row.id, row.customer_id))
    await notify_moved(context, session, row, request.note)
    return Transition(before=before.value, changed=True, **_current_status(row))


RETURN = BackOfficeCase("return", ReturnStatus, current_status, move)


def _arrived(held: list[ReturnedUnit], received: list[str]) -> list[InspectedUnit]:
    """The units that arrived, as the customer stated them."""
    if not received:
        return [InspectedUnit(unit) for unit in held]
    counts: list[tuple[str, int]] = []
    for text in received:
        match = _ITEM_AND_COUNT.fullmatch(text)
        if match is None:
            raise InvalidInput(Code.INVALID_INPUT, fields={"received": Code.INVALID_NUMBER})
        counts.append((match[1], int(match[2])))
    picked = units_of_items(expected(held), counts, field="received")
    return [*(InspectedUnit(unit) for unit in picked), *never_left(held)]


async def _decide(
    context: Context, session: AsyncSession, row: ReturnRow, request: TransitionRequest, target: ReturnStatus
) -> None:
    """Set the refund when the return is closed: the amount that staff entered, else the agreed one.

    Neither exceeds what is left of the payment. A cent above that, from somebody's rounding, does not stop the closing
    (edge-case 38), but is not refunded either. Once decided, the amount stays as it was agreed to.
    """
    if target is ReturnStatus.REFUND_PROCESSED:
        await refunds.require_approval(context, session, row)
        row.refunded_at = context.clock()
    settlement = ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else ComputedSettlement()
    left = await queries.still_refundable(session, row)
    if row.refund_amount is None and request.amount is None:
        row.refund_amount = min(settlement.refund, left)
    elif row.refund_amount is None and request.amount is not None:
        most = min(settlement.maximum_refund, left)
        if not 0 <= request.amount <= most + Decimal("0.01"):
            raise InvalidInput(Code.INVALID_INPUT, fields={"amount": Code.INVALID_NUMBER})
        row.refund_amount = min(request.amount, most)
    elif request.amount not in (None, row.refund_amount):
        raise InvalidInput(Code.INVALID_INPUT, fields={"amount": Code.INVALID_NUMBER})


def _remove_battery(row: ReturnRow) -> None:
    """A specialist has the unsafe battery: the rest may travel, and is picked up unless it is a withdrawal."""
    if row.urgent:
        row.urgent = False
        if row.kind is not ReturnKind.WITHDRAWAL:
            row.method = ReturnMethod.PICK_UP


def _target(request: TransitionRequest) -> ReturnStatus:
    if request.status not in RETURN.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    return ReturnStatus(request.status)


def _known(reference: str) -> str:
    if not is_reference(reference):
        raise NotFound
    return reference


def following(row: ReturnRow) -> list[ReturnStatus]:
    """The statuses it can move to. No pick-up is planned before the battery is known to be safe.

    Only what has arrived is closed; a withdrawal of what was never sent was closed at once.
    """
    arrives = row.status in CANCELLABLE
    return [
        status
        for status in RETURNS.following(row.status)
        if (status not in PICKED_UP or may_be_sent(row)) and not (arrives and status is ReturnStatus.CLOSED)
    ]


def _current_status(row: ReturnRow) -> dict[str, Any]:
    possible = [status.value for status in following(row)]
    return {"reference": row.reference, "status": row.status.value, "possible": possible}
