"""How a record of each kind becomes rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.bikes.provider.sold import best_match, sold_bike
from portal.imports.provider.kind import Child, Columns, Kind, Reference, Rows, Stored, execute
from portal.imports.provider.merging import Imported, plain
from portal.imports.provider.order_rows import (
    after_orders,
    after_products,
    invoice_columns,
    invoice_lines,
    order_addresses,
    order_columns,
    order_lines,
    shipments,
)
from portal.imports.rules.records import (
    BikeRecord,
    CustomerRecord,
    InsuranceRecord,
    ProductRecord,
    ServicePackageRecord,
    ShopRecord,
)
from portal.kernel.validation import email_key, short_id
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DeliveryDayRow, DeliveryPlacesRow
from portal.tables.exchange import ImportedRow
from portal.tables.insurance import InsuranceProductRow, InsuranceTariffRow, ShopTermRow
from portal.tables.orders import (
    InvoiceLineRow,
    InvoiceRow,
    OrderAddressRow,
    OrderLineRow,
    OrderRow,
    PartnerRow,
    ProductRow,
    ShipmentRow,
)
from portal.tables.search import write_search_texts
from portal.tables.work_orders import PackageTermsRow, ServiceProductRow

_OF_SHOP = frozenset({"name", "name_en", "brand", "kind", "color", "color_en", "color_code", "size", "delivered_on"})
"""What only the shop tells of a bike. The rest may be filled in by the customer, or by staff."""


def bike_columns(record: BikeRecord, rows: Rows) -> Columns:
    order = rows[Reference("orders", record.order)]
    columns = record.model_dump(exclude={"external_id", "order", "position"})
    return {**columns, "order_id": order.row_id, "customer_id": order.customer_id}


async def adopt_bikes(session: AsyncSession, records: Sequence[BikeRecord], rows: Rows) -> dict[str, Imported]:
    """The bikes that orders brought, by the external id of the record that completes each."""
    keys = {rows[Reference("orders", record.order)].row_id for record in records}
    named = select(ImportedRow.row_id).where(ImportedRow.kind == "bikes", col(ImportedRow.row_id) == col(BikeRow.id))
    query: Any = (
        select(BikeRow, OrderLineRow, OrderRow)
        .join(OrderRow, col(OrderRow.id) == col(BikeRow.order_id))
        .join(OrderLineRow, col(OrderLineRow.id) == col(BikeRow.order_line_id), isouter=True)
        .where(col(BikeRow.order_id).in_(keys), ~named.exists())
        .order_by(col(BikeRow.id))
    )
    free: dict[int, list[BikeRow]] = defaultdict(list)
    sold: dict[int, Columns] = {}
    for bike, line, order in (await session.exec(query)).all():
        free[bike.order_id].append(bike)
        sold[bike.id] = sold_bike(order, line) if line else {}
    if not free:
        return {}
    positions: Any = select(OrderLineRow.order_id, OrderLineRow.position, OrderLineRow.id).where(
        col(OrderLineRow.order_id).in_(keys)
    )
    lines = {(order, position): key for order, position, key in (await session.exec(positions)).all()}
    found: dict[str, Imported] = {}
    # Those whose frame number is known already choose first.
    for record in sorted(records, key=lambda record: not record.frame_number):
        order = rows[Reference("orders", record.order)].row_id
        of_kind = [bike for bike in free[order] if record.position or bike.kind == record.kind]
        line = lines.get((order, record.position or 0)) if record.position else None
        if record.position and line is None:
            continue
        if bike := best_match(of_kind, line, record.frame_number):
            free[order].remove(bike)
            found[record.external_id] = Imported(None, bike.id, "adopted", _as_sold(bike, sold[bike.id]))
    return found


def _as_sold(bike: BikeRow, sold: Columns) -> Columns:
    """The columns as the order told them, so that what the customer or staff filled in since then stays."""
    empty = BikeRow(customer_id=0, order_id=0, name="", brand="", kind=bike.kind)
    values = {**empty.model_dump(), **sold}
    return plain({**values, **{name: getattr(bike, name) for name in (*_OF_SHOP, "order_id", "customer_id")}})


async def after_bikes(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    """Connect bikes with the lines of their orders; staff find their customers by them."""
    changed = [entry.customer_id for entry in stored if entry.changes != {}]
    await (await session.connection()).run_sync(write_search_texts, changed)
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


def _same(record: ShopRecord, _rows: Rows) -> Columns:
    return record.model_dump(exclude={"external_id"})


def _product(record: ProductRecord, _rows: Rows) -> Columns:
    return record.model_dump(exclude={"external_id", "image"})


def _public_id() -> Columns:
    return {"public_id": short_id()}


def _customer(record: CustomerRecord, rows: Rows) -> Columns:
    return {**_same(record, rows), "email_key": email_key(record.email)}


async def _after_customers(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    # The INSERT of a new customer wrote the text.
    changed = [entry.row_id for entry in stored if entry.changes]
    await (await session.connection()).run_sync(write_search_texts, changed)


def _package(record: ServicePackageRecord, rows: Rows) -> Columns:
    # Texts, as the lists come back from the database.
    return {
        **_same(record, rows),
        "includes": [entry.value for entry in record.includes],
        "half_price_jobs": [job.value for job in record.half_price_jobs],
    }


def _insurance(record: InsuranceRecord, rows: Rows) -> Columns:
    return {**_same(record, rows), "covers": [cover.value for cover in record.covers]}


_KINDS: Sequence[Kind] = (
    Kind(
        "customers",
        CustomerRow,
        _customer,
        generated=_public_id,
        follow={"email": ("email_key",)},
        after=_after_customers,
    ),
    Kind("products", ProductRow, _product, generated=_public_id, after=after_products),
    Kind(
        "orders",
        OrderRow,
        order_columns,
        references=lambda record: (Reference("customers", record.customer),),
        natural=("order_number",),
        children=(
            Child("lines", OrderLineRow, "order_id", "position", order_lines, contents="order_line_id"),
            Child("addresses", OrderAddressRow, "order_id", "role", order_addresses),
            Child("shipments", ShipmentRow, "order_id", "", shipments, contents="shipment_id"),
        ),
        after=after_orders,
    ),
    Kind(
        "bikes",
        BikeRow,
        bike_columns,
        references=lambda record: (Reference("orders", record.order),),
        generated=_public_id,
        adopt=adopt_bikes,
        after=after_bikes,
    ),
    Kind(
        "invoices",
        InvoiceRow,
        invoice_columns,
        references=lambda record: (Reference("orders", record.order),),
        generated=_public_id,
        natural=("number",),
        children=(Child("lines", InvoiceLineRow, "invoice_id", "position", invoice_lines),),
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
