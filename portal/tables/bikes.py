"""Bikes (part-1 §3 bike card and bike detail)."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Column
from sqlmodel import Field

from portal.domain.identifiers import short_id
from portal.provider.tables.columns import EnumText, Table
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import ServicePackage


class BikeRow(Table, table=True):
    """A bike that a customer owns. Empty texts and none mean unknown.

    Attributes:
        public_id: what links carry.
        frame_number: in capitals without blanks, none when unknown. Not unique: a returned bike is sold again.
        imei_number: of the tracker, 15 digits.
        pin_code: opens the bike's electronic lock. Kept readable because the mechanic needs it; it is compared with
            what a customer types and never leaves the provider otherwise.
        delivered_on: local day of delivery, from which the warranty runs.
        warranty_until: a term the retailer granted; without it the setting counts from delivery or order.
        mileage: whole kilometres, as last read on `mileage_at`.
    """

    __tablename__ = "bikes"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    order_id: int = Field(foreign_key="orders.id", index=True)
    order_line_id: int | None = Field(default=None, foreign_key="order_lines.id", index=True)
    name: str = Field(max_length=120)
    brand: str = Field(max_length=60)
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    color: str = Field(default="", max_length=60)
    color_code: str = Field(default="#5b6770", max_length=7)
    size: str = Field(default="", max_length=20)
    frame_number: str | None = Field(default=None, max_length=20, index=True)
    engine_brand: str = Field(default="", max_length=60)
    engine_system: str = Field(default="", max_length=60)
    battery_number: str = Field(default="", max_length=40)
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
