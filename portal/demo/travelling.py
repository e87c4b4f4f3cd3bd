"""How the orders of the demonstration shop travel: histories, and what is in each parcel."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.deliveries.rules import next_working_day
from portal.demo.plans import (
    Days,
    OrderPlan,
    local_moment,
)
from portal.kernel.address import Country
from portal.kernel.days import local_day
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.deliveries import (
    DELIVERIES,
    DeliveryStatus,
)

_S = DeliveryStatus
_PACKED = (_S.ORDER_BEING_PROCESSED, _S.READY_FOR_TRANSPORT)
_SENT = (*_PACKED, _S.HANDOVER_TO_PARCEL_SERVICE)
_COLLECTED = (*_PACKED, _S.ORDER_READY_FOR_PICKUP)

_PATHS_TO: dict[DeliveryStatus, tuple[DeliveryStatus, ...]] = {
    _S.HANDOVER_TO_PARCEL_SERVICE: _SENT,
    _S.DRIVER_ON_THE_WAY: (*_SENT, _S.DRIVER_ON_THE_WAY),
    _S.ORDER_DELIVERED: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_DELIVERED),
    _S.ORDER_NOT_DELIVERED: (*_SENT, _S.ORDER_NOT_DELIVERED),
    _S.ORDER_REFUSED_AT_DOOR: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_REFUSED_AT_DOOR),
    _S.CUSTOMER_NOT_AT_HOME: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.CUSTOMER_NOT_AT_HOME),
    _S.ORDER_READY_FOR_PICKUP: _COLLECTED,
    _S.ORDER_PICKED_UP: (*_COLLECTED, _S.ORDER_PICKED_UP),
}
"""Status paths of parcels and of store pick-ups. Other statuses use the shortest path."""

_TRIED = (_S.ORDER_NOT_DELIVERED, _S.ORDER_REFUSED_AT_DOOR, _S.CUSTOMER_NOT_AT_HOME)


async def complete_history(session: AsyncSession, order: OrderRow, days: Days) -> None:
    """Replace the generated delivery history of an order, from its placement to its current status."""
    if order.delivery_status is None:
        return
    made_up = (col(DeliveryEventRow.order_id) == order.id, col(DeliveryEventRow.key).startswith("demo-"))
    await session.exec(delete(DeliveryEventRow).where(*made_up))
    parcels = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    parcel = (await session.exec(parcels)).first()
    for place, (status, moment) in enumerate(history(order, order.delivery_status, parcel, days)):
        key = f"demo-{order.order_number}-{place}"
        session.add(DeliveryEventRow(order_id=order.id, status=status, key=key, happened_at=moment))


def history(
    order: OrderRow, reached: DeliveryStatus, parcel: ShipmentRow | None, days: Days
) -> Iterator[tuple[DeliveryStatus, datetime]]:
    """The statuses of an order with their times (UTC), oldest first."""
    path = _PATHS_TO.get(reached) or DELIVERIES.path_to(reached)
    country = order.country_code
    known = {reached: local_moment(days.worked(1, country), 8), **_of_parcel(parcel, country, days)}
    before = local_day(order.ordered_at)
    yield path[0], order.ordered_at
    for place, status in enumerate(path[1:], 1):
        if status not in known:
            # A status without a known time gets the midpoint between the previous and the next known one.
            after = next(local_day(known[step]) for step in path[place:] if step in known)
            known[status] = _noon(before + (after - before) / 2)
        before = local_day(known[status])
        yield status, known[status]


def _of_parcel(parcel: ShipmentRow | None, country: Country, days: Days) -> dict[DeliveryStatus, datetime]:
    """The known times of a parcel's statuses. The delivery of an undelivered parcel was tried last working day."""
    if parcel is None or parcel.shipped_at is None:
        return {}
    tried = parcel.delivered_at or local_moment(days.worked(1, country), 11, 40)
    left = local_day(parcel.shipped_at)
    # The store unpacks it the next working day, or in the evening if that is still to come.
    unpacked = next_working_day(left, country)
    ready = _noon(unpacked) if unpacked < days.today else local_moment(left, 18, 30)
    return {
        _S.HANDOVER_TO_PARCEL_SERVICE: parcel.shipped_at,
        _S.ORDER_READY_FOR_PICKUP: min(ready, tried - timedelta(hours=1)) if parcel.delivered_at else ready,
        _S.DRIVER_ON_THE_WAY: tried - timedelta(hours=3),
        **dict.fromkeys((*_TRIED, _S.ORDER_DELIVERED, _S.ORDER_PICKED_UP), tried),
    }


def _noon(day: date) -> datetime:
    return local_moment(day, 12)


Contents = list[tuple[ShipmentRow, OrderLineRow, ShipmentLineRow]]
NOT_SAVED = 0


def contents(plan: OrderPlan, shipments: Sequence[ShipmentRow], lines: Sequence[OrderLineRow]) -> Contents:
    """The lines of each parcel: as planned; else all in a single one, or the first line apart from the others."""
    found: Contents = []
    for place, (parcel, shipment) in enumerate(zip(plan.shipments, shipments, strict=True)):
        chosen = parcel.lines
        if chosen is None:
            only = len(shipments) == 1
            chosen = tuple(
                (line.position, line.quantity)
                for index, line in enumerate(lines)
                if only or (min(index, 1) == min(place, 1) and place < 2)
            )
        for position, quantity in chosen:
            entry = ShipmentLineRow(shipment_id=NOT_SAVED, order_line_id=NOT_SAVED, quantity=quantity)
            found.append((shipment, lines[position - 1], entry))
    return found
