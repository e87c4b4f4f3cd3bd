"""The SQL of returns. Queries for a customer filter by customer; those of the back office use the reference."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, func
from sqlalchemy.orm import aliased
from sqlmodel import and_, col, exists, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import HAS_EQUAL
from portal.backend.database import CUSTOMER, Part, find_one, part_of
from portal.backend.shops import term_book
from portal.kernel.days import local_day
from portal.kernel.terms import ShopTerms
from portal.orders.provider.money import adds_up, deductions, unpaid
from portal.orders.rules import ShippingTimes, journey
from portal.returns.rules.settlement import ComputedSettlement, Sold, worth_of_units
from portal.returns.rules.units import Hold, Parcel, Unclear, Unit, besides_shop, units_of
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.exchange import RefundAccountRow, RefundPaymentRow
from portal.tables.orders import OrderLineRow, OrderRow, PartnerRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import ARRIVED, can_be_called_off
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.returns import DONE, GIVES_BACK, ReturnStatus


class ReturnedUnit(NamedTuple):
    """A unit of a return, with its order line and order number.

    `bike`: which bike it is; None for other items, and where that is not known.
    `has_equal`: the customer bought something else of that name.
    """

    unit: ReturnUnitRow
    line: OrderLineRow
    order_number: str
    bike: BikeRow | None = None
    has_equal: bool = False


_bike, _other_line, _other_order = aliased(BikeRow), aliased(OrderLineRow), aliased(OrderRow)
_HAS_EQUAL = or_(
    HAS_EQUAL,
    exists()
    .where(
        col(_other_order.customer_id) == OrderRow.customer_id,
        col(_other_line.order_id) == _other_order.id,
        col(_other_line.name) == OrderLineRow.name,
        col(_other_line.id) != OrderLineRow.id,
    )
    .correlate(OrderRow, OrderLineRow),
)
# One at most: a line of which the shop took units off may still have several, and a unit counts once.
_OF_LINE = select(func.min(_bike.id)).where(_bike.order_line_id == OrderLineRow.id, OrderLineRow.quantity == 1)
_IS_BIKE = BikeRow.id == func.coalesce(ReturnUnitRow.bike_id, _OF_LINE.correlate(OrderLineRow).scalar_subquery())


_NEWEST_FIRST = (
    select(ReturnRow)
    .where(ReturnRow.customer_id == CUSTOMER)
    .order_by(col(ReturnRow.created_at).desc(), col(ReturnRow.id).desc())
)

_OPEN = _NEWEST_FIRST.where(col(ReturnRow.status).not_in(DONE | GIVES_BACK)).limit(bindparam("most", type_=Integer))


class ReturnQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> Part[ReturnRow]:
        return await part_of(self._session, _NEWEST_FIRST, page, customer_id=self._customer_id)

    async def open(self, most: int) -> list[ReturnRow]:
        values = {"customer_id": self._customer_id, "most": most}
        return list(await self._session.exec(_OPEN, params=values))

    async def refund_account(self, row: ReturnRow) -> tuple[str | None, str | None, int | None]:
        """Holder and IBAN of the account to which it is refunded, and its key in a batch; None where there is none."""
        query = (
            select(RefundAccountRow.holder, RefundAccountRow.iban, RefundPaymentRow.return_id)
            .select_from(ReturnRow)
            .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
            .outerjoin(RefundPaymentRow, col(RefundPaymentRow.return_id) == col(ReturnRow.id))
            .where(ReturnRow.customer_id == self._customer_id, ReturnRow.id == row.id)
        )
        return (await self._session.exec(query)).one()

    async def get(self, public_id: str, *, lock: bool = False) -> ReturnRow:
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.public_id == public_id)
        return await find_one(self._session, query, lock=lock)

    async def by_reference(self, reference: str) -> ReturnRow | None:
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.reference == reference)
        return (await self._session.exec(query)).one_or_none()

    async def by_key(self, key: int) -> ReturnRow | None:
        """One return by its primary key, locked until the end of the transaction."""
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.id == key)
        return (await self._session.exec(query.with_for_update())).one_or_none()

    async def units(self, rows: Sequence[ReturnRow]) -> dict[int, list[ReturnedUnit]]:
        """The units of these returns, by key of the return, sorted by order line."""
        if not rows:
            return {}
        keys = [row.id for row in rows]
        query: Any = (
            select(ReturnUnitRow, OrderLineRow, OrderRow.order_number, BikeRow)
            .add_columns(_HAS_EQUAL)
            .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
            .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
            .outerjoin(BikeRow, and_(BikeRow.customer_id == self._customer_id, _IS_BIKE))
            .where(col(OrderRow.customer_id) == self._customer_id, col(ReturnUnitRow.return_id).in_(keys))
            .order_by(col(OrderRow.id), col(OrderLineRow.position), col(ReturnUnitRow.number))
        )
        units: dict[int, list[ReturnedUnit]] = defaultdict(list)
        for found in (await self._session.exec(query)).all():
            unit = ReturnedUnit(*found)
            units[unit.unit.return_id].append(unit)
        return units

    async def bikes(self, units: Sequence[ReturnedUnit]) -> dict[int, list[BikeRow]]:
        """The bikes that these units are, by key of the order line; all of the line where that is not known."""
        lines, known = [unit.line.id for unit in units], {unit.unit.bike_id for unit in units}
        query = (
            select(BikeRow)
            .where(BikeRow.customer_id == self._customer_id, col(BikeRow.order_line_id).in_(lines))
            .order_by(col(BikeRow.id))
        )
        bikes: dict[int, list[BikeRow]] = defaultdict(list)
        for bike in await self._session.exec(query):
            bikes[bike.order_line_id or 0].append(bike)
        for line, own in bikes.items():
            bikes[line] = [bike for bike in own if bike.id in known] or own
        return bikes

    async def events(self, row: ReturnRow) -> list[ReturnEventRow]:
        """The history of a return, oldest first."""
        query = (
            select(ReturnEventRow)
            .join(ReturnRow, col(ReturnRow.id) == ReturnEventRow.return_id)
            .where(ReturnRow.customer_id == self._customer_id, ReturnEventRow.return_id == row.id)
            .order_by(col(ReturnEventRow.id))
        )
        return list(await self._session.exec(query))

    async def store(self, row: ReturnRow) -> PartnerRow | None:
        """The store that the customer chose; `None` when there is none."""
        if row.store_id is None:
            return None
        return (await self._session.exec(select(PartnerRow).where(PartnerRow.id == row.store_id))).one_or_none()

    async def pending_of(self, order_number: str, now: datetime) -> ReturnRow | None:
        """A return of this order that waits for confirmation."""
        query = select(ReturnRow).where(
            ReturnRow.customer_id == self._customer_id,
            ReturnRow.order_number == order_number,
            ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION,
            or_(col(ReturnRow.confirm_until).is_(None), col(ReturnRow.confirm_until) > now),
        )
        return (await self._session.exec(query.limit(1))).first()


async def pending(session: AsyncSession, customer_id: int, now: datetime) -> list[ReturnRow]:
    query = select(ReturnRow).where(
        ReturnRow.customer_id == customer_id,
        ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION,
        col(ReturnRow.confirm_until) > now,
    )
    return list(await session.exec(query))


async def by_reference(session: AsyncSession, reference: str, *, lock: bool = False) -> ReturnRow:
    query = select(ReturnRow).where(ReturnRow.reference == reference)
    return await find_one(session, query, lock=lock)


# Sums of single columns: the database would not tell that a sum of two is an amount.
WORTH = [func.sum(column) for column in (ReturnUnitRow.paid, ReturnUnitRow.package, ReturnUnitRow.insurance)]


async def refunded_by_shop(session: AsyncSession, orders: Collection[OrderRow]) -> dict[int, Decimal]:
    """What the shop refunded of orders apart from returns, by key.

    What was paid back the way it was paid is among it, if it was recorded before the shop last said what it refunded.
    """
    by_shop = {order.id: order.refunded for order in orders}
    amount: Any = ReturnRow.refund_amount
    returns = (
        select(OrderLineRow.order_id, amount, *WORTH)
        .join(ReturnUnitRow, col(ReturnUnitRow.order_line_id) == col(OrderLineRow.id))
        .join(ReturnRow, col(ReturnRow.id) == col(ReturnUnitRow.return_id))
        .join(OrderRow, col(OrderRow.id) == col(OrderLineRow.order_id))
        .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .where(
            col(OrderLineRow.order_id).in_([key for key, refunded in by_shop.items() if refunded]),
            ReturnRow.status == ReturnStatus.REFUND_PROCESSED,
            col(ReturnRow.refunded_at) <= col(OrderRow.refunded_at),
            col(RefundAccountRow.return_id).is_(None),
        )
        .group_by(col(OrderLineRow.order_id), col(ReturnRow.id), amount)
    )
    if any(by_shop.values()):
        for key, paid, *shares in (await session.exec(returns)).all():
            by_shop[key] = max(by_shop[key] - min(paid, sum(shares)), ZERO)
    return by_shop


MAX_ORDERS = 40
"""Number of orders that are read when none is named, newest first. Older orders are past their last day."""


def has_battery(line: OrderLineRow) -> bool:
    return bool(line.battery) or line.kind is ItemKind.E_BIKE


@dataclass(slots=True)
class LineStock:
    """One order line.

    `units`: `None` when more units were shipped than sold (`rules.units.Unclear`).
    `open_return`: id of an open return that holds a unit; empty without one.
    """

    row: OrderLineRow
    units: list[Unit] | None
    bikes: list[BikeRow] = field(default_factory=list)
    open_return: str = ""
    free_bikes: list[BikeRow] = field(default_factory=list)

    @property
    def is_bike(self) -> bool:
        return self.row.kind is not ItemKind.ACCESSORY

    @property
    def has_battery(self) -> bool:
        return has_battery(self.row)


@dataclass(slots=True)
class OrderStock:
    """An order.

    `lines`: without lines whose quantity is zero.
    `left`: the most that can still be refunded of what was paid; None if the shop refunded nothing itself, and the
    order adds up.
    """

    row: OrderRow
    lines: list[LineStock]
    terms: ShopTerms
    outstanding: Decimal = ZERO
    left: Decimal | None = None


@dataclass(slots=True)
class _Held:
    """What returns hold.

    `holds`: by key of the order line, the state of its units by unit number.
    `open`: by key of the order line, the id of an open return.
    `set_off`: by key of the return, the amount set off by order number; open returns only.
    `refunds`: by key of the return, what it refunds or is to refund; `worths` is what its units of a line are worth.
    """

    holds: dict[int, dict[int, Hold]] = field(default_factory=lambda: defaultdict(dict))
    open: dict[int, str] = field(default_factory=dict)
    set_off: dict[int, Mapping[str, Decimal]] = field(default_factory=dict)
    refunds: dict[int, Decimal] = field(default_factory=dict)
    worths: dict[int, dict[int, Decimal]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Decimal)))
    bikes: set[int | None] = field(default_factory=set)

    def set_off_of(self, order_number: str) -> Decimal:
        """The amount that open returns set off against what is unpaid of an order."""
        return sum((orders.get(order_number, ZERO) for orders in self.set_off.values()), ZERO)

    def refund_of(self, lines: Iterable[int]) -> Decimal:
        """What returns refund, or are to refund, of some order lines."""
        worths: dict[int, Decimal] = defaultdict(Decimal)
        for line in lines:
            for return_id, worth in self.worths[line].items():
                worths[return_id] += worth
        return sum((min(self.refunds[return_id], worth) for return_id, worth in worths.items()), ZERO)


class StockQueries:
    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._customer_id = customer_id
        self._now = now

    async def all(self, order_number: str = "") -> list[OrderStock]:
        """The customer's orders, newest first, or only the one with this number; empty when it is not theirs."""
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id)
        if order_number:
            query = query.where(OrderRow.order_number == order_number)
        query = query.order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc()).limit(MAX_ORDERS)
        return await self._stock_of(list(await self._session.exec(query)))

    async def _stock_of(self, orders: Sequence[OrderRow]) -> list[OrderStock]:
        if not orders:
            return []
        keys = [order.id for order in orders]
        lines = await self._lines(keys)
        parcels = await self._parcels({order.id: order for order in orders}, lines)
        held = await self._held([line.id for entries in lines.values() for line in entries])
        bikes = await self._bikes(keys)
        book, today = await term_book(self._session, self._customer_id), local_day(self._now)
        found = [
            _stock(order, lines[order.id], parcels, held, bikes, book.since(local_day(order.ordered_at), today))
            for order in orders
        ]
        by_shop = await refunded_by_shop(self._session, orders)
        for stock in found:
            refunded = by_shop[stock.row.id]
            if refunded or not adds_up(stock.row):
                received = stock.row.paid + stock.row.settled - refunded
                stock.left = max(received - held.refund_of(line.id for line in lines[stock.row.id]), ZERO)
        return found

    async def _lines(self, keys: Sequence[int]) -> dict[int, list[OrderLineRow]]:
        query = (
            select(OrderLineRow)
            .where(col(OrderLineRow.order_id).in_(self._own(keys)))
            .order_by(col(OrderLineRow.order_id), col(OrderLineRow.position))
        )
        lines: dict[int, list[OrderLineRow]] = {key: [] for key in keys}
        for line in await self._session.exec(query):
            lines[line.order_id].append(line)
        return lines

    async def _parcels(
        self, orders: Mapping[int, OrderRow], lines: dict[int, list[OrderLineRow]]
    ) -> dict[int, list[Parcel]]:
        query = (
            select(ShipmentRow, ShipmentLineRow)
            .join(ShipmentLineRow, col(ShipmentLineRow.shipment_id) == ShipmentRow.id, isouter=True)
            .where(col(ShipmentRow.order_id).in_(self._own(list(orders))))
            .order_by(col(ShipmentRow.id))
        )
        parcels: dict[int, list[Parcel]] = defaultdict(list)
        without_lines: dict[int, list[ShipmentRow]] = defaultdict(list)
        for shipment, entry in (await self._session.exec(query)).all():
            if entry is None:
                without_lines[shipment.order_id].append(shipment)
            else:
                parcels[entry.order_line_id].append(self._parcel(orders[shipment.order_id], shipment, entry.quantity))
        for order_id, shipments in without_lines.items():
            # The contents of these shipments are not recorded. They have all units that are in no other shipment; the
            # latest shipment decides the last day.
            last = max(shipments, key=lambda shipment: (shipment.shipped_at is None, shipment.shipped_at or self._now))
            for line in lines[order_id]:
                if (rest := _rest(line, parcels)) > 0:
                    parcels[line.id].append(self._parcel(orders[order_id], last, rest))
        for order in orders.values():
            # Of an order that has arrived, nothing is still to be sent; what was taken off it never was.
            for line in lines[order.id] if order.delivery_status in ARRIVED else ():
                if (rest := _rest(line, parcels) - line.returned) > 0:
                    known = journey(order.delivery_status, order.ordered_at, ShippingTimes(), self._now)
                    parcels[line.id].append(Parcel(rest, *known))
        return parcels

    def _parcel(self, order: OrderRow, shipment: ShipmentRow, quantity: int) -> Parcel:
        """Units of a line in a shipment, which follows its order if it has no status of its own."""
        status, shipped = shipment.status or order.delivery_status, shipment.shipped_at is not None
        unsent = shipment.delivered_at is None and can_be_called_off(status, shipped=shipped)
        known = journey(status, order.ordered_at, ShippingTimes(shipment.shipped_at, shipment.delivered_at), self._now)
        return Parcel(quantity, *known, unsent)

    async def _held(self, keys: Sequence[int]) -> _Held:
        """What returns hold of these lines. A return that was not confirmed in time holds nothing."""
        query: Any = (
            select(ReturnUnitRow, ReturnRow)
            .join(ReturnRow, col(ReturnRow.id) == ReturnUnitRow.return_id)
            .where(
                ReturnRow.customer_id == self._customer_id,
                col(ReturnUnitRow.order_line_id).in_(keys),
                col(ReturnUnitRow.released_at).is_(None),
            )
        )
        held = _Held()
        for unit, row in (await self._session.exec(query)).all():
            waits = row.status is ReturnStatus.PENDING_CONFIRMATION
            if row.status in GIVES_BACK or (waits and row.confirm_until is not None and row.confirm_until <= self._now):
                continue
            held.bikes.add(unit.bike_id)
            held.holds[unit.order_line_id][unit.number] = Hold.DONE if row.status in DONE else Hold.OPEN
            if row.status not in DONE:
                held.open[unit.order_line_id] = row.public_id
            held.worths[unit.order_line_id][row.id] += unit.paid + unit.package + unit.insurance
            settlement = ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else None
            agreed = settlement.refund if settlement else ZERO
            held.refunds[row.id] = agreed if row.refund_amount is None else row.refund_amount
            # A closed return has already lowered the unpaid amount of the order.
            if settlement and row.status not in DONE:
                held.set_off[row.id] = settlement.set_off
        return held

    async def _bikes(self, keys: Sequence[int]) -> dict[int, list[BikeRow]]:
        query = (
            select(BikeRow)
            .where(BikeRow.customer_id == self._customer_id, col(BikeRow.order_id).in_(keys))
            .order_by(col(BikeRow.id))
        )
        bikes: dict[int, list[BikeRow]] = defaultdict(list)
        for bike in await self._session.exec(query):
            bikes[bike.order_line_id or 0].append(bike)
        return bikes

    def _own(self, keys: Sequence[int]) -> Any:
        """The keys of those orders that belong to the customer."""
        return select(OrderRow.id).where(OrderRow.customer_id == self._customer_id, col(OrderRow.id).in_(keys))


