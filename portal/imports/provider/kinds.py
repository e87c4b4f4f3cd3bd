"""How a record of each kind becomes rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import CursorResult, Executable, delete, insert, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.imports.rules.records import (
    RECORDS,
    BikeRecord,
    CustomerRecord,
    InsuranceRecord,
    InvoiceRecord,
    OrderRecord,
    ProductRecord,
    ServicePackageRecord,
    ShopRecord,
)
from portal.kernel.validation import email_key, short_id
from portal.tables.bikes import BikeRow
from portal.tables.columns import Table
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DeliveryDayRow, DeliveryEventRow, DeliveryPlacesRow
from portal.tables.insurance import InsuranceProductRow, InsuranceTariffRow, ShopTermRow
from portal.tables.orders import (
    AddressRole,
    InvoiceLineRow,
    InvoiceRow,
    OrderAddressRow,
    OrderLineRow,
    OrderRow,
    PartnerRow,
    ProductRow,
    ShipmentLineRow,
    ShipmentRow,
)
from portal.tables.search import write_search_texts
from portal.tables.work_orders import PackageTermsRow, ServiceProductRow
from portal.vocabulary.actions import BIKE_ORDER_FEATURES, PARCEL_ORDER_FEATURES, Topic
from portal.vocabulary.orders import ItemKind, PaymentStatus

Columns = dict[str, Any]


class Reference(NamedTuple):
    """A record that another one refers to."""

    kind: str
    external_id: str


@dataclass(frozen=True, slots=True)
class RowReference:
    row_id: int
    customer_id: int


Rows = Mapping[Reference, RowReference]


@dataclass(frozen=True, slots=True)
class Child:
    """A list of rows that belong to a record, such as the lines of an order.

    Attributes:
        key: column that identifies a row of one parent; empty for the place in the list.
    """

    name: str
    table: type[Table]
    parent: str
    key: str
    rows: Callable[[Any], list[Columns]]
    contents: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record that was stored.

    Attributes:
        customer_id: the customer it belongs to; 0 if it belongs to none.
        changes: the columns that changed; None if the row is new.
    """

    record: Any
    row_id: int
    customer_id: int
    changes: Columns | None


After = Callable[[AsyncSession, Sequence[Stored], datetime], Awaitable[None]]
"""What is stored after the rows themselves, in the same transaction."""


async def execute(session: AsyncSession, statement: Executable, values: Any = None) -> CursorResult[Any]:
    """Execute a statement without the unit of work of the ORM, which costs more than the statement."""
    return await (await session.connection()).execute(statement, values)


