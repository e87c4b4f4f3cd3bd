"""Invoices (part-1 §3)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sqlalchemy import Column, Index, Numeric, UniqueConstraint
from sqlmodel import Field

from portal.domain.identifiers import short_id
from portal.provider.tables.columns import ZERO, Cents, EnumText, Table
from portal.vocabulary.orders import InvoiceStatus


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
