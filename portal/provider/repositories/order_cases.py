"""Queries of the back office on orders that are delivered. They ask for no owner: it serves everybody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.deliveries import DeliveryEventRow
from portal.provider.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow


class FoundOrder(NamedTuple):
    """An order with its customer and its shipments."""

    order: OrderRow
    customer: CustomerRow
    shipments: Sequence[ShipmentRow]


async def locked_order(session: AsyncSession, number: str) -> FoundOrder:
    """One order; nobody else changes it until the end of the transaction. Raises NotFound."""
    query = (
        select(OrderRow, CustomerRow)
        .join(CustomerRow, col(CustomerRow.id) == OrderRow.customer_id)
        .where(OrderRow.order_number == number)
        .with_for_update()
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return FoundOrder(found[0], found[1], await shipments_of(session, found[0]))


async def shipments_of(session: AsyncSession, order: OrderRow) -> Sequence[ShipmentRow]:
    """The shipments of an order, in the order of their numbers."""
    query = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    return (await session.exec(query)).all()


async def item_names(session: AsyncSession, found: FoundOrder, shipment: ShipmentRow | None) -> list[str]:
    """Names of the lines in a shipment, or of the whole order."""
    query = select(OrderLineRow.name).where(OrderLineRow.order_id == found.order.id)
    if shipment is not None:
        inside = select(ShipmentLineRow.order_line_id).where(ShipmentLineRow.shipment_id == shipment.id)
        names = (await session.exec(query.where(col(OrderLineRow.id).in_(inside)))).all()
        if names:
            return list(names)
    return list((await session.exec(query.order_by(col(OrderLineRow.position)))).all())


async def event_by_key(session: AsyncSession, key: str) -> DeliveryEventRow | None:
    """The event that was made under this key."""
    return (await session.exec(select(DeliveryEventRow).where(DeliveryEventRow.key == key))).one_or_none()


async def mark_arrived(session: AsyncSession, found: FoundOrder, shipment: ShipmentRow | None, day: date) -> None:
    """The bikes of an order, or of one shipment of it, are with the customer: the warranty begins."""
    statement = update(BikeRow).where(
        col(BikeRow.order_id) == found.order.id,
        col(BikeRow.customer_id) == found.order.customer_id,
        col(BikeRow.delivered_on).is_(None),
    )
    if shipment is not None:
        inside = select(ShipmentLineRow.order_line_id).where(ShipmentLineRow.shipment_id == shipment.id)
        if (await session.exec(inside)).first() is not None:
            statement = statement.where(col(BikeRow.order_line_id).in_(inside))
    await session.exec(statement.values(delivered_on=day).execution_options(synchronize_session=False))
