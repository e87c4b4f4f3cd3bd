"""Withdrawals from and cancellations of contracts that were taken out in the portal."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Column, Index, column
from sqlmodel import Field

from portal.tables.columns import ZERO, Cents, EnumText, Keyed, UtcDateTime
from portal.vocabulary.contracts import BINDING, ContractKind, EndKind, EndStatus

ENDS_IT = column("status", EnumText(EndStatus)).in_(sorted(BINDING))
"""Condition of the partial index below."""


class ContractEndRow(Keyed, table=True):
    """A withdrawal or cancellation. A unique index lets a contract end once.

    Attributes:
        contract: which contract: reference of the order of a service package, or of the insurance request.
        kind: what the contract is about.
        ending: withdrawal or cancellation, by the day of the declaration.
        name: of the person who declared it.
        email: where the receipt was mailed, masked.
        key: hash of the contract and the key that the page made; one press gives one declaration.
        ends_on: last day of the contract.
        refund, last_payment: amounts in euro, as the customer saw them.
        last_from: first day of the period that is still collected.
        refund_batch_id: the export that has the refund; `refund_confirmed_by` is the second person who agreed to it.
        refunded_at: when finance recorded it as paid.
        received_at: when it was declared; all periods count from here.
        ended_at: when the package or insurance was taken from the bike.
    """

    __tablename__ = "contract_ends"
    __table_args__ = (
        Index("ix_contract_ends_customer_id_contract", "customer_id", "contract"),
        Index("uq_contract_ends_key", "key", unique=True),
        Index("uq_contract_ends_contract", "contract", unique=True, sqlite_where=ENDS_IT, postgresql_where=ENDS_IT),
    )

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    contract: str = Field(max_length=20)
    kind: ContractKind = Field(sa_column=Column(EnumText(ContractKind), nullable=False))
    ending: EndKind = Field(sa_column=Column(EnumText(EndKind), nullable=False))
    name: str = Field(max_length=180)
    email: str = Field(max_length=254)
    key: str = Field(max_length=64)
    status: EndStatus = Field(sa_column=Column(EnumText(EndStatus), nullable=False))
    ends_on: date
    refund: Decimal = Field(default=ZERO, sa_type=Cents)
    last_payment: Decimal = Field(default=ZERO, sa_type=Cents)
    last_from: date | None = None
    received_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    processed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    refund_batch_id: int | None = Field(default=None, foreign_key="refund_batches.id")
    refund_confirmed_by: int | None = Field(default=None, foreign_key="staff.id")
    refunded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)
