"""Fields that both the shop and the portal changed: what is open, and what staff decide.

The portal keeps its value until then. Taking the shop's value writes it; keeping the portal's only closes the
difference. Both hold until the shop sends yet another value.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column, Date, Numeric, update
from sqlalchemy import select as columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.outbox import Outbox
from portal.contract.errors import Conflict
from portal.imports.api import Difference, Differences
from portal.imports.provider.kind import Child, Kind, execute
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.merging import key_of, row_condition, shown, table_of
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.login.provider.codes import notify_address
from portal.staff.provider.base import log_out
from portal.tables.columns import Cents, UtcDateTime
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow
from portal.tables.search import write_search_texts
from portal.vocabulary.actions import Topic
from portal.vocabulary.exchange import Side

AT_ONCE = 100
"""Differences in one answer."""


async def open_differences(session: AsyncSession, *, source: str = "", kind: str = "", after: int = 0) -> Differences:
    """Return open differences, the oldest first."""
    query = (
        select(ImportDifferenceRow, ImportedRow, CustomerRow)
        .join(ImportedRow, col(ImportedRow.id) == col(ImportDifferenceRow.imported_id))
        .outerjoin(CustomerRow, col(CustomerRow.id) == col(ImportedRow.customer_id))
        .where(col(ImportDifferenceRow.settled_at).is_(None), col(ImportDifferenceRow.id) > after)
        .order_by(col(ImportDifferenceRow.id))
        .limit(AT_ONCE + 1)
    )
    if source:
        query = query.where(col(ImportedRow.source) == source)
    if kind:
        query = query.where(col(ImportedRow.kind) == kind)
    found = (await session.exec(query)).all()
    items = [
        Difference(
            difference_id=row.id,
            source=record.source,
            kind=record.kind,
            external_id=record.external_id,
            field=row.field,
            shop_value=row.shop_value,
            portal_value=row.portal_value,
            customer_id=customer.public_id if customer else "",
            customer=customer.full_name if customer else "",
            found_at=row.found_at,
        )
        for row, record, customer in found[:AT_ONCE]
    ]
    return Differences(items=items, next_after=items[-1].difference_id if len(found) > AT_ONCE else None)


async def settle(context: Context, session: AsyncSession, difference_id: int, keep: Side) -> str:
    """Settle a difference in the caller's transaction. The same decision again changes nothing.

    A customer who gets the e-mail address of the shop is told at both, and logs in anew. Its public id is returned.
    """
    readdressed = ""
    now = context.clock()
    query = select(ImportDifferenceRow).where(col(ImportDifferenceRow.id) == difference_id)
    row = await find_one(session, query, lock=True)
    if row.settled_at is not None:
        if row.kept is not keep:
            raise Conflict(Code.STATUS_CHANGED)
        return readdressed
    if keep is Side.SHOP:
        found = select(ImportedRow).where(col(ImportedRow.id) == row.imported_id)
        record = (await session.exec(found)).one()
        await _take(session, KINDS[record.kind], record, row)
        if record.customer_id and record.kind in {"customers", "bikes"}:
            await (await session.connection()).run_sync(write_search_texts, [record.customer_id])
        if record.kind == "customers" and row.field == "email":
            customer = await session.get(CustomerRow, record.row_id, populate_existing=True)
            assert customer  # noqa: S101 - its row was just changed
            readdressed = customer.public_id
            await log_out(session, customer, now)
            told, locale = (row.portal_value, row.shop_value), known_locale(customer.locale)
            await notify_address(session, Outbox(context), customer.id, locale, customer.email, told)
        if record.kind == "orders" and record.customer_id:
            await live.publish(session, record.customer_id, Topic.DELIVERIES, now)
    row.kept, row.settled_at = keep, now
    await session.flush()
    return readdressed


async def _take(session: AsyncSession, kind: Kind, record: ImportedRow, difference: ImportDifferenceRow) -> None:
    """Write the value of the shop into its row."""
    name, _, rest = difference.field.partition(".")
    child = next((entry for entry in kind.children if entry.name == name), None) if rest else None
    if child is None:
        table, values = table_of(kind.table), record.values
        field, follow = name, kind.follow.get(name, ())
        own = row_condition(kind, record.row_id, {key: _read(table.c[key], values[key]) for key in kind.natural})
    else:
        key, _, field = rest.partition(".")
        table, follow = table_of(child.table), ()
        own = table.c.id == await _child_row(session, child, record.row_id, key)
        parts = enumerate(record.values[child.name])
        values = next(part for place, part in parts if key_of(child, place, part) == key)
    current = (await execute(session, columns(table.c[field]).where(own))).one_or_none()
    if current is None or shown(current[0]) != difference.portal_value:
        raise Conflict(Code.STATUS_CHANGED)
    taken = {entry: _read(table.c[entry], values[entry]) for entry in (field, *follow)}
    await execute(session, update(table).where(own).values(taken))


async def _child_row(session: AsyncSession, child: Child, parent: int, key: str) -> int:
    table = table_of(child.table)
    query = columns(table).where(table.c[child.parent] == parent).order_by(table.c.id)
    rows: list[dict[str, Any]] = [dict(row) for row in (await execute(session, query)).mappings()]
    found = [row["id"] for place, row in enumerate(rows) if key_of(child, place, row) == key]
    if not found:
        raise Conflict(Code.STATUS_CHANGED)
    return found[0]


def _read(column: Column[Any], value: Any) -> Any:
    """A value as it was stored as JSON (`merging.plain_value`), for its column."""
    if value is None:
        return None
    kind = column.type
    if isinstance(kind, Cents | Numeric):
        return Decimal(value)
    if isinstance(kind, UtcDateTime):
        return datetime.fromisoformat(value)
    return date.fromisoformat(value) if isinstance(kind, Date) else value
