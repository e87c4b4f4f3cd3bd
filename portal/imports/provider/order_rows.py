"""How orders and invoices become rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.imports.provider.kind import Columns, Reference, Rows, Stored, execute
from portal.imports.rules.records import (
    InvoiceRecord,
    OrderRecord,
)
from portal.tables.deliveries import DeliveryEventRow
from portal.tables.orders import (
    AddressRole,
    OrderLineRow,
    OrderRow,
    ShipmentLineRow,
    ShipmentRow,
)
from portal.vocabulary.actions import BIKE_ORDER_FEATURES, PARCEL_ORDER_FEATURES, Topic
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
        "refunded": record.paid if record.payment_status is PaymentStatus.REFUNDED else record.refunded,
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
    for entry in stored:
        if not entry.changes:
            continue
        status = entry.changes.get("delivery_status")
        if status is not None:
            row = {"order_id": entry.row_id, "status": status, "happened_at": moment}
            await execute(session, insert(DeliveryEventRow).values(row))
        await live.publish(session, entry.customer_id, Topic.DELIVERIES, moment)


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
