"""Bikes that customers have because they bought them: one for each unit that was sent, until a file tells more."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.orders.provider.money import refunded_in_full
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.tables.search import write_search_texts
from portal.vocabulary.deliveries import ARRIVED, DeliveryStatus
from portal.vocabulary.orders import ItemKind


@dataclass(slots=True)
class _Sent:
    """What was sent of an order.

    `known`: by line, the day of delivery of each unit in a parcel whose contents are known.
    `inside`: by line, the number of units in such parcels, sent or not.
    `whole`: the day of delivery of a parcel whose contents are not known, which has the rest.
    """

    known: dict[int, list[date | None]] = field(default_factory=lambda: defaultdict(list))
    inside: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    whole: list[date | None] = field(default_factory=list)

    def days(self, order: OrderRow, line: OrderLineRow) -> list[date | None]:
        """The day of delivery of each unit that was sent and did not come back; None where it is not known."""
        rest = max(0, line.quantity - self.inside[line.id])
        days = [*self.known[line.id]]
        if self.whole:
            days += [self.whole[-1]] * rest
        elif order.delivery_status in ARRIVED:
            days += [None] * (line.quantity - len(days))
        return days[: max(0, line.quantity - line.returned)]


_UNTOLD = BikeRow(customer_id=0, order_id=0, name="", brand="", kind=ItemKind.CITY_BIKE).model_dump(exclude={"id"})
"""What a row has before anything is told of the bike."""


async def add_sold_bikes(session: AsyncSession, orders: Collection[int]) -> None:
    """Give the customers of these orders the bikes that were sent, named by their line, without a frame number."""
    query: Any = (
        select(OrderRow, OrderLineRow)
        .join(OrderLineRow, col(OrderLineRow.order_id) == col(OrderRow.id))
        .where(col(OrderRow.id).in_(orders), col(OrderLineRow.kind) != ItemKind.ACCESSORY)
        .where(col(OrderRow.delivery_status).is_distinct_from(DeliveryStatus.ORDER_CANCELLED))
        .order_by(col(OrderRow.id), col(OrderLineRow.position))
    )
    lines = [(order, line) for order, line in (await session.exec(query)).all() if not refunded_in_full(order)]
    keys = {order.id for order, _ in lines}
    if not keys:
        return
    sent = await _sent(session, {order.id: order for order, _ in lines})
    bikes = select(BikeRow).where(col(BikeRow.order_id).in_(keys)).order_by(col(BikeRow.id))
    there: dict[int, list[BikeRow]] = defaultdict(list)
    spare: dict[tuple[int, ItemKind], list[BikeRow]] = defaultdict(list)
    for bike in await session.exec(bikes):
        if bike.order_line_id:
            there[bike.order_line_id].append(bike)
        else:
            # A file named it, but not its line.
            spare[bike.order_id, bike.kind].append(bike)
    new: list[dict[str, Any]] = []
    for order, line in lines:
        own = there[line.id]
        for place, day in enumerate(sent[order.id].days(order, line)):
            if place < len(own):
                own[place].delivered_on = own[place].delivered_on or day
            elif free := spare[order.id, line.kind]:
                free.pop()
            else:
                new.append({**_UNTOLD, **sold_bike(order, line), "public_id": short_id(), "delivered_on": day})
    await session.flush()
    if new:
        # Past the ORM, which costs as much as the order itself.
        connection = await session.connection()
        await connection.execute(insert(BikeRow), new)
        await connection.run_sync(write_search_texts, [bike["customer_id"] for bike in new])


async def _sent(session: AsyncSession, orders: Mapping[int, OrderRow]) -> dict[int, _Sent]:
    query: Any = (
        select(ShipmentRow, ShipmentLineRow)
        .join(ShipmentLineRow, col(ShipmentLineRow.shipment_id) == col(ShipmentRow.id), isouter=True)
        .where(col(ShipmentRow.order_id).in_(orders))
        .order_by(col(ShipmentRow.id))
    )
    found: dict[int, _Sent] = defaultdict(_Sent)
    for parcel, content in (await session.exec(query)).all():
        of_order = found[parcel.order_id]
        left = parcel.shipped_at or (parcel.status or orders[parcel.order_id].delivery_status) in ARRIVED
        days = [local_day(parcel.delivered_at) if parcel.delivered_at else None] if left else []
        if content is None:
            of_order.whole += days
        else:
            of_order.known[content.order_line_id] += days * content.quantity
            of_order.inside[content.order_line_id] += content.quantity
    return found


def sold_bike(order: OrderRow, line: OrderLineRow) -> dict[str, Any]:
    """What the order says of a bike. Of several bikes it does not say which has the package and the insurance."""
    only = line.quantity == 1
    return {
        "customer_id": order.customer_id,
        "order_id": order.id,
        "order_line_id": line.id,
        "name": line.name,
        "name_en": line.name_en,
        "brand": "",
        "kind": line.kind,
        "color": line.item_color,
        "color_en": line.item_color_en,
        "size": line.frame_size,
        "service_package": order.service_package if only and (line.service_costs or not order.service_costs) else None,
        "insurance": order.insurance if only and (line.insurance_costs or not order.insurance_costs) else "",
    }


def best_match(bikes: Sequence[BikeRow], line: int | None, frame_number: str | None) -> BikeRow | None:
    """The bike that a file means: that of its line and frame number, else one whose number is not known."""
    fitting = [bike for bike in bikes if line is None or bike.order_line_id in (line, None)]
    same = [bike for bike in fitting if frame_number and bike.frame_number == frame_number]
    nameless = [bike for bike in fitting if not bike.frame_number]
    return next(iter((*same, *nameless, *fitting)), None)
