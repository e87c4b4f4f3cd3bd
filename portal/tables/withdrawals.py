"""Withdrawals that were declared without a login (part-2 §11)."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from portal.tables.columns import EnumText, Keyed, UtcDateTime
from portal.vocabulary.withdrawals import DeclarationStatus


class WithdrawalDeclarationRow(Keyed, table=True):
    """A withdrawal that somebody declared with an order number and an e-mail address.

    It takes no units. Once the customer or staff confirm it, it becomes a return with the same reference.

    Attributes:
        items: item and number of units for each chosen item, sorted; empty for the whole order.
        name: of the person who declared it.
        lines: the items as text, at the time of the declaration.
        email: where the receipt was mailed, masked.
        key: hash of customer, order and the key that the page made; one press gives one declaration.
        received_at: when it was declared; all periods count from here.
        return_id: the return that it became.
    """

    __tablename__ = "withdrawal_declarations"
    __table_args__ = (
        Index("ix_withdrawal_declarations_customer_id_order_number", "customer_id", "order_number"),
        Index("uq_withdrawal_declarations_key", "key", unique=True),
    )

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    order_number: str = Field(max_length=20)
    items: list[Any] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    name: str = Field(max_length=180)
    lines: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    email: str = Field(max_length=254)
    key: str = Field(max_length=64)
    status: DeclarationStatus = Field(sa_column=Column(EnumText(DeclarationStatus), nullable=False))
    return_id: int | None = Field(default=None, foreign_key="returns.id")
    received_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)