def _no_references(_record: Any) -> tuple[Reference, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record.

    Attributes:
        natural: columns that identify a row besides its primary key. A new record adopts such a row if nothing else
            was imported into it, and is rejected if something was.
        after: what else is stored.
    """

    name: str
    table: type[Table]
    columns: Callable[[Any, Rows], Columns]
    references: Callable[[Any], tuple[Reference, ...]] = _no_references
    generated: Callable[[], Columns] = dict
    natural: tuple[str, ...] = ()
    children: tuple[Child, ...] = ()
    follow: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    after: After | None = None

    @property
    def record(self) -> type[ShopRecord]:
        return RECORDS[self.name]

    @property
    def per_shop(self) -> bool:
        return "shop" in self.natural


def _same(record: ShopRecord, _rows: Rows) -> Columns:
    return record.model_dump(exclude={"external_id"})


def _product(record: ProductRecord, _rows: Rows) -> Columns:
    return record.model_dump(exclude={"external_id", "image"})


def _public_id() -> Columns:
    return {"public_id": short_id()}


def _customer(record: CustomerRecord, rows: Rows) -> Columns:
    return {**_same(record, rows), "email_key": email_key(record.email)}


def _order(record: OrderRecord, rows: Rows) -> Columns:
    columns = record.model_dump(
        exclude={"external_id", "customer", "lines", "shipping_address", "billing_address", "shipments", "features"}
    )
    usual = (
        PARCEL_ORDER_FEATURES if all(line.kind is ItemKind.ACCESSORY for line in record.lines) else BIKE_ORDER_FEATURES
    )
    return {
        **columns,
        "customer_id": rows[Reference("customers", record.customer)].row_id,
        "is_lease": record.lease_reference is not None,
        "features": [feature.value for feature in record.features or usual],
        "subtotal": record.subtotal,
        "total": record.total,
        "refunded": record.paid if record.payment_status is PaymentStatus.REFUNDED else record.refunded,
    }


def _order_lines(record: OrderRecord) -> list[Columns]:
    return [
        {**line.model_dump(), "position": position, "price": line.costs}
        for position, line in enumerate(record.lines, 1)
    ]


def _order_addresses(record: OrderRecord) -> list[Columns]:
    billing = record.billing_address or record.shipping_address
    return [
        {"role": AddressRole.SHIPPING, **record.shipping_address.model_dump()},
        {"role": AddressRole.BILLING, **billing.model_dump()},
    ]


def _shipments(record: OrderRecord) -> list[Columns]:
    return [parcel.model_dump(exclude={"lines"}) for parcel in record.shipments]


async def _after_orders(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:
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


async def _after_customers(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    # The INSERT of a new customer wrote the text.
    await _write_search_texts(session, [entry.row_id for entry in stored if entry.changes])


async def _write_search_texts(session: AsyncSession, keys: Collection[int]) -> None:
    await (await session.connection()).run_sync(write_search_texts, keys)


async def _after_bikes(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    """Connect bikes with the lines of their orders; staff find their customers by them."""
    await _write_search_texts(session, [entry.customer_id for entry in stored if entry.changes != {}])
    for entry in stored:
        if entry.record.position is None:
            continue
        line = (
            select(col(OrderLineRow.id))
            .where(
                col(OrderLineRow.order_id) == col(BikeRow.order_id),
                col(OrderLineRow.position) == entry.record.position,
            )
            .scalar_subquery()
        )
        await execute(session, update(BikeRow).where(col(BikeRow.id) == entry.row_id).values(order_line_id=line))


def _bike(record: BikeRecord, rows: Rows) -> Columns:
    order = rows[Reference("orders", record.order)]
    columns = record.model_dump(exclude={"external_id", "order", "position"})
    return {**columns, "order_id": order.row_id, "customer_id": order.customer_id}


def _invoice(record: InvoiceRecord, rows: Rows) -> Columns:
    order = rows[Reference("orders", record.order)]
    columns = record.model_dump(exclude={"external_id", "order", "lines", "document"})
    return {
        **columns,
        "order_id": order.row_id,
        "customer_id": order.customer_id,
        "subtotal": record.subtotal,
        "total": record.total,
    }


def _package(record: ServicePackageRecord, rows: Rows) -> Columns:
    # Texts, as the lists come back from the database.
    return {
        **_same(record, rows),
        "includes": [entry.value for entry in record.includes],
        "half_price_jobs": [job.value for job in record.half_price_jobs],
    }


def _insurance(record: InsuranceRecord, rows: Rows) -> Columns:
    return {**_same(record, rows), "covers": [cover.value for cover in record.covers]}


def _invoice_lines(record: InvoiceRecord) -> list[Columns]:
    return [
        {**line.model_dump(), "position": position, "price": line.unit_price * line.quantity}
        for position, line in enumerate(record.lines, 1)
    ]


_KINDS: Sequence[Kind] = (
    Kind(
        "customers",
        CustomerRow,
        _customer,
        generated=_public_id,
        follow={"email": ("email_key",)},
        after=_after_customers,
    ),
    Kind("products", ProductRow, _product, generated=_public_id),
    Kind(
        "orders",
        OrderRow,
        _order,
        references=lambda record: (Reference("customers", record.customer),),
        natural=("order_number",),
        children=(
            Child("lines", OrderLineRow, "order_id", "position", _order_lines, contents="order_line_id"),
            Child("addresses", OrderAddressRow, "order_id", "role", _order_addresses),
            Child("shipments", ShipmentRow, "order_id", "", _shipments, contents="shipment_id"),
        ),
        after=_after_orders,
    ),
    Kind(
        "bikes",
        BikeRow,
        _bike,
        references=lambda record: (Reference("orders", record.order),),
        generated=_public_id,
        after=_after_bikes,
    ),
    Kind(
        "invoices",
        InvoiceRow,
        _invoice,
        references=lambda record: (Reference("orders", record.order),),
        generated=_public_id,
        natural=("number",),
        children=(Child("lines", InvoiceLineRow, "invoice_id", "position", _invoice_lines),),
    ),
    Kind("locations", PartnerRow, _same, generated=_public_id),
    Kind("service-products", ServiceProductRow, _same, natural=("shop", "job", "drive", "half_price", "valid_from")),
    Kind("service-packages", PackageTermsRow, _package, natural=("shop", "package", "valid_from")),
    Kind("insurances", InsuranceProductRow, _insurance, natural=("shop", "insurer", "type", "valid_from")),
    Kind("tariffs", InsuranceTariffRow, _same, natural=("shop", "insurer", "type", "kind", "valid_from")),
    Kind("terms", ShopTermRow, _same, natural=("shop", "term", "valid_from")),
    Kind("delivery-places", DeliveryPlacesRow, _same, natural=("country_code", "weekday", "valid_from")),
    Kind("delivery-days", DeliveryDayRow, _same, natural=("country_code", "day")),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in _KINDS}
"""All kinds by name. A record of a later kind refers to records of earlier ones."""