def _rest(line: OrderLineRow, parcels: Mapping[int, Sequence[Parcel]]) -> int:
    return line.quantity - sum(parcel.quantity for parcel in parcels.get(line.id, ()))


def _stock(
    order: OrderRow,
    lines: list[OrderLineRow],
    parcels: dict[int, list[Parcel]],
    held: _Held,
    bikes: dict[int, list[BikeRow]],
    terms: ShopTerms,
) -> OrderStock:
    # A line may have a quantity of zero; nothing of it can be returned.
    lines = [line for line in lines if line.quantity > 0]
    sold = [
        Sold(
            line.price,
            line.quantity,
            line.kind is not ItemKind.ACCESSORY,
            package=line.service_costs,
            insurance=line.insurance_costs,
        )
        for line in lines
    ]
    # Beside other parcels, what is in none has not been sent; without parcels the status of the order decides.
    in_parcels = any(parcels.get(line.id) for line in lines)
    rest_unsent = in_parcels or can_be_called_off(order.delivery_status, shipped=False)
    worths = worth_of_units(sold, deductions(order), order.service_costs, order.insurance_costs)
    stock = []
    for line, units in zip(lines, worths, strict=True):
        key = line.id
        try:
            counted = units_of(
                units, parcels.get(key, ()), held.holds.get(key, {}), terms.return_days, rest_unsent=rest_unsent
            )
            if line.returned or line.refunded:
                counted = besides_shop(counted, line.returned, max(line.refunded - held.refund_of([key]), ZERO))
        except Unclear:
            counted = None
        own = bikes.get(key, [])
        free = [bike for bike in own if bike.id not in held.bikes]
        stock.append(LineStock(line, counted, own, held.open.get(key, ""), free))
    outstanding = unpaid(order) - held.set_off_of(order.order_number)
    return OrderStock(order, stock, terms, max(ZERO, outstanding))
