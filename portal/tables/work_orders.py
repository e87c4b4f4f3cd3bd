"""Service requests with their work orders and history, and service products (part-1 §3, §4)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, Connection, Index, UniqueConstraint, column, event, insert, text
from sqlmodel import Field

from portal.kernel.days import ALWAYS, now
from portal.kernel.terms import REPAIR_ANSWER_DAYS
from portal.tables.columns import Cents, EnumText, JsonObject, Keyed, UtcDateTime
from portal.tables.messages import one_more
from portal.tables.sealed import SealedJson
from portal.vocabulary.actions import Topic
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, Actor, RequestKind, WorkOrderStatus

STILL_OPEN = column("status", EnumText(WorkOrderStatus)).not_in(sorted(CLOSED_WORK_ORDER))


class RequestRow(Keyed, table=True):
    """A service request and its work order. A unique index allows one open request per bike (part-1 §4).

    `planned_date`: local day on which the work is planned; None while it is not planned.
    `details`: all answers of the customer, by field of the flow.
    `draft_key`: key of the draft that was sent; one draft gives one request.
    `under_warranty`: whether staff found that the repair falls under the warranty of the bike.
    `warranty_until`: last day of the warranty after this repair; None unless it was repaired under warranty.
    `answer_days`: working days within which the customer was promised an answer.
    `version`: incremented with every transition, so that only one of two concurrent transitions succeeds.
    """

    __tablename__ = "requests"
    __table_args__ = (
        Index("uq_requests_open_bike", "bike_id", unique=True, sqlite_where=STILL_OPEN, postgresql_where=STILL_OPEN),
        Index("ix_requests_customer_id_created_at", "customer_id", "created_at"),
        Index("uq_requests_draft_key", "draft_key", unique=True),
    )

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    bike_id: int = Field(foreign_key="bikes.id", index=True)
    partner_id: int | None = Field(default=None, foreign_key="partners.id")
    kind: RequestKind = Field(sa_column=Column(EnumText(RequestKind), nullable=False))
    status: WorkOrderStatus = Field(
        default=WorkOrderStatus.NEW, sa_column=Column(EnumText(WorkOrderStatus), nullable=False)
    )
    title: str = Field(max_length=120)
    description: str = Field(default="", max_length=4000)
    planned_date: date | None = None
    details: JsonObject | None = Field(default=None, sa_column=Column(SealedJson()))
    draft_key: str | None = Field(default=None, max_length=64)
    under_warranty: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    warranty_until: date | None = None
    answer_days: int = REPAIR_ANSWER_DAYS
    version: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


MAX_NOTE_LENGTH = 500
"""Most characters of a note to the customer."""


class WorkOrderEventRow(Keyed, table=True):
    """An entry in the history of a work order, written in the transaction of the change.

    `planned_date`: day that was planned with this change, if any.
    """

    __tablename__ = "work_order_events"
    __table_args__ = (Index("ix_work_order_events_request_id", "request_id", "id"),)

    request_id: int = Field(foreign_key="requests.id", ondelete="CASCADE")
    status: WorkOrderStatus = Field(sa_column=Column(EnumText(WorkOrderStatus), nullable=False))
    actor: Actor = Field(sa_column=Column(EnumText(Actor), nullable=False))
    note: str = Field(default="", max_length=MAX_NOTE_LENGTH)
    planned_date: date | None = None
    happened_at: datetime = Field(sa_type=UtcDateTime)


@event.listens_for(RequestRow, "after_insert")
def _begin(_mapper: Any, connection: Connection, row: RequestRow) -> None:
    """Start the history of a new request and notify pages that show requests, however the request was made."""
    connection.execute(
        insert(WorkOrderEventRow).values(
            request_id=row.id,
            status=WorkOrderStatus.NEW,
            actor=Actor.CUSTOMER,
            note="",
            happened_at=row.created_at,
        )
    )
    connection.execute(one_more(connection, row.customer_id, Topic.REQUESTS, row.created_at))


class ServiceProductRow(Keyed, table=True):
    """One variant of a job: for a bike or an e-bike, at full price or at the half price of a package.

    `shop`: the further shop whose customers it holds for; empty for all shops that have none of their own.
    `valid_from`: first local day on which the price holds, until a later row of the same variant takes over.
    `price`: euro including VAT.
    """

    __tablename__ = "service_products"
    __table_args__ = (UniqueConstraint("shop", "job", "drive", "half_price", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    valid_from: date = ALWAYS
    sku: str = Field(max_length=40)
    job: ServiceJob = Field(sa_column=Column(EnumText(ServiceJob), nullable=False))
    drive: Drive = Field(sa_column=Column(EnumText(Drive), nullable=False))
    half_price: bool = False
    price: Decimal = Field(sa_type=Cents)


class PackageTermsRow(Keyed, table=True):
    """Price and contents of a service package.

    `shop`: as in `ServiceProductRow`.
    `valid_from`: first local day on which they hold, until a later row of the same package takes over.
    `monthly`: euro a month including VAT; zero for 'none'. A contract keeps the price at which it was taken out.
    `includes`: values of `service_packages.rules.Inclusion`.
    `half_price_jobs`: values of `ServiceJob`: the jobs that cost half.
    """

    __tablename__ = "package_terms"
    __table_args__ = (UniqueConstraint("shop", "package", "valid_from"),)

    shop: str = Field(default="", max_length=40)
    package: ServicePackage = Field(sa_column=Column(EnumText(ServicePackage), nullable=False))
    valid_from: date = ALWAYS
    monthly: Decimal = Field(sa_type=Cents)
    includes: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    half_price_jobs: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    most_chosen: bool = False
