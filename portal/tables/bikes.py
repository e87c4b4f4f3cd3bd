"""Bikes, their pictures, orders of service packages, odometer readings (part-1 §3), and recalls."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import JSON, Column, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from portal.kernel.texts import Locale
from portal.kernel.validation import short_id
from portal.tables.columns import Cents, EnumText, JsonObject, Keyed, Named, UtcDateTime, in_language
from portal.tables.sealed import Sealed
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import RecalledKind, Remedy, ServicePackage


class BikeRow(Named, Keyed, table=True):
    """A bike of a customer. Empty texts and None mean unknown.

    `frame_number`: upper case without spaces, None when unknown. Not unique, because a returned bike is sold again.
    `battery_passport`: https URL of the passport of the battery (Regulation (EU) 2023/1542, article 77), or empty.
    `imei_number`: IMEI of the tracker, 15 digits.
    `pin_code`: code of the bike's electronic lock. It is compared with a customer's input, and staff reveal it.
    `delivered_on`: local day of delivery, on which the warranty starts.
    `warranty_until`: end of a warranty that the retailer granted; without it the setting applies from delivery or
    order.
    `mileage`: whole kilometres, read at `mileage_at`.
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
    policy_number: str = Field(default="", max_length=40, sa_type=Sealed)
    insurance_start: date | None = None
    mileage: int | None = None
    mileage_at: date | None = None
    pin_code: str | None = Field(default=None, max_length=10, sa_type=Sealed)
    delivered_on: date | None = None
    warranty_until: date | None = None

    def color_in(self, locale: Locale) -> str:
        return in_language(self.color, self.color_en, locale)


class PackageOrderRow(Keyed, table=True):
    """An order of a service package. It applies to the bike at once.

    `monthly`: euro a month including VAT, as shown to the customer.
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


class RecallRow(Keyed, table=True):
    """A recall.

    `code`: identifier of the shop, such as '2026-ACCU-01'. Loading the same code again adds numbers.
    `texts`: by language, the texts `product`, `description`, `hazard` and `action`.
    `remedies`: values of `Remedy` that the customer can choose from.
    `picture`: of the product, a JPEG; empty without one.
    `phone`: E.164; `email`: for questions about this recall.
    """

    __tablename__ = "recalls"

    code: str = Field(max_length=40, unique=True)
    texts: JsonObject = Field(sa_column=Column(JSON, nullable=False))
    remedies: list[str] = Field(sa_column=Column(JSON, nullable=False))
    picture: bytes = Field(default=b"", sa_column=Column(LargeBinary, nullable=False))
    phone: str = Field(max_length=20)
    email: str = Field(max_length=254)
    published_at: datetime = Field(sa_type=UtcDateTime)


class RecallItemRow(Keyed, table=True):
    """A recalled number, in the form for comparison: upper case, letters and digits only."""

    __tablename__ = "recall_items"
    __table_args__ = (
        UniqueConstraint("recall_id", "kind", "number"),
        Index("ix_recall_items_kind_number", "kind", "number"),
    )

    recall_id: int = Field(foreign_key="recalls.id", ondelete="CASCADE")
    kind: RecalledKind = Field(sa_column=Column(EnumText(RecalledKind), nullable=False))
    number: str = Field(max_length=40)


class RecallNoticeRow(Keyed, table=True):
    """The warning of one owner. A unique constraint warns each owner once per recall.

    `remedy`: what the customer chose; None until then.
    """

    __tablename__ = "recall_notices"
    __table_args__ = (UniqueConstraint("recall_id", "customer_id"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    recall_id: int = Field(foreign_key="recalls.id")
    customer_id: int = Field(foreign_key="customers.id", index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    acknowledged_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    remedy: Remedy | None = Field(default=None, sa_column=Column(EnumText(Remedy)))
    chosen_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PictureRow(Keyed, table=True):
    """An image. Its files are in the store, under its key with a size and a format.

    `key`: the beginning of the SHA-256 of the image as it came, in hexadecimal; the same image is stored once.
    `preview`: the image in a few pixels, as a `data:` address; empty until its sizes are made.
    """

    __tablename__ = "pictures"

    key: str = Field(max_length=32, unique=True)
    preview: str = Field(default="", max_length=1200)
    ready: bool = False
    created_at: datetime = Field(sa_type=UtcDateTime)


class ProductPictureRow(Keyed, table=True):
    """The image of a product, as the shop sent it. It may come before the product.

    `source`, `external_id`: the product as the shop names it.
    `product_id`: None until the product comes.
    `url`: where it was fetched; empty if it was sent.
    """

    __tablename__ = "product_pictures"
    __table_args__ = (UniqueConstraint("source", "external_id"),)

    source: str = Field(max_length=40)
    external_id: str = Field(max_length=100)
    product_id: int | None = Field(default=None, foreign_key="products.id", unique=True)
    picture_id: int = Field(foreign_key="pictures.id", index=True)
    url: str = Field(default="", max_length=500)
    received_at: datetime = Field(sa_type=UtcDateTime)
