"""What changed last, for pages that change by themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field

from portal.provider.tables.columns import EnumText, Table, UtcDateTime
from portal.vocabulary.actions import Topic


class ChangeRow(Table, table=True):
    """How often a part of a customer's data was changed. One row a customer and topic, so asking is always cheap.

    A row is written in the transaction of the change: whoever sees the number sees the change.

    Attributes:
        revision: rises with every change.
        changed_at: when it rose last.
    """

    __tablename__ = "changes"

    customer_id: int = Field(foreign_key="customers.id", primary_key=True, ondelete="CASCADE")
    topic: Topic = Field(sa_column=Column(EnumText(Topic), primary_key=True))
    revision: int
    changed_at: datetime = Field(sa_type=UtcDateTime)


def one_more(dialect: str, customer_id: int, topic: Topic, now: datetime) -> Any:
    """The statement that counts one more change."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(ChangeRow).values(customer_id=customer_id, topic=topic, revision=1, changed_at=now)
    counted = {"revision": ChangeRow.revision + 1, "changed_at": statement.excluded.changed_at}
    return statement.on_conflict_do_update(index_elements=["customer_id", "topic"], set_=counted)
