"""The back office case of returns: staff change the status, record what arrived and decide the refund.

Source: part-2 §4; edge-cases 32, 34, 38.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import (
    BackOfficeCase,
    CurrentStatus,
    NotAllowed,
    Transition,
    TransitionRequest,
    known_reference,
)
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput
from portal.kernel.codes import Code
from portal.links.provider import Links, Subject
from portal.returns.flow.items import ItemCount
from portal.returns.provider import queries, refunds
from portal.returns.provider.creation import create_replacement
from portal.returns.provider.documents import notify_moved
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.provider.return_case import agreed, may_be_sent
from portal.returns.provider.transitions import change_status, set_off, still_refundable
from portal.returns.rules.settlement import ComputedSettlement, Returned, SettlementKind, Terms, Worth, settle
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import (
    CANCELLABLE,
    DONE,
    PICKED_UP,
    RETURNS,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
    UnitCondition,
    UnitDecision,
)

_ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class InspectedUnit:
    """A unit that arrived, with what staff found and decided; without a condition it was only counted.

    `photo`: id of the photo that staff took of it; empty for none.
    `frame_number`: which of several equal bikes it is; empty if nobody said.
    """

    unit: ReturnedUnit
    condition: UnitCondition | None = None
    decision: UnitDecision = UnitDecision.ACCEPT
    note: str = ""
    photo: str = ""
    frame_number: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the retailer keeps it."""
        return self.decision is UnitDecision.ACCEPT


def received_key(row: ReturnRow) -> str:
    """The key under which photos of arrived items are stored."""
    return row.public_id


def item_id(unit: ReturnedUnit) -> str:
    """Order number and position of the order line, such as '900000001-3'."""
    return f"{unit.order_number}-{unit.line.position}"


async def held_units(session: AsyncSession, row: ReturnRow) -> list[ReturnedUnit]:
    """The units that the return holds, sorted by order line."""
    units = (await ReturnQueries(session, row.customer_id).units([row])).get(row.id, [])
    return [unit for unit in units if unit.unit.released_at is None]


def expected(held: Sequence[ReturnedUnit]) -> list[ReturnedUnit]:
    """The units that are to arrive: those that never left are with us already."""
    return [unit for unit in held if not unit.unit.received]


def never_left(held: Sequence[ReturnedUnit]) -> list[InspectedUnit]:
    """The units that were withdrawn before they were sent."""
    return [InspectedUnit(unit) for unit in held if unit.unit.received]


def units_of_items(
    held: Sequence[ReturnedUnit], counts: Iterable[tuple[str, int]], *, field: str
) -> list[ReturnedUnit]:
    """Pick units by item and number."""
    left = {unit.unit.id: unit for unit in held}
    picked: list[ReturnedUnit] = []
    for item, count in counts:
        units = [unit for unit in left.values() if item_id(unit) == item][:count]
        if not units or len(units) < count:
            raise InvalidInput(Code.INVALID_INPUT, fields={field: Code.INVALID_NUMBER})
        for unit in units:
            del left[unit.unit.id]
        picked += units
    if not picked:
        raise InvalidInput(Code.INVALID_INPUT, fields={field: Code.INVALID_NUMBER})
    return picked


async def receive(
    context: Context,
    session: AsyncSession,
    row: ReturnRow,
    held: Sequence[ReturnedUnit],
    inspected: Sequence[InspectedUnit],
) -> None:
    """Store what arrived. Units that are missing or not accepted are released, and the amounts follow."""
    await _name_bikes(session, row, inspected)
    store_inspection(held, inspected, context.clock())
    if settlement := settled_again(context.settings, row, held, inspected):
        row.settlement = settlement.to_json()
    await session.flush()


async def _name_bikes(session: AsyncSession, row: ReturnRow, inspected: Sequence[InspectedUnit]) -> None:
    """Store which of several equal bikes the units are."""
    named = [each for each in inspected if each.frame_number]
    query = select(BikeRow).where(
        BikeRow.customer_id == row.customer_id, col(BikeRow.frame_number).in_([each.frame_number for each in named])
    )
    rows = (await session.exec(query)).all() if named else ()
    bikes = {(bike.order_line_id, bike.frame_number): bike.id for bike in rows}
    for each in named:
        each.unit.unit.bike_id = bikes.pop((each.unit.line.id, each.frame_number), None)
        if each.unit.unit.bike_id is None:
            raise InvalidInput(Code.INVALID_INPUT, fields={"items": Code.INVALID_CHOICE})


