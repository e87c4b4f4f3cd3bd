"""The periods of the terms of each shop."""

from datetime import date

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field

from portal.kernel.days import ALWAYS
from portal.tables.columns import EnumText, Keyed
from portal.vocabulary.terms import ShopTerm


class ShopTermRow(Keyed, table=True):
    """A period.

    Attributes:
        shop: the further shop whose customers it holds for; empty for all shops that have none of their own.
        valid_from: first local day on which it holds, until a later row of the same period takes over.
        value: in the unit of the term: days, months or years.
    """

    __tablename__ = "shop_terms"
    __table_args__ = (UniqueConstraint("shop", "term", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    term: ShopTerm = Field(sa_column=Column(EnumText(ShopTerm), nullable=False))
    valid_from: date = ALWAYS
    value: int
