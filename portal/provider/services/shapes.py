"""Rows as what travels."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from portal.contract.account import Customer, CustomerAddress
from portal.contract.base import Locale
from portal.contract.bikes import Bike, BikeSummary, ServiceRequest
from portal.contract.orders import InvoiceSummary, NamedAddress, OrderLine, OrderSummary, Shipment
from portal.domain.address import address_parts
from portal.domain.dates import add_years, local_day
from portal.provider.confirmations.spoken import spoken
from portal.provider.repositories.bikes import BikeRequest, OwnedBike
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.columns import ZERO
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.invoices import InvoiceRow
from portal.provider.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentRow
from portal.vocabulary.orders import InvoiceStatus
from portal.vocabulary.orders import ItemKind as Kind
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER

SHOWN_ITEMS = 3
"""Lines of an order that its entry in the list names."""


def customer(row: CustomerRow) -> Customer:
    """The customer, with the address."""
    return Customer(
        first_name=row.first_name,
        prefix=row.prefix,
        last_name=row.last_name,
        email=row.email,
        address=CustomerAddress(**address_parts(row), country_code=row.country_code, phone=row.phone),
    )


def order_summary(row: OrderRow, items: list[tuple[str, Kind]]) -> OrderSummary:
    """An order in the list."""
    shown = items[:SHOWN_ITEMS]
    return OrderSummary(
        order_number=row.order_number,
        order_date=local_day(row.ordered_at),
        total=row.total,
        delivery_status=row.delivery_status,
        payment_status=row.payment_status,
        names=[name for name, _ in shown],
        kinds=[kind for _, kind in shown],
        more=len(items) - len(shown),
    )


def order_line(row: OrderLineRow, bike_id: str | None) -> OrderLine:
    """One line of an order."""
    return OrderLine(
        name=row.name,
        sku=row.sku,
        kind=row.kind,
        item_color=row.item_color,
        frame_size=row.frame_size,
        battery=row.battery,
        quantity=row.quantity,
        unit_price=row.unit_price,
        price=row.price,
        bike_id=bike_id,
    )


def named_address(row: OrderAddressRow) -> NamedAddress:
    """An address on an order."""
    return NamedAddress(name=row.name, **address_parts(row), country_code=row.country_code)


def shipment(row: ShipmentRow) -> Shipment:
    """One parcel. Only an https address becomes a link, whatever a carrier's feed says."""
    return Shipment(
        carrier=row.carrier,
        tracking_code=row.tracking_code,
        tracking_url=row.tracking_url if row.tracking_url.startswith("https://") else "",
        shipped_at=row.shipped_at,
        delivered_at=row.delivered_at,
    )


def invoice_summary(row: InvoiceRow, order_number: str) -> InvoiceSummary:
    """An invoice in a list."""
    return InvoiceSummary(
        invoice_id=row.public_id,
        number=row.number,
        order_number=order_number,
        invoice_date=row.invoice_date,
        expire_date=row.expire_date,
        status=row.status,
        total=row.total,
        due=due(row),
    )


def due(row: InvoiceRow) -> Decimal:
    """What is still to be paid; nothing on a cancelled invoice."""
    return ZERO if row.status is InvoiceStatus.CANCELLED else row.total - row.paid


def warranty_until(row: BikeRow, ordered_on: date, years: int) -> date:
    """The last day of the warranty: as granted, else so many years from delivery, or from the order before that."""
    return row.warranty_until or add_years(row.delivered_on or ordered_on, years)


def bike_summary(owned: OwnedBike, *, day: date, warranty_years: int) -> BikeSummary:
    """A bike card, on `day` (Europe/Amsterdam)."""
    row, ordered_on = owned.bike, local_day(owned.order.ordered_at)
    until = warranty_until(row, ordered_on, warranty_years)
    return BikeSummary(
        bike_id=row.public_id,
        name=row.name,
        brand=row.brand,
        kind=row.kind,
        color=row.color,
        color_code=row.color_code,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=ordered_on,
        warranty_until=until,
        warranty_expired=until < day,
        open_request=owned.open_request,
    )


def bike(owned: OwnedBike, *, day: date, warranty_years: int) -> Bike:
    """Everything about a bike but its pin code, of which only the existence is told."""
    row = owned.bike
    keys = [row.key_number_1, row.key_number_2, row.key_number_3]
    return Bike(
        **bike_summary(owned, day=day, warranty_years=warranty_years).model_dump(),
        size=row.size,
        engine_brand=row.engine_brand,
        engine_system=row.engine_system,
        battery_number=row.battery_number,
        imei_number=row.imei_number,
        key_numbers=[key for key in keys if key],
        service_card=row.service_card,
        service_package=row.service_package,
        insurance=row.insurance,
        policy_number=row.policy_number,
        insurance_start=row.insurance_start,
        mileage=row.mileage,
        mileage_at=row.mileage_at,
        has_pin_code=bool(row.pin_code),
    )


def service_request(entry: BikeRequest, locale: Locale) -> ServiceRequest:
    """A request in the list, for a reader of this language."""
    row, partner = entry.request, entry.partner
    title, description = spoken(row, locale)
    return ServiceRequest(
        reference=row.reference,
        kind=row.kind,
        status=row.status,
        title=title,
        description=description,
        planned_date=row.planned_date,
        created_at=row.created_at,
        closed=row.status in CLOSED_WORK_ORDER,
        bike_id=entry.bike.public_id,
        bike_name=entry.bike.name,
        partner_name=partner.name if partner else "",
        partner_phone=partner.phone if partner else "",
    )
