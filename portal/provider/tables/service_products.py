"""Service products: what each job costs (part-1 §3)."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field

from portal.provider.tables.columns import Cents, EnumText, Table
from portal.vocabulary.services import Drive, ServiceJob


class ServiceProductRow(Table, table=True):
    """One variant of a job: for a bike or an e-bike, at the full price or at the half that a package gives.

    Attributes:
        sku: what the retailer's stock knows it by.
        price: euro including VAT.
    """

    __tablename__ = "service_products"
    __table_args__ = (UniqueConstraint("job", "drive", "half_price"),)

    id: int | None = Field(default=None, primary_key=True)
    sku: str = Field(max_length=40, unique=True)
    job: ServiceJob = Field(sa_column=Column(EnumText(ServiceJob), nullable=False))
    drive: Drive = Field(sa_column=Column(EnumText(Drive), nullable=False))
    half_price: bool = False
    price: Decimal = Field(sa_type=Cents)
