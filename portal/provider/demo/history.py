"""How the orders of the demonstration came to their status: history and parcels tell the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.dates import AMSTERDAM, local_day
from portal.provider.demo.days import Days
from portal.provider.tables.deliveries import DeliveryEventRow
from portal.provider.tables.orders import OrderRow, ShipmentRow
from portal.vocabulary.deliveries import DELIVERIES, DeliveryStatus

_S = DeliveryStatus
_PACKED = (_S.ORDER_BEING_PROCESSED, _S.READY_FOR_TRANSPORT)
_SENT = (*_PACKED, _S.HANDOVER_TO_PARCEL_SERVICE)
_COLLECTED = (*_PACKED, _S.ORDER_READY_FOR_PICKUP)
_ROADS: dict[DeliveryStatus, tuple[DeliveryStatus, ...]] = {
    _S.HANDOVER_TO_PARCEL_SERVICE: _SENT,
    _S.DRIVER_ON_THE_WAY: (*_SENT, _S.DRIVER_ON_THE_WAY),
    _S.ORDER_DELIVERED: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_DELIVERED),
    _S.ORDER_NOT_DELIVERED: (*_SENT, _S.ORDER_NOT_DELIVERED),
    _S.ORDER_REFUSED_AT_DOOR: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.ORDER_REFUSED_AT_DOOR),
    _S.CUSTOMER_NOT_AT_HOME: (*_SENT, _S.DRIVER_ON_THE_WAY, _S.CUSTOMER_NOT_AT_HOME),
    _S.ORDER_READY_FOR_PICKUP: _COLLECTED,
    _S.ORDER_PICKED_UP: (*_COLLECTED, _S.ORDER_PICKED_UP),
}
"""The way of a parcel, and of what is collected in a store. Where nothing was sent the shortest way serves."""
_TRIED = (_S.ORDER_NOT_DELIVERED, _S.ORDER_REFUSED_AT_DOOR, _S.CUSTOMER_NOT_AT_HOME)


async def complete_history(session: AsyncSession, order: OrderRow, days: Days) -> None:
    """Tell anew how an order came to its status, a step at a time, since it was placed."""
    if order.delivery_status is None:
        return
    made_up = (col(DeliveryEventRow.order_id) == order.id, col(DeliveryEventRow.key).startswith("demo-"))
    await session.exec(delete(DeliveryEventRow).where(*made_up))
    parcels = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    parcel = (await session.exec(parcels)).first()
    for place, (status, moment) in enumerate(told(order, order.delivery_status, parcel, days)):
        key = f"demo-{order.order_number}-{place}"
        session.add(DeliveryEventRow(order_id=order.id or 0, status=status, key=key, happened_at=moment))


def told(
    order: OrderRow, reached: DeliveryStatus, parcel: ShipmentRow | None, days: Days
) -> Iterator[tuple[DeliveryStatus, datetime]]:
    """The steps of an order with their moments (UTC), the first one first.

    Args:
        order: what was ordered.
        reached: its status.
        parcel: the first one, when anything was sent.
        days: today and what lies around it.
    """
    way = _ROADS.get(reached) or DELIVERIES.way(reached)
    known = {reached: days.moment(1, 8), **_of_parcel(parcel, days)}
    before = local_day(order.ordered_at)
    yield way[0], order.ordered_at
    for place, status in enumerate(way[1:], 1):
        if status not in known:
            # What nobody noted lies halfway to the next step that is known.
            after = next(local_day(known[step]) for step in way[place:] if step in known)
            known[status] = _noon(before + (after - before) / 2)
        before = local_day(known[status])
        yield status, known[status]


def _of_parcel(parcel: ShipmentRow | None, days: Days) -> dict[DeliveryStatus, datetime]:
    """When what happened with a parcel. It was tried to deliver yesterday, unless it has arrived."""
    if parcel is None or parcel.shipped_at is None:
        return {}
    tried = parcel.delivered_at or days.moment(1, 11, 40)
    return {
        _S.HANDOVER_TO_PARCEL_SERVICE: parcel.shipped_at,
        _S.ORDER_READY_FOR_PICKUP: _noon(local_day(parcel.shipped_at) + timedelta(days=1)),
        _S.DRIVER_ON_THE_WAY: tried - timedelta(hours=3),
        **dict.fromkeys((*_TRIED, _S.ORDER_DELIVERED, _S.ORDER_PICKED_UP), tried),
    }


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), AMSTERDAM).astimezone(UTC)
