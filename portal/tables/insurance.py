"""Insurances, their tariffs and requests (part-2 §3, §4), ends of contracts, and the terms of each shop."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import JSON, Column, Index, LargeBinary, UniqueConstraint, column
from sqlmodel import Field

from portal.kernel.days import ALWAYS
from portal.kernel.terms import INSURER_ANSWER_DAYS
from portal.tables.columns import ZERO, Cents, EnumText, Keyed, UtcDateTime
from portal.tables.sealed import Sealed
from portal.vocabulary.contracts import BINDING, ContractKind, EndKind, EndStatus
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.prices import ShopTerm

STILL_OPEN = column("status", EnumText(InsuranceStatus)).in_(sorted(OPEN_INSURANCE))


class InsuranceProductRow(Keyed, table=True):
    """What an insurance covers, and whether it is offered.

    `shop`: the further shop whose customers it holds for; empty for all shops that have none of their own.
    `valid_from`: first local day on which it holds, until a later row of the same insurance takes over.
    `covers`: values of `Cover`; everything else is not covered.
    `excess`: what the customer pays of each damage, in euro.
    """

    __tablename__ = "insurance_products"
    __table_args__ = (UniqueConstraint("shop", "insurer", "type", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    insurer: Insurer = Field(sa_column=Column(EnumText(Insurer), nullable=False))
    type: InsuranceType = Field(sa_column=Column(EnumText(InsuranceType), nullable=False))
    valid_from: date = ALWAYS
    offered: bool = True
    covers: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    excess: Decimal = Field(default=Decimal("0.00"), sa_type=Cents)
    most_chosen: bool = False


class InsuranceTariffRow(Keyed, table=True):
    """The tariff of an insurance for one kind of bike.

    `shop`: the further shop whose customers it holds for; empty for all shops that have none of their own.
    `valid_from`: first local day on which it holds, until a later row of the same insurance takes over.
    `per_mille`: yearly premium in per mille of the price of the bike, with two decimals.
    `minimum`: lowest premium, in euro a month.
    """

    __tablename__ = "insurance_tariffs"
    __table_args__ = (UniqueConstraint("shop", "insurer", "type", "kind", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    insurer: Insurer = Field(sa_column=Column(EnumText(Insurer), nullable=False))
    type: InsuranceType = Field(sa_column=Column(EnumText(InsuranceType), nullable=False))
    kind: ItemKind = Field(sa_column=Column(EnumText(ItemKind), nullable=False))
    valid_from: date = ALWAYS
    per_mille: Decimal = Field(sa_type=Cents)
    minimum: Decimal = Field(sa_type=Cents)


class InsuranceDocumentRow(Keyed, table=True):
    """A version of the insurance product information document of an insurance. Versions are added, never changed.

    `public_id`: names this version in addresses and requests.
    `version`: the insurer's name of the version, such as '2026-01'. The one added last applies.
    `dutch`, `english`: the PDF in each language; the same bytes if the insurer has only one.
    """

    __tablename__ = "insurance_documents"
    __table_args__ = (UniqueConstraint("insurer", "type", "version"),)

    public_id: str = Field(max_length=20, unique=True)
    insurer: Insurer = Field(sa_column=Column(EnumText(Insurer), nullable=False))
    type: InsuranceType = Field(sa_column=Column(EnumText(InsuranceType), nullable=False))
    version: str = Field(max_length=40)
    dutch: bytes = Field(sa_type=LargeBinary)
    english: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = Field(sa_type=UtcDateTime)


class InsuranceRequestRow(Keyed, table=True):
    """An insurance request. A unique index allows one open request per bike.

    `insurer`, `premium`, `iban`, `key_number`: None or empty for 'no insurance' and 'insured already'.
    `premium`: euro a month, as shown to the customer.
    `document_id`: the version of the product information document that the customer saw; empty without insurance.
    `iban`: without spaces; deleted when the request ends.
    `answer_days`: working days within which the customer was promised an answer.
    """

    __tablename__ = "insurance_requests"
    __table_args__ = (
        Index(
            "uq_insurance_requests_open", "bike_id", unique=True, sqlite_where=STILL_OPEN, postgresql_where=STILL_OPEN
        ),
        Index("ix_insurance_requests_customer_id", "customer_id", "id"),
        Index("uq_insurance_requests_draft_key", "draft_key", unique=True),
    )

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    bike_id: int = Field(foreign_key="bikes.id", index=True)
    insurer: Insurer | None = Field(default=None, sa_column=Column(EnumText(Insurer)))
    type: InsuranceType = Field(sa_column=Column(EnumText(InsuranceType), nullable=False))
    premium: Decimal | None = Field(default=None, sa_type=Cents)
    document_id: str = Field(default="", max_length=20)
    key_number: str = Field(default="", max_length=20)
    iban: str = Field(default="", max_length=34, sa_type=Sealed)
    status: InsuranceStatus = Field(sa_column=Column(EnumText(InsuranceStatus), nullable=False))
    waits_for_link: bool = False
    link_expires_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    policy_number: str = Field(default="", max_length=40, sa_type=Sealed)
    starts_on: date | None = None
    note: str = Field(default="", max_length=500)
    answer_days: int = INSURER_ANSWER_DAYS
    draft_key: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)


ENDS_IT = column("status", EnumText(EndStatus)).in_(sorted(BINDING))


class ContractEndRow(Keyed, table=True):
    """A withdrawal or cancellation. A unique index lets a contract end once.

    `contract`: which contract: reference of the order of a service package, or of the insurance request.
    `ending`: withdrawal or cancellation, by the day of the declaration.
    `email`: where the receipt was mailed, masked.
    `refund`, `last_payment`: amounts in euro, as the customer saw them.
    `refund_batch_id`: the export that has the refund; `refund_confirmed_by` is the second person who agreed to it.
    `received_at`: when it was declared; all periods count from here.
    `ended_at`: when the package or insurance was taken from the bike.
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


class ShopTermRow(Keyed, table=True):
    """A period.

    `shop`: the further shop whose customers it holds for; empty for all shops that have none of their own.
    `valid_from`: first local day on which it holds, until a later row of the same period takes over.
    `value`: in the unit of the term: days, months or years.
    """

    __tablename__ = "shop_terms"
    __table_args__ = (UniqueConstraint("shop", "term", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    term: ShopTerm = Field(sa_column=Column(EnumText(ShopTerm), nullable=False))
    valid_from: date = ALWAYS
    value: int
