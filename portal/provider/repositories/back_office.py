"""Queries of the back office on deliveries, date changes and insurances. They ask for no owner: it serves everybody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.deliveries import DateChangeRow, DeliveryEventRow
from portal.provider.tables.insurances import InsuranceRequestRow
from portal.provider.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow


class FoundOrder(NamedTuple):
    """An order with its customer and its shipments."""

    order: OrderRow
    customer: CustomerRow
    shipments: Sequence[ShipmentRow]


class FoundChange(NamedTuple):
    """A wish for another day, with its order and customer."""

    change: DateChangeRow
    order: OrderRow
    customer: CustomerRow


class FoundInsurance(NamedTuple):
    """An insurance request, with its bike and customer."""

    request: InsuranceRequestRow
    bike: BikeRow
    customer: CustomerRow


async def order(session: AsyncSession, number: str) -> FoundOrder:
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
    return FoundOrder(found[0], found[1], await parts(session, found[0]))


async def parts(session: AsyncSession, order: OrderRow) -> Sequence[ShipmentRow]:
    """The shipments of an order, in the order of their numbers."""
    query = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    return (await session.exec(query)).all()


async def items(session: AsyncSession, found: FoundOrder, shipment: ShipmentRow | None) -> list[str]:
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


async def arrived(session: AsyncSession, found: FoundOrder, shipment: ShipmentRow | None, day: date) -> None:
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


async def date_change(session: AsyncSession, reference: str) -> FoundChange:
    """One wish for another day; nobody else changes it until the end of the transaction. Raises NotFound."""
    query: Any = (
        select(DateChangeRow, OrderRow, CustomerRow)
        .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
        .join(CustomerRow, col(CustomerRow.id) == DateChangeRow.customer_id)
        .where(DateChangeRow.reference == reference)
        .with_for_update()
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return FoundChange(*found)


async def earlier_places(session: AsyncSession, change: DateChangeRow) -> Sequence[DateChangeRow]:
    """Earlier wishes for the same order that still hold a place."""
    query = select(DateChangeRow).where(
        DateChangeRow.order_id == change.order_id,
        DateChangeRow.id != change.id,
        col(DateChangeRow.holds_place).is_(True),
    )
    return (await session.exec(query)).all()


async def insurance(session: AsyncSession, reference: str) -> FoundInsurance:
    """One insurance request; nobody else changes it until the end of the transaction. Raises NotFound."""
    query: Any = (
        select(InsuranceRequestRow, BikeRow, CustomerRow)
        .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
        .join(CustomerRow, col(CustomerRow.id) == InsuranceRequestRow.customer_id)
        .where(InsuranceRequestRow.reference == reference)
        .with_for_update()
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return FoundInsurance(*found)
