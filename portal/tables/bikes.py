"""Bikes, orders of service packages, and odometer readings (part-1 §3)."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Column, Index
from sqlmodel import Field

from portal.kernel.texts import Locale
from portal.kernel.validation import short_id
from portal.tables.columns import Cents, EnumText, Keyed, UtcDateTime
from portal.tables.wording import Named, in_language
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import ServicePackage


class BikeRow(Named, Keyed, table=True):
    """A bike of a customer. Empty texts and None mean unknown.

    Attributes:
        public_id: id in URLs.
        frame_number: upper case without spaces, None when unknown. Not unique, because a returned bike is sold again.
        battery_passport: https URL of the passport of the battery (Regulation (EU) 2023/1542, article 77), or empty.
        imei_number: IMEI of the tracker, 15 digits.
        pin_code: code of the bike's electronic lock. Stored in plain text because the mechanic needs it; it is
            compared with a customer's input and otherwise never leaves the provider.
        delivered_on: local day of delivery, on which the warranty starts.
        warranty_until: end of a warranty that the retailer granted; without it the setting applies from delivery or
            order.
        mileage: whole kilometres, read at `mileage_at`.
    """

    __tablename__ = "bikes"
    # Bikes are listed and counted through the orders of their customer.
    __table_args__ = (Index("ix_bikes_order_id_customer_id", "order_id", "customer_id", "id"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    order_id: int = Field(foreign_key="orders.id")
    order_line_id: int | None = Field(default=None, foreign_key="order_lines.id", index=True)
    name: str = Field(max_length=120)
    name_en: str = Field(default="", max_length=120)
    brand: str = Field(max_length=60)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    color: str = Field(default="", max_length=60)
    color_en: str = Field(default="", max_length=60)
    color_code: str = Field(default="#5b6770", max_length=7)
    size: str = Field(default="", max_length=20)
    frame_number: str | None = Field(default=None, max_length=20, index=True)
    engine_brand: str = Field(default="", max_length=60)
    engine_system: str = Field(default="", max_length=60)
    battery_number: str = Field(default="", max_length=40)
    battery_passport: str = Field(default="", max_length=500)
    imei_number: str = Field(default="", max_length=15)
    key_number_1: str = Field(default="", max_length=20)
    key_number_2: str = Field(default="", max_length=20)
    key_number_3: str = Field(default="", max_length=20)
    service_card: str = Field(default="", max_length=40)
    service_package: ServicePackage | None = Field(default=None, sa_column=Column(EnumText(ServicePackage)))
    insurance: str = Field(default="", max_length=60)
    policy_number: str = Field(default="", max_length=40)
    insurance_start: date | None = None
    mileage: int | None = None
    mileage_at: date | None = None
    pin_code: str | None = Field(default=None, max_length=10)
    delivered_on: date | None = None
    warranty_until: date | None = None

    def color_in(self, locale: Locale) -> str:
        """The colour in a language; empty if unknown."""
        return in_language(self.color, self.color_en, locale)


class PackageOrderRow(Keyed, table=True):
    """An order of a service package. It applies to the bike at once.

    Attributes:
        monthly: euro a month including VAT, as shown to the customer.
        draft_key: key of the draft that was sent.
    """

    __tablename__ = "package_orders"
    __table_args__ = (Index("uq_package_orders_draft_key", "draft_key", unique=True),)

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    bike_id: int = Field(foreign_key="bikes.id", index=True)
    package: ServicePackage = Field(sa_column=Column(EnumText(ServicePackage), nullable=False))
    monthly: Decimal = Field(sa_type=Cents)
    draft_key: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(sa_type=UtcDateTime)


class MileageRow(Keyed, table=True):
    """An odometer reading by the customer; `km` has two decimals."""

    __tablename__ = "mileages"
    __table_args__ = (Index("ix_mileages_bike_id", "bike_id", "id"),)

    customer_id: int = Field(foreign_key="customers.id", index=True)
    bike_id: int = Field(foreign_key="bikes.id")
    km: Decimal = Field(sa_type=Cents)
    read_at: datetime = Field(sa_type=UtcDateTime)
