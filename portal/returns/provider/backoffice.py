"""Moving a return: along its graph, with what arrived and what is refunded (part-2 §4; edge-cases 32, 34, 38)."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, NotAllowed, Transition, TransitionRequest
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.links.provider import Links, Subject
from portal.returns.provider import queries
from portal.returns.provider.creation import replace
from portal.returns.provider.mails import notify_moved
from portal.returns.provider.queries import ReturnedUnit, ReturnRepository
from portal.returns.provider.transitions import move as change_status
from portal.returns.provider.transitions import set_off
from portal.returns.provider.wording import may_be_sent
from portal.returns.rules.settlement import ComputedSettlement, Returned, SettlementKind, Terms, Worth, settle
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import DONE, PICKED_UP, RETURNS, ItemState, ReturnKind, ReturnMethod, ReturnStatus

_ARRIVED = re.compile(r"([0-9]{9}-[0-9]{1,4})\*([0-9]{1,4})")


async def current_status(context: Context, reference: str) -> CurrentStatus:
    """Where a return stands.

    Raises:
        NotFound: there is none.
    """
    async with context.database.session() as session:
        row = await queries.by_reference(session, _known(reference))
    return CurrentStatus(**_current_status(row))


async def move(context: Context, reference: str, request: TransitionRequest, key: str = "") -> Transition:  # noqa: ARG001
    """Move a return; asked again for the status it has, nothing more happens.

    Raises:
        NotFound: there is none.
        InvalidInput: a status, an amount or a number of units that cannot be; `fields` says which.
        NotAllowed: `status_not_allowed`.
        Conflict: `status_changed`, it is not in the status that was seen.
    """
    target = _target(request)
    async with context.database.transaction() as session:
        row = await queries.by_reference(session, _known(reference), lock=True)
        before = row.status
        if request.seen and request.seen != before:
            raise Conflict(Code.STATUS_CHANGED)
        if before == target:
            return Transition(before=before.value, changed=False, **_current_status(row))
        if request.battery_collected:
            _leave_battery(row)
        if target not in _following(row):
            raise NotAllowed(before, target, [status.value for status in _following(row)])
        if target is ReturnStatus.RECEIVED:
            await _receive(session, row, request, context.clock())
        if target in DONE:
            _decide(row, request, target, context.clock())
        if target is ReturnStatus.CLOSED and row.kind is ReturnKind.EXCHANGE:
            await replace(context, session, row)
        if target is ReturnStatus.CLOSED:
            await set_off(session, row)
        await change_status(context, session, row, target, request.note)
        if before is ReturnStatus.PENDING_CONFIRMATION:
            await Links(context).withdraw(session, LinkPurpose.ORDER_RETURN, Subject(row.id or 0, row.customer_id))
        await notify_moved(context, session, row, request.note)
        return Transition(before=before.value, changed=True, **_current_status(row))


RETURN = BackOfficeCase("return", ReturnStatus, current_status, move)


async def _receive(session: AsyncSession, row: ReturnRow, request: TransitionRequest, now: datetime) -> None:
    """Note what arrived. What did not is the customer's again, and the amounts speak of what did."""
    units = (await ReturnRepository(session, row.customer_id).units([row])).get(row.id or 0, [])
    held = [unit for unit in units if unit.unit.released_at is None]
    arrived = _arrived(held, request.received)
    keys = [unit.unit.id for unit in arrived]
    missing = [unit.unit.id for unit in held if unit.unit.id not in keys]
    own = update(ReturnUnitRow).where(col(ReturnUnitRow.return_id) == row.id)
    await session.exec(own.where(col(ReturnUnitRow.id).in_(keys)).values(received=True))
    if missing:
        await session.exec(own.where(col(ReturnUnitRow.id).in_(missing)).values(released_at=now))
        row.settlement = _settled_again(row, arrived).to_json()


def _arrived(held: list[ReturnedUnit], said: list[str]) -> list[ReturnedUnit]:
    if not said:
        return held
    found: list[ReturnedUnit] = []
    for text in said:
        form = _ARRIVED.fullmatch(text)
        own = [unit for unit in held if form and f"{unit.order_number}-{unit.line.position}" == form[1]]
        if form is None or not own or int(form[2]) > len(own):
            raise InvalidInput(Code.INVALID_INPUT, fields={"received": Code.INVALID_NUMBER})
        found += own[: int(form[2])]
    if not found:
        raise InvalidInput(Code.INVALID_INPUT, fields={"received": Code.INVALID_NUMBER})
    return found


def _settled_again(row: ReturnRow, arrived: list[ReturnedUnit]) -> ComputedSettlement:
    """The amounts of the units that arrived, under the terms that were agreed."""
    before = ComputedSettlement.from_json(row.settlement)
    stored = {line.kind: line for line in before.lines}
    lines: dict[tuple[str, str], list[Worth]] = {}
    for unit in arrived:
        worth = Worth(unit.unit.paid, unit.unit.package, unit.unit.insurance)
        lines.setdefault((unit.line.name, unit.order_number), []).append(worth)
    fee, new = stored.get(SettlementKind.PICK_UP), stored.get(SettlementKind.NEW_ITEM)
    terms = Terms(
        signs_of_use=row.state is ItemState.USED_WITH_SIGNS,
        pick_up=fee is not None,
        fee=-fee.amount if fee else Decimal("0.00"),
        outstanding=before.set_off,
        new_item=new.item if new else "",
        new_price=-new.amount if new else None,
    )
    found = settle([Returned(name, tuple(worths), order) for (name, order), worths in lines.items()], terms)
    owed = before.open + sum(before.set_off.values(), Decimal("0.00"))
    return ComputedSettlement(found.lines, owed - sum(found.set_off.values(), Decimal("0.00")))


def _decide(row: ReturnRow, request: TransitionRequest, target: ReturnStatus, now: datetime) -> None:
    """What is refunded: as was agreed, or as decided. A cent more or less never keeps a return open."""
    found = ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else ComputedSettlement()
    if request.amount is not None:
        if not 0 <= request.amount <= found.maximum_refund + Decimal("0.01"):
            raise InvalidInput(Code.INVALID_INPUT, fields={"amount": Code.INVALID_NUMBER})
        row.refund_amount = request.amount
    elif row.refund_amount is None:
        row.refund_amount = found.refund
    if target is ReturnStatus.REFUND_PROCESSED:
        row.refunded_at = now


def _leave_battery(row: ReturnRow) -> None:
    """A specialist has the unsafe battery: what is left may travel, with a label, once the van is sent for it."""
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


def _following(row: ReturnRow) -> list[ReturnStatus]:
    """Where it can go on to. The van does not come before it is known that the battery may travel."""
    return [status for status in RETURNS.following(row.status) if status not in PICKED_UP or may_be_sent(row)]


def _current_status(row: ReturnRow) -> dict[str, Any]:
    possible = [status.value for status in _following(row)]
    return {"reference": row.reference, "status": row.status.value, "possible": possible}
