"""A customer with rows in every table, whom nothing keeps from erasure, and unique markers in personal columns."""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Date, Integer, Numeric, String, Table, update
from sqlalchemy import select as select_columns
from sqlalchemy.types import TypeDecorator
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.privacy.provider.inventory import BY_TABLE, INVENTORY, StoredData
from portal.tables import metadata
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.columns import Cents, EnumText, UtcDateTime
from portal.tables.customers import CustomerRow, LoginChallenge, PasskeyChallengeRow, PasswordRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import JobRow, OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.sealed import SealedJson
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseKind, CaseState
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

FILE = b"zqfile: what a customer uploaded"


async def run_jobs(context: Context) -> None:
    """Run all waiting jobs, as the worker does, and those that they cause."""
    while True:
        async with context.database.transaction() as session:
            jobs = (await session.exec(select(JobRow).where(col(JobRow.due_at) <= context.clock()))).all()
            for job in jobs:
                await session.delete(job)
        if not jobs:
            return
        for job in jobs:
            await context.jobs._handlers[job.kind](job.reference)


async def settle(context: Context, customer_id: int) -> None:
    of = {"customer_id": customer_id}
    finished: list[tuple[type[Any], dict[str, Any]]] = [
        (RequestRow, {"status": WorkOrderStatus.DONE}),
        (ReturnRow, {"status": ReturnStatus.REFUND_PROCESSED}),
        (InsuranceRequestRow, {"status": InsuranceStatus.CANCELLED}),
        (DateChangeRow, {"status": DateChangeStatus.EXPIRED}),
        (BikeRow, {"insurance": "", "service_package": None}),
        (OrderRow, {"delivery_status": DeliveryStatus.ORDER_DELIVERED, "paid": OrderRow.total, "settled": Decimal(0)}),
    ]
    async with context.database.transaction() as session:
        for table, values in finished:
            await session.exec(update(table).filter_by(**of).values(values))


_MARKED: tuple[type[Any], ...] = (LoginChallenge, PasswordRow, PasskeyChallengeRow)
"""Tables without personal columns, whose secrets are in no copy."""


async def furnish(context: Context, email: str) -> int:
    """Give a customer a row in every table with personal data, and a stored file; return the primary key."""
    now, key = context.clock(), secrets.token_hex(32)
    chosen: dict[type[Any], dict[str, Any]] = {
        RequestRow: {"kind": RequestKind.REPAIR, "status": WorkOrderStatus.DONE, "draft_key": key},
        CaseRow: {"kind": CaseKind.REPAIR, "state": CaseState.DONE, "status": "done", "closed_at": now},
        ReturnUnitRow: {"number": 99, "released_at": now},
        OutboxMail: {"template": "login_code", "sent_at": now},
        UploadRow: {"key": key, "request_key": key, "state": UploadState.COMPLETE, "stored_size": len(FILE)},
    }
    async with context.database.transaction() as session:
        customer_id = (await session.exec(select(CustomerRow.id).where(CustomerRow.email == email))).one()
        connection = await session.connection()

        async def owned(table: Table) -> Any:
            """The key of a row of this customer; newest first."""
            (column,) = table.primary_key
            query = select_columns(column).where(BY_TABLE[table.name].rows_of(customer_id))
            return (await connection.execute(query.order_by(column.desc()).limit(1))).scalar_one_or_none()

        extra = {row.__table__ for row in _MARKED}
        given = {row.__table__: values for row, values in chosen.items()}
        for table in metadata.sorted_tables:
            stored = BY_TABLE.get(table.name)
            if stored is None or not (columns_of(stored) or table in extra):
                continue
            if table not in given and table.name in _THERE:
                continue
            values = {"customer_id": customer_id} if "customer_id" in table.c else {}
            for column in table.c:
                needed = not (column.nullable or column.default or column.primary_key) or column.foreign_keys
                if column.name in values or not needed or column.nullable:
                    continue
                (target,) = [found.column.table for found in column.foreign_keys] or [None]
                values[column.name] = _sample(column, now, email) if target is None else await owned(target)
            await connection.execute(table.insert().values(values | given.get(table, {})))
    file = context.settings.data_dir / "given"
    file.write_bytes(FILE)
    await store_of(context.settings).keep(key, file)
    return customer_id


_THERE = {"customers", "bikes", "orders", "order_addresses"}
"""Tables in which each customer of the demonstration has a row."""


def _sample(column: Column[Any], now: datetime, email: str) -> Any:
    """A value that a column takes."""
    if isinstance(column.type, EnumText):
        return next(iter(column.type.kind))
    if isinstance(column.type, UtcDateTime):
        return now + timedelta(days=3) if column.name.endswith(("expires_at", "due_at")) else now
    if isinstance(column.type, Cents):
        return Decimal(1)
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(kind, JSON):
        return {}
    if isinstance(kind, Date):
        return now.date()
    if isinstance(kind, Numeric | Integer | Boolean):
        return kind.python_type(1)
    assert isinstance(kind, String)
    named = {"locale": "nl", "country_code": "NL", "email": email, "recipient": email}
    return named.get(column.name, secrets.token_hex(4)[: kind.length])


PREFIX = "zq"
"""How a marker begins; the data of the demonstration shop do not have it."""


def columns_of(stored: StoredData) -> list[Column[Any]]:
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
            rows = (await session.exec(select_columns(*key).where(stored.rows_of(customer_id)))).all()
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
    if isinstance(column.type, JSON | SealedJson):
        return {"street": marker}
    return f"{marker}@example.com" if column.name in {"email", "email_key", "recipient"} else marker


async def in_database(context: Context) -> str:
    found: list[str] = []
    async with context.database.session() as session:
        for table in metadata.sorted_tables:
            rows = (await (await session.connection()).execute(select_columns(table))).all()
            found.extend(json.dumps([*row], default=str, ensure_ascii=False) for row in rows)
    return "\n".join(found)


def in_files(data_dir: Path, *, without: str = "*.db*") -> bytes:
    """The content and the names of all files of the data directory but the database."""
    files = [path for path in sorted(data_dir.rglob("*")) if path.is_file() and not path.match(without)]
    return b"\n".join([path.name.encode() + path.read_bytes() for path in files])


def found(places: dict[str, str], text: str | bytes) -> set[str]:
    whole = text if isinstance(text, str) else text.decode("latin-1")
    return {place for marker, place in places.items() if marker in whole}
