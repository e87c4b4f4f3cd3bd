"""Merging two customers: every row of one moves to the other, in one transaction.

The tables are those of the inventory (`portal.privacy.provider.inventory`), so a new table with data about customers
is covered. What only served the login or the pages of the merged customer is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, UniqueConstraint, and_, delete, exists, select, tuple_, update
from sqlalchemy import Table as SqlTable
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.privacy.provider.inventory import INVENTORY
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.imports import ImportedRow

ENDED = frozenset(
    {
        "changes", "customer_visits", "data_exports", "email_changes", "erasure_codes", "login_challenges",
        "passkey_challenges", "passkeys", "passwords", "sessions",
    }
)  # fmt: skip
"""Tables whose rows are deleted: logins and codes, copies of data, and counters of pages of the merged customer."""


async def merge(session: AsyncSession, kept: CustomerRow, merged: CustomerRow) -> dict[str, int]:
    """Move everything of `merged` to `kept`, and delete `merged`, in the caller's transaction.

    Where both have what each customer has once, such as a draft of the same flow, that of `kept` stays.
    """
    counts: dict[str, int] = {}
    for stored in INVENTORY:
        table = stored.table
        if "customer_id" not in table.c:
            continue
        of_merged = table.c.customer_id == merged.id
        if table.name in ENDED:
            await session.exec(delete(table).where(of_merged))
            continue
        for twice in _twice(table, kept.id):
            await session.exec(delete(table).where(of_merged, twice))
        moved = await session.exec(update(table).where(of_merged).values(customer_id=kept.id))
        if moved.rowcount:
            counts[table.name] = moved.rowcount
    await session.exec(update(CaseRow).where(col(CaseRow.customer_id) == kept.id).values(source=kept.source))
    # A later import of the merged customer goes to the one who remains.
    imported = update(ImportedRow).where(col(ImportedRow.kind) == "customers", col(ImportedRow.row_id) == merged.id)
    await session.exec(imported.values(row_id=kept.id))
    await session.delete(merged)
    await session.flush()
    return counts


def _twice(table: SqlTable, kept_id: int) -> Iterator[ColumnElement[bool]]:
    """Conditions on rows that could not move, because the customer who remains has the same one."""
    for names, where in _unique_per_customer(table):
        others = [table.c[name] for name in names if name != "customer_id"]
        own = and_(table.c.customer_id == kept_id, *where)
        if others:
            yield and_(tuple_(*others).in_(select(*others).where(own)), *where)
        else:
            yield exists(select(table.c.customer_id).where(own))


def _unique_per_customer(table: SqlTable) -> Iterator[tuple[list[str], list[Any]]]:
    """The columns of every uniqueness rule with the customer in it, and the condition of a partial index."""
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint) and "customer_id" in constraint.columns:
            yield [column.name for column in constraint.columns], []
    for index in table.indexes:
        if index.unique and "customer_id" in index.columns:
            where = index.dialect_options["sqlite"]["where"]
            yield [column.name for column in index.columns], [] if where is None else [where]
