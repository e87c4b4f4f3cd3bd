"""What happens when the units of a return arrive: they are kept or released, and the amounts follow (part-2 §5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.contract.errors import InvalidInput
from portal.kernel.codes import Code
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.rules.settlement import ComputedSettlement, Returned, SettlementKind, Terms, Worth, settle
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import UnitCondition, UnitDecision

_ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class InspectedUnit:
    """A unit that arrived, with what staff found and decided; without a condition it was only counted.

    Attributes:
        photo: id of the photo that staff took of it; empty for none.
        frame_number: which of several equal bikes it is; empty if nobody said.
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
    for unit, _, _ in held:
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
    before = ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else ComputedSettlement()
    stored = {line.kind: line for line in before.lines}
    fee, new = stored.get(SettlementKind.PICK_UP), stored.get(SettlementKind.NEW_ITEM)
    terms = Terms(
        signs_of_use=SettlementKind.DEPRECIATION in stored,
        pick_up=fee is not None,
        at_our_expense=at_our_expense(settings, row),
        fee=-fee.amount if fee else _ZERO,
        outstanding=before.set_off,
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
