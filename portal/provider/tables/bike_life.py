"""What else belongs to the life of a bike: service packages that were taken out, readings of the odometer."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from sqlalchemy import Column, Index
from sqlmodel import Field

from portal.provider.tables.columns import Cents, EnumText, Table, UtcDateTime
from portal.vocabulary.services import ServicePackage


class PackageOrderRow(Table, table=True):
    """A service package that a customer took out. The bike has it from the same moment.

    Attributes:
        monthly: euro including VAT, as it was told.
        draft_key: key of the draft it was sent from.
    """

    __tablename__ = "package_orders"
    __table_args__ = (Index("uq_package_orders_draft_key", "draft_key", unique=True),)

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    bike_id: int = Field(foreign_key="bikes.id", index=True)
    package: ServicePackage = Field(sa_column=Column(EnumText(ServicePackage), nullable=False))
    monthly: Decimal = Field(sa_type=Cents)
    draft_key: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(sa_type=UtcDateTime)


class MileageRow(Table, table=True):
    """A reading of the odometer by the customer; `km` with two decimals."""

    __tablename__ = "mileages"
    __table_args__ = (Index("ix_mileages_bike_id", "bike_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    bike_id: int = Field(foreign_key="bikes.id")
    km: Decimal = Field(sa_type=Cents)
    read_at: datetime = Field(sa_type=UtcDateTime)
