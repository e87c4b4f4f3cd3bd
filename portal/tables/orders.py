"""Orders, invoices, products and partners (part-1 §3, part-2 §3)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import JSON, Column, Index, Numeric, UniqueConstraint, text
from sqlmodel import Field

from portal.kernel.address import Country
from portal.kernel.validation import short_id
from portal.tables.columns import ZERO, Cents, EnumText, Table, UtcDateTime
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus
from portal.vocabulary.services import ServicePackage


class AddressRole(StrEnum):
    """What an address on an order is for."""

    SHIPPING = "shipping"
    BILLING = "billing"


class OrderRow(Table, table=True):
    """An order. Amounts in euro including VAT: `subtotal - discount + costs == total`.

    Due is `total - paid - settled`.

    Attributes:
        country_code: the shop it was placed in; another country's customers log in there (part-1 §6).
        is_lease, lease_reference: bought through a lease company; the reference comes from its mail.
        features: values of `vocabulary.actions.Feature` that the retailer has switched on; may be empty (part-1 §6).
        invoiced_at: local day of the first invoice.
        preferred_week: ISO week as the customer chose it, such as '2026-W07'; empty when none was chosen.
        scheduled_from, scheduled_until: local times 'HH:MM' of the planned delivery.
        insurance: name of the insurance bought along, empty when none.
        settled: what came back paid of it: set off by a return, or taken over from what was exchanged for it.
    """

    __tablename__ = "orders"
    __table_args__ = (Index("ix_orders_customer_id_ordered_at", "customer_id", "ordered_at"),)

    id: int | None = Field(default=None, primary_key=True)
    order_number: str = Field(max_length=9, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    is_lease: bool = False
    lease_reference: str | None = Field(default=None, max_length=20, unique=True)
    features: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    ordered_at: datetime = Field(sa_type=UtcDateTime)
    invoiced_at: date | None = None
    delivery_status: DeliveryStatus | None = Field(default=None, sa_column=Column(EnumText(DeliveryStatus)))
    payment_status: PaymentStatus = Field(sa_column=Column(EnumText(PaymentStatus), nullable=False))
    payment_method: str = Field(max_length=60)
    delivery_method: str = Field(max_length=60)
    preferred_week: str = Field(default="", max_length=10)
    scheduled_day: date | None = None
    scheduled_from: str = Field(default="", max_length=5)
    scheduled_until: str = Field(default="", max_length=5)
    service_package: ServicePackage | None = Field(default=None, sa_column=Column(EnumText(ServicePackage)))
    insurance: str = Field(default="", max_length=60)
    subtotal: Decimal = Field(sa_type=Cents)
    discount: Decimal = Field(default=ZERO, sa_type=Cents)
    shipping_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    service_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    insurance_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    total: Decimal = Field(sa_type=Cents)
    paid: Decimal = Field(default=ZERO, sa_type=Cents)
    settled: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})


class OrderLineRow(Table, table=True):
    """One line of an order; `price` is `quantity` times `unit_price`, including VAT.

    `bundle` names the set it was sold in, none for none; each part of a set is a line with a price of its own.
    """

    __tablename__ = "order_lines"
    __table_args__ = (UniqueConstraint("order_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    order_id: int = Field(foreign_key="orders.id")
    position: int
    name: str = Field(max_length=120)
    sku: str = Field(max_length=40)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    item_color: str = Field(default="", max_length=60)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    bundle: str | None = Field(default=None, max_length=120)
    quantity: int = 1
    unit_price: Decimal = Field(sa_type=Cents)
    price: Decimal = Field(sa_type=Cents)


class OrderAddressRow(Table, table=True):
    """An address as it was when the order was placed; later changes of the customer do not touch it."""

    __tablename__ = "order_addresses"
    __table_args__ = (UniqueConstraint("order_id", "role"),)

    id: int | None = Field(default=None, primary_key=True)
    order_id: int = Field(foreign_key="orders.id")
    role: AddressRole = Field(sa_column=Column(EnumText(AddressRole), nullable=False))
    name: str = Field(max_length=180)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))


class ShipmentRow(Table, table=True):
    """One parcel or delivery of an order.

    Attributes:
        status: its own; none when it goes as the order does.
        tracking_url: an https address of the carrier, or empty.
        scheduled_day, scheduled_from, scheduled_until: as of the order; none when it comes with the order.
    """

    __tablename__ = "shipments"

    id: int | None = Field(default=None, primary_key=True)
    order_id: int = Field(foreign_key="orders.id", index=True)
    carrier: str = Field(max_length=60)
    tracking_code: str = Field(default="", max_length=60)
    tracking_url: str = Field(default="", max_length=500)
    shipped_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    delivered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    status: DeliveryStatus | None = Field(default=None, sa_column=Column(EnumText(DeliveryStatus)))
    scheduled_day: date | None = None
    scheduled_from: str = Field(default="", max_length=5, sa_column_kwargs={"server_default": text("''")})
    scheduled_until: str = Field(default="", max_length=5, sa_column_kwargs={"server_default": text("''")})


class ShipmentLineRow(Table, table=True):
    """So many units of an order line in a shipment. Without any, the only shipment of an order holds all of it."""

    __tablename__ = "shipment_lines"
    __table_args__ = (UniqueConstraint("shipment_id", "order_line_id"),)

    id: int | None = Field(default=None, primary_key=True)
    shipment_id: int = Field(foreign_key="shipments.id")
    order_line_id: int = Field(foreign_key="order_lines.id", index=True)
    quantity: int


class InvoiceRow(Table, table=True):
    """An invoice for an order, or for the part of it that left in one parcel. Amounts in euro including VAT.

    The amounts mean what they mean on the order, for this part of it; the invoices of an order that are not cancelled
    sum to its amounts.
    """

    __tablename__ = "invoices"
    __table_args__ = (Index("ix_invoices_customer_id_invoice_date", "customer_id", "invoice_date"),)

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    number: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    order_id: int = Field(foreign_key="orders.id", index=True)
    invoice_date: date
    expire_date: date
    status: InvoiceStatus = Field(sa_column=Column(EnumText(InvoiceStatus), nullable=False))
    subtotal: Decimal = Field(sa_type=Cents)
    discount: Decimal = Field(default=ZERO, sa_type=Cents)
    shipping_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    service_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    insurance_costs: Decimal = Field(default=ZERO, sa_type=Cents)
    total: Decimal = Field(sa_type=Cents)
    paid: Decimal = Field(default=ZERO, sa_type=Cents)


class InvoiceLineRow(Table, table=True):
    """One line of an invoice, as it was sold. `vat_rate` in percent; prices include it."""

    __tablename__ = "invoice_lines"
    __table_args__ = (UniqueConstraint("invoice_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    invoice_id: int = Field(foreign_key="invoices.id")
    position: int
    name: str = Field(max_length=120)
    item_color: str = Field(default="", max_length=60)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    quantity: int = 1
    unit_price: Decimal = Field(sa_type=Cents)
    price: Decimal = Field(sa_type=Cents)
    vat_rate: Decimal = Field(default=Decimal("21.00"), sa_column=Column(Numeric(5, 2), nullable=False))


class ProductRow(Table, table=True):
    """An article in one colour and size. `stock` counts what can still be promised; `battery` is empty without one."""

    __tablename__ = "products"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    sku: str = Field(max_length=40)
    name: str = Field(max_length=120)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    item_color: str = Field(default="", max_length=60)
    color_code: str = Field(default="#5b6770", max_length=7)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    price: Decimal = Field(sa_type=Cents)
    stock: int = 0
    on_sale: bool = True


class PartnerRow(Table, table=True):
    """A workshop.

    Attributes:
        phone: E.164.
        travel_cost: call-out fee in euro, none when the partner does not come to the customer.
        vacation_from, vacation_until: local days on which it is closed, both included.
        waiting_weeks: lower bound of the waiting time, in whole weeks: 0 means 0-1, 12 means 12-13.
        latitude, longitude: degrees (WGS 84); without them it is never found near anything.
        opening_hours: in the form of `portal.kernel.days.read`; None when unknown.
        customer_rating: 0 to 10 with one decimal, none without ratings.
        closed: it takes no bikes (any more); it is not found, and requests that are with it stay there.
    """

    __tablename__ = "partners"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    name: str = Field(max_length=120)
    location_type: LocationType = Field(sa_column=Column(EnumText(LocationType), nullable=False))
    phone: str = Field(default="", max_length=20)
    email: str = Field(default="", max_length=254)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    latitude: float | None = Field(default=None, index=True)
    longitude: float | None = None
    opening_hours: str | None = Field(default=None, max_length=200)
    travel_cost: Decimal | None = Field(default=None, sa_column=Column(Cents, nullable=True))
    vacation_from: date | None = None
    vacation_until: date | None = None
    recommended: bool = False
    waiting_weeks: int = 0
    closed: bool = False
    customer_rating: Decimal | None = Field(default=None, sa_column=Column(Numeric(3, 1), nullable=True))
