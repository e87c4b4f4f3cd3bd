"""How a record of each kind becomes rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.provider.bike_rows import adopt_bikes, after_bikes, bike_columns
from portal.imports.provider.kind import Child, Columns, Kind, Reference, Rows, Stored, same_columns
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
from portal.imports.rules.records import CustomerRecord, ProductRecord
from portal.kernel.validation import email_key
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DeliveryDayRow, DeliveryPlacesRow
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


def _product(record: ProductRecord, _rows: Rows) -> Columns:
    return record.model_dump(exclude={"external_id", "image"})


def _customer(record: CustomerRecord, rows: Rows) -> Columns:
    return {**same_columns(record, rows), "email_key": email_key(record.email)}


async def _after_customers(session: AsyncSession, stored: Sequence[Stored], moment: datetime) -> None:  # noqa: ARG001 - other kinds need the moment
    # The INSERT of a new customer wrote the text.
    changed = [entry.row_id for entry in stored if entry.changes]
    await (await session.connection()).run_sync(write_search_texts, changed)


_KINDS: Sequence[Kind] = (
    Kind("customers", CustomerRow, _customer, follow={"email": ("email_key",)}, after=_after_customers),
    Kind("products", ProductRow, _product, after=after_products),
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
        adopt=adopt_bikes,
        after=after_bikes,
    ),
    Kind(
        "invoices",
        InvoiceRow,
        invoice_columns,
        references=lambda record: (Reference("orders", record.order),),
        natural=("number",),
        children=(Child("lines", InvoiceLineRow, "invoice_id", "position", invoice_lines),),
    ),
    Kind("locations", PartnerRow),
    Kind("service-products", ServiceProductRow, natural=("shop", "job", "drive", "half_price", "valid_from")),
    Kind("service-packages", PackageTermsRow, natural=("shop", "package", "valid_from")),
    Kind("insurances", InsuranceProductRow, natural=("shop", "insurer", "type", "valid_from")),
    Kind("tariffs", InsuranceTariffRow, natural=("shop", "insurer", "type", "kind", "valid_from")),
    Kind("terms", ShopTermRow, natural=("shop", "term", "valid_from")),
    Kind("delivery-places", DeliveryPlacesRow, natural=("country_code", "weekday", "valid_from")),
    Kind("delivery-days", DeliveryDayRow, natural=("country_code", "day")),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in _KINDS}
"""All kinds by name. A record of a later kind refers to records of earlier ones."""
