"""What the shop sells now: the choice for an exchange (part-2 §2)."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Column
from sqlmodel import Field

from portal.domain.identifiers import short_id
from portal.provider.tables.columns import Cents, EnumText, Table
from portal.vocabulary.orders import ItemKind


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
