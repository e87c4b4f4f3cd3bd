"""Cases: what staff add to a request, and everything that happened to it.

The facts of a request stay in the tables of its subject. A case refers to them by kind and reference; state and status
are copied here, in the transaction of each change, so that the queue of all kinds is one indexed query.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint, text
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Keyed, Table, UtcDateTime
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState


class CaseRow(Keyed, table=True):
    """One case.

    `partner_id`: store or workshop that handles it; None for the service desk.
    `source`: of the customer, so that the queue of one shop is an indexed query, too.
    `status`: status of the subject, as its table stores it.
    `assigned_to`: the person who handles it; None for nobody.
    `promised_at`: until when the customer was promised something, or the status has to end; None while it waits for the
    customer, and when it is done.
    `waiting_since`: since when the customer has to answer; None while they need not.
    `unread_since`: when the customer sent what nobody of staff has opened yet; None after somebody did.
    `waiting_until`: when the mailed link expires that the case waits for, or the time for an answer is over.
    `opened_by`: the person who sent it in the customer's name; None when the customer did.
    `version`: incremented with every change, so that of two people who act on the same state one is refused.
    """

    __tablename__ = "cases"
    __table_args__ = (
        UniqueConstraint("kind", "reference"),
        Index("ix_cases_state_opened_at", "state", "opened_at", "id"),
        Index("ix_cases_partner_id_state_opened_at", "partner_id", "state", "opened_at", "id"),
        Index("ix_cases_source_state_opened_at", "source", "state", "opened_at", "id"),
        Index("ix_cases_kind_state_opened_at", "kind", "state", "opened_at", "id"),
        Index("ix_cases_assigned_to_state", "assigned_to", "state"),
        Index("ix_cases_state_closed_at", "state", "closed_at", "id"),
        Index("ix_cases_state_promised_at", "state", "promised_at", "id"),
        Index("ix_cases_changed_at", "changed_at", "id"),
        Index(
            "ix_cases_unread_since",
            "unread_since",
            "id",
            sqlite_where=text("unread_since IS NOT NULL"),
            postgresql_where=text("unread_since IS NOT NULL"),
        ),
    )

    kind: CaseKind = Field(sa_column=Column(EnumText(CaseKind), nullable=False))
    reference: str = Field(max_length=20, index=True)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True)
    partner_id: int | None = Field(default=None, foreign_key="partners.id")
    source: str = Field(default="", max_length=40)
    state: CaseState = Field(sa_column=Column(EnumText(CaseState), nullable=False))
    status: str = Field(max_length=40)
    urgent: bool = False
    assigned_to: int | None = Field(default=None, foreign_key="staff.id")
    promised_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    waiting_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    unread_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    waiting_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    opened_by: int | None = Field(default=None, foreign_key="staff.id")
    version: int = 1
    opened_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class CaseEventRow(Keyed, table=True):
    """Something that happened to a case, written in the transaction of the change. Rows are only added.

    The id orders the events of a case. They are the staff's timeline and what goes out as signed events.

    `staff_id`: the person who did it; None for the customer, the portal itself, and keys of the back office.
    `by_customer`: whether the customer did it; with a person, that person did it in the customer's name.
    `details`: what changed, such as the status before and after, without personal data.
    """

    __tablename__ = "case_events"
    __table_args__ = (Index("ix_case_events_case_id", "case_id", "id"),)

    case_id: int = Field(foreign_key="cases.id", ondelete="CASCADE")
    type: CaseEventType = Field(sa_column=Column(EnumText(CaseEventType), nullable=False))
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    by_customer: bool = False
    status: str = Field(max_length=40)
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    happened_at: datetime = Field(sa_type=UtcDateTime)


class CaseNoteRow(Keyed, table=True):
    """An internal note of staff. It is never sent or shown to customers."""

    __tablename__ = "case_notes"
    __table_args__ = (Index("ix_case_notes_case_id", "case_id", "id"),)

    case_id: int = Field(foreign_key="cases.id", ondelete="CASCADE")
    staff_id: int = Field(foreign_key="staff.id")
    text: str = Field(max_length=4000)
    written_at: datetime = Field(sa_type=UtcDateTime)


class CaseViewRow(Keyed, table=True):
    """A filter of the queue that a person saved.

    `filter`: its fields that are set, as `portal.cases.api.CaseFilter` writes them.
    """

    __tablename__ = "case_views"
    __table_args__ = (UniqueConstraint("staff_id", "name"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    staff_id: int = Field(foreign_key="staff.id", ondelete="CASCADE")
    name: str = Field(max_length=60)
    filter: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class CasePresenceRow(Table, table=True):
    """A person has a case open. The page renews the row; one that was not renewed counts no more."""

    __tablename__ = "case_presence"

    case_id: int = Field(foreign_key="cases.id", primary_key=True, ondelete="CASCADE")
    staff_id: int = Field(foreign_key="staff.id", primary_key=True, ondelete="CASCADE")
    seen_at: datetime = Field(sa_type=UtcDateTime)