def store_inspection(held: Sequence[ReturnedUnit], inspected: Sequence[InspectedUnit], now: datetime) -> None:
    """Write condition, decision and note to the units; release those that the retailer does not keep."""
    by_id = {each.unit.unit.id: each for each in inspected}
    for unit in (each.unit for each in held):
        found = by_id.get(unit.id)
        unit.received = found is not None and found.accepted
        unit.released_at = None if unit.received else now
        if found is not None and found.condition is not None:
            unit.condition, unit.decision, unit.inspection_note = found.condition, found.decision, found.note


def settled_again(
    settings: Settings, row: ReturnRow, held: Sequence[ReturnedUnit], inspected: Sequence[InspectedUnit]
) -> ComputedSettlement | None:
    """The amounts for what arrived, under the agreed terms; None if everything is as it was stated."""
    accepted = [each for each in inspected if each.accepted]
    used = [each for each in accepted if each.condition is UnitCondition.SIGNS_OF_USE]
    if len(accepted) == len(held) and not used:
        return None
    before = agreed(row)
    stored = {line.kind: line for line in before.lines}
    fee, new = stored.get(SettlementKind.PICK_UP), stored.get(SettlementKind.NEW_ITEM)
    terms = Terms(
        signs_of_use=SettlementKind.DEPRECIATION in stored,
        pick_up=fee is not None,
        at_our_expense=at_our_expense(settings, row),
        fee=-fee.amount if fee else _ZERO,
        outstanding=before.set_off,
        left=dict.fromkeys(before.already_refunded, before.maximum_refund),
        new_item=new.item if new else "",
        new_price=-new.amount if new else None,
    )
    after = settle(_returned(accepted), terms)
    unpaid = before.open + sum(before.set_off.values(), _ZERO)
    return ComputedSettlement(after.lines, unpaid - sum(after.set_off.values(), _ZERO))


def at_our_expense(settings: Settings, row: ReturnRow) -> bool:
    """Whether nothing is deducted, because the items were wrong or defective."""
    return row.reason is not None and row.reason.value in settings.free_return_reasons


def _returned(accepted: Sequence[InspectedUnit]) -> list[Returned]:
    """The accepted units by order line, those with signs of use first."""
    lines: dict[tuple[str, str], list[InspectedUnit]] = {}
    for each in accepted:
        lines.setdefault((each.unit.line.name, each.unit.order_number), []).append(each)
    returned: list[Returned] = []
    for (name, order), units in lines.items():
        units.sort(key=lambda each: each.condition is not UnitCondition.SIGNS_OF_USE)
        worths = tuple(Worth(each.unit.unit.paid, each.unit.unit.package, each.unit.unit.insurance) for each in units)
        used = sum(each.condition is UnitCondition.SIGNS_OF_USE for each in units)
        returned.append(Returned(name, worths, order, used))
    return returned


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.session() as session:
        row = await queries.by_reference(session, known_reference(reference))
    return _current_status(row)


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Change the status of a return. A request for its current status changes nothing."""
    row = await queries.by_reference(session, known_reference(reference), lock=True)
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
        return _current_status(row).after(before, changed=False)
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
    return _current_status(row).after(before, changed=True)


RETURN = BackOfficeCase("return", ReturnStatus, current_status, move)


def _arrived(held: list[ReturnedUnit], received: list[str]) -> list[InspectedUnit]:
    """The units that arrived, as the customer stated them."""
    if not received:
        return [InspectedUnit(unit) for unit in held]
    counts = [known for text in received if (known := ItemCount.parse(text))]
    if len(counts) < len(received):
        raise InvalidInput(Code.INVALID_INPUT, fields={"received": Code.INVALID_NUMBER})
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
    settlement = agreed(row)
    left = await still_refundable(session, row)
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


def _current_status(row: ReturnRow) -> CurrentStatus:
    return CurrentStatus.of(row.reference, row.status, following(row))
