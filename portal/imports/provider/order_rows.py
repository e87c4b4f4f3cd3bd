"""How orders and invoices become rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.bikes.provider.sold import add_sold_bikes
from portal.deliveries.provider.backoffice import count_as_delivered
from portal.imports.provider.kind import Columns, Reference, Rows, Stored, execute
from portal.imports.rules.records import (
    InvoiceRecord,
    OrderRecord,
)
from portal.tables.columns import ZERO
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import (
    AddressRole,
    OrderLineRow,
    OrderRow,
    ProductRow,
    ShipmentLineRow,
    ShipmentRow,
)
from portal.vocabulary.actions import BIKE_ORDER_FEATURES, PARCEL_ORDER_FEATURES, Topic
from portal.vocabulary.deliveries import FINISHED_DELIVERY
from portal.vocabulary.orders import ItemKind, PaymentStatus


def order_columns(record: OrderRecord, rows: Rows) -> Columns:
    columns = record.model_dump(
        exclude={"external_id", "customer", "lines", "shipping_address", "billing_address", "shipments", "currency"}
    )
    parcel = all(line.kind in (None, ItemKind.ACCESSORY) for line in record.lines)
    usual = PARCEL_ORDER_FEATURES if parcel else BIKE_ORDER_FEATURES
    return {
        **columns,
        "customer_id": rows[Reference("customers", record.customer)].row_id,
        "is_lease": record.lease_reference is not None,
        "features": [feature.value for feature in record.features or usual],
        "subtotal": record.subtotal,
        "adjustments": [
            {"name": entry.name, "name_en": entry.name_en, "amount": f"{entry.amount:.2f}"}
            for entry in record.all_adjustments
        ],
        "total": record.charged,
        "unexplained": record.unexplained,
        "refunded": max(record.refunded, record.paid if record.payment_status is PaymentStatus.REFUNDED else ZERO),
    }


def order_lines(record: OrderRecord) -> list[Columns]:
    return [
        {**line.model_dump(), "kind": line.kind or ItemKind.ACCESSORY, "position": position, "price": line.costs}
        for position, line in enumerate(record.lines, 1)
    ]


def order_addresses(record: OrderRecord) -> list[Columns]:
    shipping = record.shipping_address or record.billing_address
    if shipping is None:
        return []
    billing = record.billing_address or shipping
    return [
        {"role": AddressRole.SHIPPING, **shipping.model_dump()},
        {"role": AddressRole.BILLING, **billing.model_dump()},
    ]


def shipments(record: OrderRecord) -> list[Columns]:
    return [parcel.model_dump(exclude={"lines"}) for parcel in record.shipments]


async def after_orders(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:
    """Store what is in each shipment, and the history of statuses that changed; open pages load them again."""
    with_parts = [entry for entry in stored if any(parcel.lines for parcel in entry.record.shipments)]
    for entry in with_parts:
        await _store_contents(session, entry)
    said = [entry.row_id for entry in stored if "refunded" in (entry.changes or {}) or entry.changes is None]
    await execute(session, update(OrderRow).where(col(OrderRow.id).in_(said)).values(refunded_at=moment))
    await _sold(session, stored)
    sent = [entry.row_id for entry in stored if entry.record.delivery_status not in FINISHED_DELIVERY]
    await count_as_delivered(session, moment, sent)
    for entry in stored:
        if not entry.changes:
            continue
        status = entry.changes.get("delivery_status")
        if status is not None:
            row = {"order_id": entry.row_id, "status": status, "happened_at": moment}
            await execute(session, insert(DeliveryEventRow).values(row))
        await live.publish(session, entry.customer_id, Topic.DELIVERIES, moment)


async def _sold(session: AsyncSession, stored: Sequence[Stored]) -> None:
    """Look up what the shop does not call by a kind, and give customers the bikes that were sent."""
    kinds = await kinds_of_articles(session, [entry.record for entry in stored])
    bikes = {sku: kind for sku, kind in kinds.items() if kind is not ItemKind.ACCESSORY}
    await _name_kinds(session, bikes, [entry.row_id for entry in stored])
    named = {
        entry.row_id for entry in stored if any(line.kind is not ItemKind.ACCESSORY for line in entry.record.lines)
    }
    if named:
        await add_sold_bikes(session, named)


async def kinds_of_articles(session: AsyncSession, records: Sequence[OrderRecord]) -> dict[str, ItemKind]:
    """The kinds of the products that lines without a kind are of, by SKU."""
    unknown = {line.sku for record in records for line in record.lines if line.kind is None}
    if not unknown:
        return {}
    query = select(col(ProductRow.sku), col(ProductRow.kind)).where(col(ProductRow.sku).in_(unknown))
    return {row.sku: row.kind for row in await execute(session, query)}


async def after_products(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    """Orders that came before the product learn that they have a bike."""
    told = [entry.record for entry in stored if entry.changes is None or "kind" in entry.changes]
    bikes = {record.sku: record.kind for record in told if record.kind is not ItemKind.ACCESSORY}
    if orders := await _name_kinds(session, bikes):
        await add_sold_bikes(session, orders)


async def _name_kinds(
    session: AsyncSession, kinds: Mapping[str, ItemKind], among: Sequence[int] | None = None
) -> set[int]:
    """Write into lines of orders that they are bikes, by their SKU. Returns the orders."""
    if not kinds:
        return set()
    lines = select(col(OrderLineRow.id), col(OrderLineRow.order_id), col(OrderLineRow.sku)).where(
        col(OrderLineRow.sku).in_(kinds), col(OrderLineRow.kind) == ItemKind.ACCESSORY
    )
    found = (
        await execute(session, lines if among is None else lines.where(col(OrderLineRow.order_id).in_(among)))
    ).all()
    for line in found:
        change = update(OrderLineRow).where(col(OrderLineRow.id) == line.id).values(kind=kinds[line.sku])
        await execute(session, change)
    orders = {line.order_id for line in found}
    parcels = [feature.value for feature in PARCEL_ORDER_FEATURES]
    usual = select(col(OrderRow.id), col(OrderRow.features)).where(col(OrderRow.id).in_(orders))
    changed = [row.id for row in await execute(session, usual) if row.features == parcels] if orders else []
    if changed:
        features = [feature.value for feature in BIKE_ORDER_FEATURES]
        await execute(session, update(OrderRow).where(col(OrderRow.id).in_(changed)).values(features=features))
    return orders


async def _store_contents(session: AsyncSession, entry: Stored) -> None:
    shipments = (
        await execute(
            session,
            select(col(ShipmentRow.id)).where(col(ShipmentRow.order_id) == entry.row_id).order_by(col(ShipmentRow.id)),
        )
    ).scalars()
    lines = await execute(
        session,
        select(col(OrderLineRow.position), col(OrderLineRow.id)).where(col(OrderLineRow.order_id) == entry.row_id),
    )
    by_position = {row.position: row.id for row in lines}
    for shipment_id, parcel in zip(shipments, entry.record.shipments, strict=False):
        await execute(session, delete(ShipmentLineRow).where(col(ShipmentLineRow.shipment_id) == shipment_id))
        for line in parcel.lines:
            row = {
                "shipment_id": shipment_id,
                "order_line_id": by_position[line.position],
                "quantity": line.quantity,
            }
            await execute(session, insert(ShipmentLineRow).values(row))


def invoice_columns(record: InvoiceRecord, rows: Rows) -> Columns:
    order = rows[Reference("orders", record.order)]
    columns = record.model_dump(exclude={"external_id", "order", "lines", "document"})
    return {
        **columns,
        "order_id": order.row_id,
        "customer_id": order.customer_id,
        "subtotal": record.subtotal,
        "total": record.total,
    }


def invoice_lines(record: InvoiceRecord) -> list[Columns]:
    return [
        {**line.model_dump(), "position": position, "price": line.unit_price * line.quantity}
        for position, line in enumerate(record.lines, 1)
    ]
