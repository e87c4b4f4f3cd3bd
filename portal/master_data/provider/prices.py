"""Prices, tariffs and places: what holds, what is announced, and changes of it.

The functions work in the caller's transaction, so that an operation of staff adds its check of rights and its audit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import ValidationError
from sqlalchemy import and_, delete, insert, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import InvalidInput, NotFound
from portal.imports.provider.kinds import KINDS, Kind, execute
from portal.imports.provider.merging import plain, table_of
from portal.imports.rules.records import DatedRecord
from portal.kernel.codes import Code
from portal.master_data.api import Entry, Period
from portal.tables.exchange import ImportedRow

PRICES: Mapping[str, Kind] = {
    name: kind for name, kind in KINDS.items() if issubclass(kind.record, DatedRecord) or name == "delivery-days"
}
"""The kinds of records that staff change, by name."""

_CODES = {"missing": Code.REQUIRED, "string_too_long": Code.TOO_LONG}
_OWN = "portal"
"""External id of a record that no shop sent."""


async def entries(session: AsyncSession, kind_name: str, today: date, shop: str = "") -> list[Entry]:
    """Return everything of a kind, sorted by key: earlier, current and announced."""
    kind = _kind(kind_name)
    table = table_of(kind.table)
    query = select(*(table.c[name] for name in _fields(kind))).order_by(*(table.c[name] for name in _named(kind)))
    if kind.per_shop:
        query = query.where(table.c.shop == shop)
    rows: list[dict[str, Any]] = [dict(row) for row in (await execute(session, query)).mappings()]
    current: dict[tuple[Any, ...], date] = {}
    for row in rows:
        if _day(kind, row) <= today:
            current[_about(kind, row)] = max(_day(kind, row), current.get(_about(kind, row), date.min))
    return [
        Entry(
            key=_key(kind, row),
            period=_period(_day(kind, row), today, current.get(_about(kind, row))),
            values=plain(row),
        )
        for row in rows
    ]


async def announce(
    session: AsyncSession, kind_name: str, values: Mapping[str, Any], today: date, shop: str = ""
) -> Entry:
    """Store a price or number that holds from a day on, or replace what was announced for that day."""
    kind = _kind(kind_name)
    try:
        record = kind.record.model_validate({**values, "external_id": _OWN})
    except ValidationError as error:
        raise InvalidInput(Code.INVALID_INPUT, fields=_problems(error)) from None
    columns: dict[str, Any] = {**kind.columns(record, {}), **_of_shop(kind, shop)}
    day = kind.natural[-1]
    if columns[day] < today:
        raise InvalidInput(Code.INVALID_INPUT, fields={day: Code.INVALID_INPUT})
    table = table_of(kind.table)
    same = and_(*(table.c[name] == columns[name] for name in kind.natural))
    if kind_name == "delivery-days":
        taken = (await execute(session, select(table.c.taken).where(same).with_for_update())).scalar()
        if (taken or 0) > columns["capacity"]:
            raise InvalidInput(Code.INVALID_INPUT, fields={"capacity": Code.INVALID_INPUT})
    if (await execute(session, update(table).where(same).values(columns))).rowcount == 0:
        await execute(session, insert(table).values(columns))
    return Entry(key=_key(kind, columns), period=_period(columns[day], today, columns[day]), values=plain(columns))


async def withdraw(session: AsyncSession, kind_name: str, key: str, today: date, shop: str = "") -> None:
    """Delete a price or number that was announced and does not hold yet."""
    kind = _kind(kind_name)
    if not issubclass(kind.record, DatedRecord):
        raise NotFound
    table = table_of(kind.table)
    query = select(table.c.id, *(table.c[name] for name in kind.natural)).where(table.c.valid_from > today)
    if kind.per_shop:
        query = query.where(table.c.shop == shop)
    rows: list[dict[str, Any]] = [dict(row) for row in (await execute(session, query)).mappings()]
    found = next((row["id"] for row in rows if _key(kind, row) == key), None)
    if found is None:
        raise NotFound
    await execute(session, delete(table).where(table.c.id == found))
    # The database may give the number to another row; an import must not take that one for its own.
    imported = table_of(ImportedRow)
    of_row = and_(imported.c.kind == kind.name, imported.c.row_id == found)
    await execute(session, update(imported).where(of_row).values(row_id=0))


def entry_key(identity: Mapping[str, Any]) -> str:
    """The key of a price: what it is about, and from which day it holds."""
    return "~".join(str(value).lower() for value in plain(identity).values())


def _kind(name: str) -> Kind:
    if name not in PRICES:
        raise NotFound
    return PRICES[name]


def _fields(kind: Kind) -> list[str]:
    return [name for name in kind.record.model_fields if name != "external_id"]


def _day(kind: Kind, row: Mapping[str, Any]) -> date:
    """The day of a row: the last part of its natural key."""
    day: date = row[kind.natural[-1]]
    return day


def _about(kind: Kind, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a row is about, whatever its day. Days of a calendar follow no other."""
    names = _named(kind)[:-1] if issubclass(kind.record, DatedRecord) else kind.natural
    return tuple(row[name] for name in names)


def _key(kind: Kind, row: Mapping[str, Any]) -> str:
    return entry_key({name: row[name] for name in _named(kind)})


def _named(kind: Kind) -> tuple[str, ...]:
    """What identifies a row within its shop."""
    return tuple(name for name in kind.natural if name != "shop")


def _of_shop(kind: Kind, shop: str) -> dict[str, str]:
    if kind.per_shop:
        return {"shop": shop}
    if shop:
        raise NotFound
    return {}


def _period(day: date, today: date, current: date | None) -> Period:
    if day > today:
        return Period.LATER
    return Period.NOW if day == current else Period.EARLIER


def _problems(error: ValidationError) -> dict[str, Code]:
    """The first problem of each field."""
    fields: dict[str, Code] = {}
    for problem in error.errors(include_url=False, include_input=False):
        name = str(problem["loc"][0]) if problem["loc"] else str(problem.get("ctx", {}).get("place", ""))
        fields.setdefault(name, _CODES.get(problem["type"], Code.INVALID_INPUT))
    return fields
