"""Unique markers in every personal column, and the search for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, select, update

from portal.backend.context import Context
from portal.privacy.provider.inventory import INVENTORY, StoredData
from portal.tables import metadata

PREFIX = "zq"
"""How a marker begins; the data of the demonstration shop do not have it."""


def columns_of(stored: StoredData) -> list[Column[Any]]:
    """The columns of a table that get markers."""
    return [stored.table.c[name] for name in sorted(stored.personal | stored.tax)]


async def mark(context: Context, customer_id: int) -> dict[str, str]:
    """Put a marker into every personal column of every row of a customer.

    Returns:
        The place of each marker, as `table.column`.
    """
    places: dict[str, str] = {}
    async with context.database.transaction() as session:
        for stored in INVENTORY:
            columns = columns_of(stored)
            if not columns:
                continue
            key = list(stored.table.primary_key)
            # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
            rows = (await session.exec(select(*key).where(stored.rows_of(customer_id)))).all()
            for row in rows:
                values: dict[str, Any] = {}
                for column in columns:
                    marker = f"{PREFIX}{len(places):04}"
                    places[marker] = f"{stored.table.name}.{column.name}"
                    values[column.name] = _holding(column, marker)
                this = [part == value for part, value in zip(key, row, strict=True)]
                await session.exec(update(stored.table).where(*this).values(values))
    return places


def _holding(column: Column[Any], marker: str) -> Any:
    if isinstance(column.type, JSON):
        return {"street": marker}
    return f"{marker}@example.com" if column.name in {"email", "email_key", "recipient"} else marker


async def in_database(context: Context) -> str:
    """Everything that the database holds, as one text."""
    found: list[str] = []
    async with context.database.session() as session:
        for table in metadata.sorted_tables:
            rows = (await (await session.connection()).execute(select(table))).all()
            found.extend(json.dumps([*row], default=str, ensure_ascii=False) for row in rows)
    return "\n".join(found)


def in_files(data_dir: Path, *, without: str = "*.db*") -> bytes:
    """The content and the names of all files of the data directory but the database."""
    files = [path for path in sorted(data_dir.rglob("*")) if path.is_file() and not path.match(without)]
    return b"\n".join([path.name.encode() + path.read_bytes() for path in files])


def found(places: dict[str, str], text: str | bytes) -> set[str]:
    """The places of the markers that a text has."""
    whole = text if isinstance(text, str) else text.decode("latin-1")
    return {place for marker, place in places.items() if marker in whole}
