"""What the introductions of the return flows show: what cannot be returned, and where the right of withdrawal holds.

An order that came in one shipment and of which no unit is in a return needs no look at its lines: all of them can be
returned on a day, or none. Only other orders are read line by line, so a fleet waits no longer than anybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import and_, case, col, func, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.sessions import Owner
from portal.backend.shops import term_book
from portal.kernel.days import local_day, now
from portal.kernel.terms import ShopTerms
from portal.orders.rules import return_until
from portal.pictures.provider.lookup import pictures_of_lines
from portal.returns.flow.accessories import ACCESSORIES
from portal.returns.flow.items import (
    BIKE_ITEMS,
    CLOSED,
    FITS,
    ITEMS,
    MOST_OFFERED,
    OFFERED,
    OTHER_ITEMS,
    nothing_left,
)
from portal.returns.flow.order_return import ORDERS
from portal.returns.flow.returns import RETURN
from portal.returns.provider.entries import MOST_REFUSED, LineFilter, item_entries, line_refusal, order_entries
from portal.returns.provider.stock import LineStock, OrderStock, StockQueries
from portal.returns.rules.units import can_withdraw, withdrawal_until
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.returns import ReturnUnitRow
from portal.vocabulary.orders import ItemKind


@dataclass(frozen=True, slots=True)
class LineCounts:
    """How many lines an order has.

    Attributes:
        all: without those whose quantity is zero.
    """

    all: int = 0
    bikes: int = 0
    parts: int = 0


def bikes_and_parts(line: LineStock) -> bool:
    """Whether a line is a bike, a battery, or part of a set that was sold with a bike."""
    return line.is_bike or line.has_battery or bool(line.row.bundle)


def accessories(line: LineStock) -> bool:
    return not line.is_bike


def everything(_line: LineStock) -> bool:
    return True


_COUNTED: dict[LineFilter, Callable[[LineCounts], int]] = {
    bikes_and_parts: lambda counts: counts.parts,
    accessories: lambda counts: counts.all - counts.bikes,
    everything: lambda counts: counts.all,
}
"""How many lines each filter accepts."""

_IS_BIKE = col(OrderLineRow.kind) != ItemKind.ACCESSORY
_IS_PART = or_(_IS_BIKE, col(OrderLineRow.battery) != "", func.coalesce(OrderLineRow.bundle, "") != "")


@dataclass(frozen=True, slots=True)
class _Outline:
    """An order without its lines.

    Attributes:
        number: order number.
        ordered_on: local day of the order.
        until: the last day on which its lines can be returned, if they are alike; `None` until it is shipped.
        withdraw_until: the last day of the right of withdrawal, if they are alike; `None` until it is delivered.
    """

    key: int
    number: str
    ordered_on: date
    counts: LineCounts
    alike: bool
    until: date | None
    withdraw_until: date | None

    def is_free(self, day: date) -> bool:
        """Whether all lines can be returned, as far as that is known without them."""
        return self.alike and self.until is not None and day <= self.until


async def introduction(
    session: AsyncSession,
    owner: Owner,
    line_filter: LineFilter,
    moment: datetime | None = None,
    elsewhere: str = "",
) -> dict[str, Any]:
    """The facts of the introduction of a return flow."""
    moment = moment or now()
    day, count = local_day(moment), _COUNTED[line_filter]
    outlines = await _outlines(session, owner.customer_id, moment)
    free = [outline for outline in outlines if outline.is_free(day)]
    offered = [outline for outline in free if count(outline.counts)]
    decisive = _to_read(outlines, day, count)
    shown = _first(free, count, elsewhere=bool(elsewhere))
    every = await StockQueries(session, owner.customer_id, moment).some([*decisive, *shown])
    stock = [order for order in every if order.row.id in decisive]
    lines = [line.row.id for order in every for line in order.lines]
    found = await pictures_of_lines(session, owner.customer_id, lines) if lines else {}
    items = item_entries(stock, day, line_filter, found)
    numbers = {entry["order"] for entry in items}
    closed = None if offered else nothing_left({ITEMS: items})
    orders = {
        **{entry["id"]: entry for entry in order_entries((order for order in stock if _number(order) in numbers), day)},
        **{outline.number: _entry(outline) for outline in offered if can_withdraw(outline.withdraw_until, day)},
    }
    return {
        CLOSED: closed.value if closed else "",
        ITEMS: [entry for entry in items if entry["refusal"]],
        OFFERED: _offered(item_entries(every, day, line_filter, found)),
        OTHER_ITEMS: [
            {**entry, "flow": elsewhere}
            for entry in _offered(item_entries(every, day, lambda line: not line_filter(line), found))
            if elsewhere
        ],
        ORDERS: [orders[outline.number] for outline in outlines if outline.number in orders],
        FITS: _fits(outlines, stock, day),
        BIKE_ITEMS: {
            **await _items_of_bikes(session, owner.customer_id, [outline.key for outline in offered]),
            **{entry["bike_id"]: entry["id"] for entry in items if entry["bike_id"]},
        },
    }


def _to_read(outlines: Sequence[_Outline], day: date, count: Callable[[LineCounts], int]) -> list[int]:
    """Keys of the orders whose lines have to be looked at.

    Of orders that cannot be returned at all, so many as fill the list of what cannot be returned.
    """
    keys, refused = [], 0
    for outline in outlines:
        if outline.alike and (outline.is_free(day) or refused >= MOST_REFUSED):
            continue
        keys.append(outline.key)
        refused += count(outline.counts) if outline.alike else 0
    return keys


def _first(free: Iterable[_Outline], count: Callable[[LineCounts], int], *, elsewhere: bool) -> list[int]:
    """Keys of the newest orders that can be returned, as many as fill the lists of what is offered."""
    keys, items, others = [], 0, 0 if elsewhere else MOST_OFFERED
    for outline in free:
        wanted = count(outline.counts)
        if (items < MOST_OFFERED and wanted) or (others < MOST_OFFERED and outline.counts.all > wanted):
            keys.append(outline.key)
        items += wanted
        others += outline.counts.all - wanted
    return keys


def _offered(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in items if not entry["refusal"]][:MOST_OFFERED]


def _number(order: OrderStock) -> str:
    return order.row.order_number


def _entry(outline: _Outline) -> dict[str, Any]:
    """An order that can be withdrawn from, as `order_entries` has it."""
    until = outline.withdraw_until
    return {
        "id": outline.number,
        "refusal": "",
        "day": outline.ordered_on.isoformat(),
        "withdraw_until": until.isoformat() if until else "",
        "withdrawable": True,
    }


def _fits(outlines: Sequence[_Outline], stock: Iterable[OrderStock], day: date) -> dict[str, str]:
    """For each order, and under '' for all, the flow for what can be returned of it.

    If nothing can, it is the one that gives the reason.
    """
    read = {_number(order): order for order in stock}
    every, returnable = {}, {}
    for outline in outlines:
        order = read.get(outline.number)
        every[outline.number] = outline.counts
        if order is None:
            returnable[outline.number] = outline.counts if outline.is_free(day) else LineCounts()
        else:
            free = [line for line in order.lines if line_refusal(order, line, day) is None]
            returnable[outline.number] = LineCounts(len(free), parts=sum(bikes_and_parts(line) for line in free))
    return {
        "": _fitting(_sum(every.values()), _sum(returnable.values())),
        **{number: _fitting(counts, returnable[number]) for number, counts in every.items()},
    }


def _sum(counts: Iterable[LineCounts]) -> LineCounts:
    known = list(counts)
    return LineCounts(sum(entry.all for entry in known), parts=sum(entry.parts for entry in known))


def _fitting(every: LineCounts, returnable: LineCounts) -> str:
    free = returnable if returnable.all else every
    return ACCESSORIES.name if free.all and not free.parts else RETURN.name


async def _outlines(session: AsyncSession, customer_id: int, moment: datetime) -> list[_Outline]:
    orders = await StockQueries(session, customer_id, moment).orders()
    if not orders:
        return []
    keys = [key for key, _, _ in orders]
    counts = await _line_counts(session, customer_id, keys)
    shipments = await _single_shipments(session, customer_id, keys)
    held = await _held(session, customer_id, keys)
    book, day = await term_book(session, customer_id), local_day(moment)
    return [
        _outline(
            (key, number, ordered_on),
            counts.get(key, LineCounts()),
            shipments.get(key),
            book.since(ordered_on, day),
            alike=key in shipments and key not in held,
        )
        for key, number, ordered_on in orders
    ]


def _outline(
    order: tuple[int, str, date],
    counts: LineCounts,
    shipment: tuple[datetime | None, datetime | None] | None,
    terms: ShopTerms,
    *,
    alike: bool,
) -> _Outline:
    shipped_at, delivered_at = shipment or (None, None)
    return _Outline(
        *order,
        counts=counts,
        alike=alike,
        until=return_until(shipped_at, terms.return_days) if shipped_at else None,
        withdraw_until=withdrawal_until([delivered_at], terms.withdrawal_days),
    )


def _of(customer_id: int, keys: Sequence[int]) -> ColumnElement[bool]:
    return and_(col(OrderRow.customer_id) == customer_id, col(OrderRow.id).in_(keys))


async def _line_counts(session: AsyncSession, customer_id: int, keys: Sequence[int]) -> dict[int, LineCounts]:
    query = (
        select(
            OrderLineRow.order_id,
            func.count(),
            func.sum(case((_IS_BIKE, 1), else_=0)),
            func.sum(case((_IS_PART, 1), else_=0)),
        )
        .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
        .where(_of(customer_id, keys), OrderLineRow.quantity > 0)
        .group_by(col(OrderLineRow.order_id))
    )
    return {key: LineCounts(every, bikes, parts) for key, every, bikes, parts in await session.exec(query)}


async def _single_shipments(
    session: AsyncSession, customer_id: int, keys: Sequence[int]
) -> dict[int, tuple[datetime | None, datetime | None]]:
    """When orders that have one shipment with all of their lines were shipped and delivered, by key of the order."""
    query = (
        select(ShipmentRow.order_id, func.max(ShipmentRow.shipped_at), func.max(ShipmentRow.delivered_at))
        .join(OrderRow, col(OrderRow.id) == ShipmentRow.order_id)
        .join(ShipmentLineRow, col(ShipmentLineRow.shipment_id) == ShipmentRow.id, isouter=True)
        .where(_of(customer_id, keys))
        .group_by(col(ShipmentRow.order_id))
        .having(func.count() == 1, func.count(col(ShipmentLineRow.id)) == 0)
    )
    return {key: (shipped_at, delivered_at) for key, shipped_at, delivered_at in await session.exec(query)}


async def _held(session: AsyncSession, customer_id: int, keys: Sequence[int]) -> set[int]:
    """Keys of the orders of which a unit is or was in a return that has not released it."""
    query = (
        select(OrderLineRow.order_id)
        .join(ReturnUnitRow, col(ReturnUnitRow.order_line_id) == OrderLineRow.id)
        .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
        .where(_of(customer_id, keys), col(ReturnUnitRow.released_at).is_(None))
        .distinct()
    )
    return set(await session.exec(query))


async def _items_of_bikes(session: AsyncSession, customer_id: int, keys: Sequence[int]) -> dict[str, str]:
    """The items of the bikes of these orders, by id of the bike; a link may name the bike."""
    if not keys:
        return {}
    query = (
        select(BikeRow.public_id, OrderRow.order_number, OrderLineRow.position)
        .join(OrderLineRow, col(OrderLineRow.id) == BikeRow.order_line_id)
        .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
        .where(_of(customer_id, keys), BikeRow.customer_id == customer_id, OrderLineRow.quantity > 0)
    )
    return {bike: f"{number}-{position}" for bike, number, position in await session.exec(query)}
