"""What a kind of record is made of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import CursorResult, Executable
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.rules.records import RECORDS, ShopRecord
from portal.kernel.validation import short_id
from portal.tables.columns import Table

Columns = dict[str, Any]


class Reference(NamedTuple):
    """A record that another one refers to."""

    kind: str
    external_id: str


@dataclass(frozen=True, slots=True)
class RowReference:
    row_id: int
    customer_id: int


Rows = Mapping[Reference, RowReference]


@dataclass(frozen=True, slots=True)
class Child:
    """A list of rows that belong to a record, such as the lines of an order.

    `key`: column that identifies a row of one parent; empty for the place in the list.
    """

    name: str
    table: type[Table]
    parent: str
    key: str
    rows: Callable[[Any], list[Columns]]
    contents: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record that was stored.

    `customer_id`: the customer it belongs to; 0 if it belongs to none.
    `changes`: the columns that changed; None if the row is new.
    """

    record: Any
    row_id: int
    customer_id: int
    changes: Columns | None


After = Callable[[AsyncSession, Sequence[Stored], datetime], Awaitable[None]]
"""What is stored after the rows themselves, in the same transaction."""


Adopt = Callable[[AsyncSession, Any, Rows], Awaitable[dict[str, Any]]]
"""Which new records complete rows that are there already: what is known of each row, by external id."""


async def execute(session: AsyncSession, statement: Executable, values: Any = None) -> CursorResult[Any]:
    """Execute a statement without the unit of work of the ORM, which costs more than the statement."""
    return await (await session.connection()).execute(statement, values)


def same_columns(record: ShopRecord, _rows: Rows) -> Columns:
    """The fields of a record; lists of words are texts, as they come back from the database."""
    fields = record.model_dump(exclude={"external_id"})
    return {
        name: [word.value for word in value] if isinstance(value, list) else value for name, value in fields.items()
    }


def _no_references(_record: Any) -> tuple[Reference, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record.

    `natural`: columns that identify a row besides its primary key. A new record adopts such a row if nothing else was
    imported into it, and is rejected if something was.
    `adopt`: finds rows that another kind brought, and that records complete.
    `after`: what else is stored.
    """

    name: str
    table: type[Table]
    columns: Callable[[Any, Rows], Columns] = same_columns
    references: Callable[[Any], tuple[Reference, ...]] = _no_references
    natural: tuple[str, ...] = ()
    children: tuple[Child, ...] = ()
    follow: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adopt: Adopt | None = None
    after: After | None = None

    @property
    def record(self) -> type[ShopRecord]:
        return RECORDS[self.name]

    def generated(self) -> Columns:
        """What a new row has besides the columns of its record."""
        return {"public_id": short_id()} if "public_id" in self.table.model_fields else {}

    @property
    def per_shop(self) -> bool:
        return "shop" in self.natural
