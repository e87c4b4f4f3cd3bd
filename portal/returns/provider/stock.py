"""The stock of a customer: orders, lines and units as the database has them, for returns and withdrawals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.shops import term_book
from portal.kernel.days import local_day
from portal.kernel.terms import ShopTerms
from portal.returns.rules.settlement import ComputedSettlement, Sold, worth_of_units
from portal.returns.rules.units import Hold, Parcel, Unclear, Unit, units_of
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import can_be_called_off
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.returns import DONE, GIVES_BACK, ReturnStatus

MOST_ORDERS = 40
"""Number of orders that are read when none is named, newest first. Older orders are past their last day."""


def has_battery(line: OrderLineRow) -> bool:
    return bool(line.battery) or line.kind is ItemKind.E_BIKE


@dataclass(slots=True)
class LineStock:
    """One order line.

    Attributes:
        units: `None` when more units were shipped than sold (`rules.units.Unclear`).
        open_return: id of an open return that holds a unit; empty without one.
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

    Attributes:
        lines: without lines whose quantity is zero.
    """

    row: OrderRow
    lines: list[LineStock]
    terms: ShopTerms
    outstanding: Decimal = ZERO


@dataclass(slots=True)
class _Held:
    """What returns hold.

    Attributes:
        holds: by key of the order line, the state of its units by unit number.
        open: by key of the order line, the id of an open return.
        set_off: by key of the return, the amount set off by order number; open returns only.
    """

    holds: dict[int, dict[int, Hold]] = field(default_factory=lambda: defaultdict(dict))
    open: dict[int, str] = field(default_factory=dict)
    set_off: dict[int, Mapping[str, Decimal]] = field(default_factory=dict)
    bikes: set[int | None] = field(default_factory=set)

    def set_off_of(self, order_number: str) -> Decimal:
        """The amount that open returns set off against what is unpaid of an order."""
        return sum((orders.get(order_number, ZERO) for orders in self.set_off.values()), ZERO)


class StockQueries:
    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._customer_id = customer_id
        self._now = now

    async def all(self, order_number: str = "") -> list[OrderStock]:
        """The customer's orders, newest first, or only the one with this number; empty when it is not theirs."""
        query = self._newest(select(OrderRow))
        if order_number:
            query = query.where(OrderRow.order_number == order_number)
        return await self._stock_of(list(await self._session.exec(query)))

    async def some(self, keys: Sequence[int]) -> list[OrderStock]:
        """Those of the customer's orders with these primary keys, newest first."""
        if not keys:
            return []
        return await self._stock_of(list(await self._session.exec(self._newest(select(OrderRow), keys))))

    async def orders(self) -> list[tuple[int, str, date]]:
        """Primary key, number and local day of the orders that `all` reads, newest first."""
        query = self._newest(select(OrderRow.id, OrderRow.order_number, OrderRow.ordered_at))
        return [
            (key or 0, number, local_day(ordered_at)) for key, number, ordered_at in await self._session.exec(query)
        ]

    def _newest(self, query: Any, keys: Sequence[int] | None = None) -> Any:
        query = query.where(OrderRow.customer_id == self._customer_id)
        if keys is not None:
            query = query.where(col(OrderRow.id).in_(keys))
        return query.order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc()).limit(MOST_ORDERS)

    async def _stock_of(self, orders: Sequence[OrderRow]) -> list[OrderStock]:
        if not orders:
            return []
        keys = [order.id for order in orders]
        lines = await self._lines(keys)
        parcels = await self._parcels({order.id: order for order in orders}, lines)
        held = await self._held([line.id for entries in lines.values() for line in entries])
        bikes = await self._bikes(keys)
        book, today = await term_book(self._session, self._customer_id), local_day(self._now)
        return [
            _stock(order, lines[order.id], parcels, held, bikes, book.since(local_day(order.ordered_at), today))
            for order in orders
        ]

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
                parcels[entry.order_line_id].append(_parcel(orders[shipment.order_id], shipment, entry.quantity))
        for order_id, shipments in without_lines.items():
            # The contents of these shipments are not recorded. They have all units that are in no other shipment; the
            # latest shipment decides the last day.
            last = max(shipments, key=lambda shipment: (shipment.shipped_at is None, shipment.shipped_at or self._now))
            for line in lines[order_id]:
                rest = line.quantity - sum(parcel.quantity for parcel in parcels.get(line.id, ()))
                if rest > 0:
                    parcels[line.id].append(_parcel(orders[order_id], last, rest))
        return parcels

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
            # A closed return has already lowered the unpaid amount of the order.
            if row.id and row.status not in DONE and row.settlement.get("lines"):
                held.set_off[row.id] = ComputedSettlement.from_json(row.settlement).set_off
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


def _parcel(order: OrderRow, shipment: ShipmentRow, quantity: int) -> Parcel:
    """Units of a line in a shipment, which follows its order if it has no status of its own."""
    status, shipped = shipment.status or order.delivery_status, shipment.shipped_at is not None
    unsent = shipment.delivered_at is None and can_be_called_off(status, shipped=shipped)
    return Parcel(quantity, shipment.shipped_at, shipment.delivered_at, unsent)


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
    worths = worth_of_units(sold, order.discount, order.service_costs, order.insurance_costs)
    stock = []
    for line, units in zip(lines, worths, strict=True):
        key = line.id
        try:
            counted = units_of(
                units, parcels.get(key, ()), held.holds.get(key, {}), terms.return_days, rest_unsent=rest_unsent
            )
        except Unclear:
            counted = None
        own = bikes.get(key, [])
        free = [bike for bike in own if bike.id not in held.bikes]
        stock.append(LineStock(line, counted, own, held.open.get(key, ""), free))
    outstanding = order.total - order.paid - order.settled - held.set_off_of(order.order_number)
    return OrderStock(order, stock, terms, max(ZERO, outstanding))
