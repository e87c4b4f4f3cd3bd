"""Queries on orders and articles. A page of the list takes seven statements, one order five, whatever the length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import bindparam, func, not_, or_
from sqlalchemy import select as columns
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, Part, find_one, like, part_of
from portal.backend.security import reader
from portal.contract.models import Picture, mapped
from portal.kernel.address import address_parts
from portal.kernel.days import local_day, start_of_day, today
from portal.orders.api import NamedAddress, OrderLine, OrderSelection, OrderSummary, ScheduledDelivery
from portal.orders.rules import ShippingTimes, journeys, unit_price
from portal.pictures.provider.lookup import ArticlePicture, picture_of
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO, Named, UtcDateTime
from portal.tables.orders import (
    AddressRole,
    InvoiceRow,
    OrderAddressRow,
    OrderLineRow,
    OrderRow,
    ProductRow,
    ShipmentLineRow,
    ShipmentRow,
)
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import ALL_DAY, DeliveryStatus, handed_over, names_day
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.returns import DONE, ReturnKind

_EVER = date(1, 1, 2), date(9999, 12, 30)


def days_of(year: int) -> tuple[date, date]:
    """The first day of a year and that of the next; all time if the year is 0."""
    return (date(year, 1, 1), date(min(year + 1, 9999), 1, 1)) if year else _EVER


def moments_of(year: int) -> tuple[datetime, datetime]:
    """The first moment of a local year and that of the next; all time if the year is 0."""
    first, last = days_of(year)
    # The first midnight of all in Amsterdam is before the calendar in UTC.
    first = max(first, _EVER[0])
    return start_of_day(first), start_of_day(last)


async def years_of(session: AsyncSession, column: Any, own: Any) -> list[int]:
    """The years from the newest entry of a customer back to the oldest."""
    query: Any = columns(func.min(column), func.max(column)).where(own)
    days = [local_day(value) if isinstance(value, datetime) else value for value in (await session.exec(query)).one()]
    return list(range(days[1].year, days[0].year - 1, -1)) if days[0] else []


_OWN = (
    select(OrderRow)
    .where(
        OrderRow.customer_id == CUSTOMER,
        col(OrderRow.ordered_at) >= bindparam("first", type_=UtcDateTime),
        col(OrderRow.ordered_at) < bindparam("last", type_=UtcDateTime),
    )
    .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
)


def _has_line(*conditions: Any) -> Any:
    return select(OrderLineRow.id).where(col(OrderLineRow.order_id) == OrderRow.id, *conditions).exists()


_FOUND = or_(
    func.lower(OrderRow.order_number).like(bindparam("squeezed"), escape="\\"),
    *(
        _has_line(func.lower(column).like(bindparam("pattern"), escape="\\"))
        for column in (OrderLineRow.name, OrderLineRow.name_en)
    ),
)
_WITH_BIKE = _has_line(col(OrderLineRow.kind) != ItemKind.ACCESSORY)
_SELECTED = {
    OrderSelection.ALL: _OWN,
    OrderSelection.BIKES: _OWN.where(_WITH_BIKE),
    OrderSelection.ACCESSORIES: _OWN.where(not_(_WITH_BIKE)),
}
_SEARCHED = {selection: query.where(_FOUND) for selection, query in _SELECTED.items()}

_MINE = OrderRow.customer_id == CUSTOMER, col(OrderRow.id).in_(bindparam("orders", expanding=True))

_ITEMS: Any = (
    columns(
        col(OrderLineRow.order_id),
        col(OrderLineRow.id),
        col(OrderLineRow.name),
        col(OrderLineRow.name_en),
        col(OrderLineRow.kind),
    )
    .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
    .where(*_MINE)
    .order_by(col(OrderLineRow.order_id), col(OrderLineRow.position))
)
_SHIPPED: Any = (
    columns(
        col(ShipmentRow.order_id), col(ShipmentRow.status), col(ShipmentRow.shipped_at), col(ShipmentRow.delivered_at)
    )
    .join(OrderRow, col(OrderRow.id) == ShipmentRow.order_id)
    .where(*_MINE)
)
_INVOICED: Any = (
    columns(col(InvoiceRow.order_id), col(InvoiceRow.public_id))
    .join(OrderRow, col(OrderRow.id) == InvoiceRow.order_id)
    .where(*_MINE)
    .order_by(col(InvoiceRow.invoice_date), col(InvoiceRow.id))
)


@dataclass(frozen=True, slots=True)
class Item(Named):
    """A line of an order in the list: its primary key, names and kind."""

    line: int
    name: str
    name_en: str
    kind: ItemKind


class OrderQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(
        self, page: int, *, text: str = "", year: int = 0, selection: OrderSelection = OrderSelection.ALL
    ) -> Part[OrderRow]:
        text = text.strip()
        first, last = moments_of(year)
        values: dict[str, Any] = {"pattern": like(text), "squeezed": like("".join(text.split()))} if text else {}
        query = (_SEARCHED if text else _SELECTED)[selection]
        return await part_of(
            self._session, query, page, customer_id=self._customer_id, first=first, last=last, **values
        )

    async def years(self) -> list[int]:
        """The local years from the newest order back to the oldest."""
        own = col(OrderRow.customer_id) == self._customer_id
        return await years_of(self._session, col(OrderRow.ordered_at), own)

    async def items(self, orders: Sequence[OrderRow]) -> dict[int, list[Item]]:
        items: dict[int, list[Item]] = defaultdict(list)
        for order_id, *item in await self._session.exec(_ITEMS, params=self._among(orders)):
            items[order_id].append(Item(*item))
        return items

    async def journeys(self, orders: Sequence[OrderRow], now: datetime) -> dict[int, list[ShippingTimes]]:
        """When each part of each order was shipped and delivered, by the key of the order."""
        found: dict[int, list[tuple[DeliveryStatus | None, ShippingTimes]]] = defaultdict(list)
        for order_id, status, shipped, delivered in await self._session.exec(_SHIPPED, params=self._among(orders)):
            found[order_id].append((status, ShippingTimes(shipped, delivered)))
        return {row.id: journeys(row.delivery_status, row.ordered_at, found.get(row.id, ()), now) for row in orders}

    async def newest_invoices(self, orders: Sequence[OrderRow]) -> dict[int, str]:
        """The public id of the newest invoice of each order that has one, by the key of the order."""
        found = await self._session.exec(_INVOICED, params=self._among(orders))
        return {order_id: public_id for order_id, public_id in found}

    async def get(self, order_number: str) -> OrderRow:
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.order_number == order_number)
        return await find_one(self._session, query)

    async def lines(self, order: OrderRow) -> list[tuple[OrderLineRow, str | None]]:
        """The lines of an order, each with the public id of its first bike, if any."""
        query = (
            select(OrderLineRow, BikeRow.public_id)
            .join(
                BikeRow,
                (col(BikeRow.order_line_id) == OrderLineRow.id) & (col(BikeRow.customer_id) == self._customer_id),
                isouter=True,
            )
            .where(col(OrderLineRow.order_id).in_(self._own(order)))
            .order_by(col(OrderLineRow.position), col(BikeRow.id))
        )
        lines: dict[int, tuple[OrderLineRow, str | None]] = {}
        for line, bike_id in await self._session.exec(query):
            lines.setdefault(line.position, (line, bike_id))
        return list(lines.values())

    async def refunds(self, order: OrderRow) -> list[tuple[str, Decimal]]:
        """What is or was refunded of an order for what was never sent, with the ids of the returns, oldest first."""
        query = select(ReturnRow).where(
            ReturnRow.customer_id == self._customer_id,
            ReturnRow.order_number == order.order_number,
            col(ReturnRow.status).in_(sorted(DONE)),
            col(ReturnRow.kind).in_((ReturnKind.CANCELLATION, ReturnKind.WITHDRAWAL)),
        )
        rows = (await self._session.exec(query.order_by(col(ReturnRow.id)))).all()
        return [(row.public_id, row.refund_amount or ZERO) for row in rows if (row.statement or {}).get("unsent")]

    async def addresses(self, order: OrderRow) -> dict[AddressRole, OrderAddressRow]:
        query = select(OrderAddressRow).where(col(OrderAddressRow.order_id).in_(self._own(order)))
        return {address.role: address for address in await self._session.exec(query)}

    async def shipments(self, order: OrderRow) -> Sequence[ShipmentRow]:
        """The shipments of an order by date of shipping; those not yet shipped come last."""
        query = (
            select(ShipmentRow)
            .where(col(ShipmentRow.order_id).in_(self._own(order)))
            .order_by(col(ShipmentRow.shipped_at).is_(None), col(ShipmentRow.shipped_at), col(ShipmentRow.id))
        )
        return (await self._session.exec(query)).all()

    async def contents(self, order: OrderRow) -> dict[int, dict[int, int]]:
        query = (
            select(ShipmentLineRow)
            .join(ShipmentRow, col(ShipmentRow.id) == ShipmentLineRow.shipment_id)
            .where(col(ShipmentRow.order_id).in_(self._own(order)))
        )
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for row in await self._session.exec(query):
            found[row.shipment_id][row.order_line_id] = row.quantity
        return found

    def _among(self, orders: Sequence[OrderRow]) -> dict[str, Any]:
        return {"customer_id": self._customer_id, "orders": [order.id for order in orders]}

    def _own(self, order: OrderRow) -> Any:
        """Subquery for the key of the order; empty if it belongs to another customer."""
        return select(OrderRow.id).where(OrderRow.customer_id == self._customer_id, OrderRow.id == order.id)


MAX_OFFERED = 60
"""Maximum number of articles in a list."""


async def on_sale(session: AsyncSession) -> list[ProductRow]:
    """The articles on sale, bikes before accessories, then by name; at most `MAX_OFFERED`."""
    query = (
        select(ProductRow)
        .where(col(ProductRow.on_sale).is_(True))
        .order_by(col(ProductRow.kind) == "accessory", col(ProductRow.name), col(ProductRow.id))
        .limit(MAX_OFFERED)
    )
    return list(await session.exec(query))


async def take(session: AsyncSession, public_id: str) -> ProductRow | None:
    """Reserve one unit of an article, in one statement; None if it is sold out or not on sale."""
    statement = (
        update(ProductRow)
        .where(col(ProductRow.public_id) == public_id, col(ProductRow.on_sale).is_(True), col(ProductRow.stock) > 0)
        .values(stock=ProductRow.stock - 1)
        .returning(ProductRow)
    )
    return (await session.exec(statement)).scalars().first()


async def put_back(session: AsyncSession, public_id: str) -> None:
    await session.exec(
        update(ProductRow).where(col(ProductRow.public_id) == public_id).values(stock=ProductRow.stock + 1)
    )


SHOWN_ITEMS = 3
"""Maximum number of lines that an order in the list names."""


def to_order_summary(
    row: OrderRow, items: list[Item], found: Mapping[int, ArticlePicture], *, returnable: bool, invoice_id: str
) -> OrderSummary:
    shown = items[:SHOWN_ITEMS]
    first = shown[0] if shown else None
    return mapped(
        OrderSummary,
        row,
        order_date=local_day(row.ordered_at),
        names=[item.name_in(reader()) for item in shown],
        kinds=[item.kind for item in shown],
        picture=picture_of(found.get(first.line), first.kind, first.name) if first else Picture(),
        more=len(items) - len(shown),
        movable=not handed_over(row.delivery_status) and bool(delivery_ahead(row.delivery_status, row.scheduled_day)),
        returnable=returnable,
        invoice_id=invoice_id,
    )


def to_order_line(row: OrderLineRow, bike_id: str | None, found: Mapping[int, ArticlePicture]) -> OrderLine:
    return mapped(
        OrderLine,
        row,
        name=row.name_in(reader()),
        item_color=row.color_in(reader()),
        unit_price=unit_price(row.quantity, row.unit_price, row.price),
        bike_id=bike_id,
        picture=line_picture(row, found),
    )


def line_picture(row: OrderLineRow, found: Mapping[int, ArticlePicture]) -> Picture:
    return picture_of(found.get(row.id), row.kind, row.name)


def to_named_address(row: OrderAddressRow) -> NamedAddress:
    return NamedAddress(name=row.name, **address_parts(row), country_code=row.country_code)


def delivery_ahead(status: DeliveryStatus | None, planned: date | None) -> date | None:
    return planned if planned and planned >= today() and names_day(status) else None


def to_scheduled(row: OrderRow | ShipmentRow, status: DeliveryStatus | None) -> ScheduledDelivery | None:
    """Convert the planned day and window; None if no day is ahead. Without hours, we come at any time of the day."""
    day = delivery_ahead(status, row.scheduled_day)
    if day is None:
        return None
    first, last = (f"{moment:%H:%M}" for moment in ALL_DAY)
    return ScheduledDelivery(day=day, from_time=row.scheduled_from or first, until_time=row.scheduled_until or last)
