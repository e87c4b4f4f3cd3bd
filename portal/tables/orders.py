"""Orders, invoices, products and partners (part-1 §3, part-2 §3)."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import JSON, Column, Index, Numeric, UniqueConstraint, text
from sqlmodel import Field

from portal.kernel.address import Country
from portal.kernel.texts import Locale
from portal.kernel.validation import short_id
from portal.tables.columns import ZERO, Cents, EnumText, InColor, JsonObject, Keyed, Named, UtcDateTime, in_language
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus
from portal.vocabulary.services import ServicePackage


class AddressRole(StrEnum):
    SHIPPING = "shipping"
    BILLING = "billing"


class OrderRow(Keyed, table=True):
    """An order. Amounts in euro including VAT: `subtotal - discount + costs + adjustments + unexplained == total`.

    What of it is still to be paid, `portal.orders.provider.money` says.

    `country_code`: country of the shop that sold it, which is also where its customer logs in (part-1 §6).
    `is_lease`, `lease_reference`: whether it was bought through a lease company, and the reference in that company's
    mail.
    `payment_reference`: by which the payment provider finds the payment; empty if unknown.
    `features`: values of `vocabulary.actions.Feature` that the retailer switched on; may be empty (part-1 §6).
    `invoiced_at`: local day of the first invoice.
    `preferred_week`: ISO week that the customer chose, such as '2026-W07'; empty when none was chosen.
    `scheduled_from`, `scheduled_until`: local times 'HH:MM' of the planned delivery.
    `insurance`: name of the insurance bought with the order; empty for none.
    `adjustments`: what it costs more or less besides, such as a surcharge or a trade-in: `name`, `name_en`, `amount`.
    `unexplained`: by how much the total of the shop is more than its parts; zero if the order adds up.
    `settled`: amount settled otherwise than by payment: by a return, or by the value of an exchanged item.
    `refunded`: amount that the shop refunded by its own account, refunds of returns included; `refunded_at` is when it
    last said so.
    """

    __tablename__ = "orders"
    __table_args__ = (Index("ix_orders_customer_id_ordered_at", "customer_id", "ordered_at"),)

    order_number: str = Field(max_length=20, unique=True)
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
    payment_reference: str = Field(default="", max_length=100, sa_column_kwargs={"server_default": text("''")})
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
    adjustments: list[dict[str, str]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    total: Decimal = Field(sa_type=Cents)
    unexplained: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})
    paid: Decimal = Field(default=ZERO, sa_type=Cents)
    settled: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})
    refunded: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})
    refunded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class OrderLineRow(Named, InColor, Keyed, table=True):
    """One line of an order. `price` is that of all its units, including VAT; `unit_price` may be rounded.

    `bundle`: the set it was sold in, if any. Each part of a set is a line with its own price.
    `service_costs`, `insurance_costs`: part of the costs of the order that belongs to the bikes of this line. If all
    lines of an order have zero, its bikes share the costs.
    `returned`: units that came back to the shop, or were taken off the order, outside the portal.
    `refunded`: what the shop refunded for this line by its own account; part of that of the order.
    """

    __tablename__ = "order_lines"
    __table_args__ = (UniqueConstraint("order_id", "position"),)

    order_id: int = Field(foreign_key="orders.id")
    position: int
    name: str = Field(max_length=120)
    name_en: str = Field(default="", max_length=120)
    sku: str = Field(max_length=40)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    item_color: str = Field(default="", max_length=60)
    item_color_en: str = Field(default="", max_length=60)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    bundle: str | None = Field(default=None, max_length=120)
    bundle_en: str = Field(default="", max_length=120)
    quantity: int = 1
    unit_price: Decimal = Field(sa_type=Cents)
    price: Decimal = Field(sa_type=Cents)
    service_costs: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})
    insurance_costs: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})
    returned: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    refunded: Decimal = Field(default=ZERO, sa_type=Cents, sa_column_kwargs={"server_default": "0"})

    def bundle_in(self, locale: Locale) -> str:
        """The name of the set in a language; empty if it was sold in none."""
        return in_language(self.bundle or "", self.bundle_en, locale)


class OrderAddressRow(Keyed, table=True):
    """An address at the time of the order. Later changes by the customer do not affect it."""

    __tablename__ = "order_addresses"
    __table_args__ = (UniqueConstraint("order_id", "role"),)

    order_id: int = Field(foreign_key="orders.id")
    role: AddressRole = Field(sa_column=Column(EnumText(AddressRole), nullable=False))
    name: str = Field(max_length=180)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))


class ShipmentRow(Keyed, table=True):
    """One parcel or delivery of an order.

    `status`: status of the shipment; None when it follows the order.
    `tracking_url`: https URL at the carrier, or empty.
    `scheduled_day`, `scheduled_from`, `scheduled_until`: as on the order; None when it follows the order.
    """

    __tablename__ = "shipments"

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


class ShipmentLineRow(Keyed, table=True):
    """Units of an order line in a shipment. Without such rows the only shipment contains the whole order."""

    __tablename__ = "shipment_lines"
    __table_args__ = (UniqueConstraint("shipment_id", "order_line_id"),)

    shipment_id: int = Field(foreign_key="shipments.id")
    order_line_id: int = Field(foreign_key="order_lines.id", index=True)
    quantity: int


class InvoiceRow(Keyed, table=True):
    """An invoice for an order, or for the part of it in one parcel. Amounts in euro including VAT.

    The amounts have the same meaning as on the order. The invoices of an order that are not cancelled add up to the
    amounts of the order.
    """

    __tablename__ = "invoices"
    __table_args__ = (Index("ix_invoices_customer_id_invoice_date", "customer_id", "invoice_date"),)

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


class InvoiceDocumentRow(Keyed, table=True):
    """The shop's own PDF of an invoice, shown instead of the one that the portal draws.

    It may come before the invoice.

    `source`, `external_id`: the invoice as the shop names it.
    `invoice_id`: None until the invoice comes.
    `key`: storage key, generated by the provider and never disclosed.
    `sha256`: of the content; the same content is not stored again.
    `url`: where it was fetched; empty if it was sent.
    """

    __tablename__ = "invoice_documents"
    __table_args__ = (UniqueConstraint("source", "external_id"),)

    source: str = Field(max_length=40)
    external_id: str = Field(max_length=100)
    invoice_id: int | None = Field(default=None, foreign_key="invoices.id", unique=True)
    key: str = Field(max_length=64, unique=True)
    sha256: str = Field(max_length=64)
    url: str = Field(default="", max_length=500)
    received_at: datetime = Field(sa_type=UtcDateTime)


class InvoiceLineRow(Named, InColor, Keyed, table=True):
    __tablename__ = "invoice_lines"
    __table_args__ = (UniqueConstraint("invoice_id", "position"),)

    invoice_id: int = Field(foreign_key="invoices.id")
    position: int
    name: str = Field(max_length=120)
    name_en: str = Field(default="", max_length=120)
    item_color: str = Field(default="", max_length=60)
    item_color_en: str = Field(default="", max_length=60)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    quantity: int = 1
    unit_price: Decimal = Field(sa_type=Cents)
    price: Decimal = Field(sa_type=Cents)
    vat_rate: Decimal = Field(default=Decimal("21.00"), sa_column=Column(Numeric(5, 2), nullable=False))


class ProductRow(Named, InColor, Keyed, table=True):
    """An article in one colour and size. `stock` counts available units; `battery` is empty if it has none.

    `drawing`: name of the drawing that the shop chose; empty to decide by kind and name.
    """

    __tablename__ = "products"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    sku: str = Field(max_length=40, index=True)
    name: str = Field(max_length=120)
    name_en: str = Field(default="", max_length=120)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    item_color: str = Field(default="", max_length=60)
    item_color_en: str = Field(default="", max_length=60)
    color_code: str = Field(default="#5b6770", max_length=7)
    frame_size: str = Field(default="", max_length=20)
    battery: str = Field(default="", max_length=60)
    drawing: str = Field(default="", max_length=40)
    price: Decimal = Field(sa_type=Cents)
    stock: int = 0
    on_sale: bool = True


class PartnerChangeRow(Keyed, table=True):
    """An announced change of a service location. A job writes it into the location on its day.

    `valid_from`: first local day on which it holds.
    `values`: the new values of `waiting_weeks`, `opening_hours`, `vacation_from` and `vacation_until`, as JSON; what is
    left out does not change.
    `applied_at`: when it was written; None while it is announced.
    """

    __tablename__ = "partner_changes"
    __table_args__ = (UniqueConstraint("partner_id", "valid_from"),)

    partner_id: int = Field(foreign_key="partners.id")
    valid_from: date
    values: JsonObject = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime)
    applied_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PartnerRow(Keyed, table=True):
    """A workshop.

    `phone`: E.164.
    `travel_cost`: call-out fee in euro; None when the partner does not visit customers.
    `vacation_from`, `vacation_until`: first and last local day on which it is closed.
    `waiting_weeks`: lower bound of the waiting time in whole weeks: 0 means 0-1, 12 means 12-13.
    `latitude`, `longitude`: degrees (WGS 84); without them a search by place never finds it.
    `opening_hours`: in the form of `portal.kernel.days.read`; None when unknown.
    `customer_rating`: 0 to 10 with one decimal; None without ratings.
    `closed`: whether it accepts no more bikes. Searches skip it; its existing requests stay with it.
    """

    __tablename__ = "partners"

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
    takes_batteries: bool = False
    closed: bool = False
    customer_rating: Decimal | None = Field(default=None, sa_column=Column(Numeric(3, 1), nullable=True))
