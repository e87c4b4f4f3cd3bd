"""Providers as processes of their own, on any database, with a real mail server beside them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import database_of
from portal.backend.database import Database
from portal.client.caller import Limits
from portal.client.remote import HttpProvider
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.columns import Table
from tests.support.furnished import Furnished
from tests.support.ports import free_port
from tests.support.text_gateway import TOKEN, UNUSED
from tests.support.worker_pool import wait_for, worker_pool

PATIENT = Limits(total_seconds=60, connect_seconds=5)


@contextmanager
def served(url: str, data_dir: Path, mail_port: int, moments: Sequence[str] = ()) -> Iterator[str]:
    """A provider in a process; gives its address.

    Args:
        url: of the database.
        data_dir: for its files and log.
        mail_port: where the mail server listens.
        moments: when it dies, once at each; see `tests.support.fragile`.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    environment |= {
        "PORTAL_DATABASE_URL": url,
        "PORTAL_DATA_DIR": str(data_dir),
        "PORTAL_SMTP__HOST": "127.0.0.1",
        "PORTAL_SMTP__PORT": str(mail_port),
        "PORTAL_SMTP__SECURITY": "none",
        "PORTAL_TEXT_GATEWAY__URL": str(UNUSED.url),
        "PORTAL_TEXT_GATEWAY__TOKEN": TOKEN,
        "FRAGILE_MOMENTS": " ".join(moments),
    }
    data_dir.mkdir(parents=True, exist_ok=True)
    process = worker_pool().fork("tests.support.fragile", [str(port)], environment, data_dir / "server.log")
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process)
        yield address
    finally:
        process.kill()


@asynccontextmanager
async def client_of(address: str) -> AsyncIterator[HttpProvider]:
    """A patient client."""
    client = HttpProvider(address, limits=PATIENT)
    try:
        yield client
    finally:
        await client.close()


async def sessions_of(url: str, data_dir: Path, customer: tuple[str, str], count: int = 1) -> list[str]:
    """So many sessions of one customer, as on so many devices."""
    application = Application(Settings(database_url=url, data_dir=data_dir))
    try:
        return [await Furnished(application).log_in(customer) for _ in range(count)]
    finally:
        await application.context.database.close()


async def read(url: str, statement: str, **values: Any) -> Sequence[Any]:
    """Rows of a database that a server is working on."""
    async with reading(url) as database, database.session() as session:
        return await _rows(session, statement, values)


async def counted(url: str) -> dict[str, int]:
    """How many rows each table has."""
    tables = Table.metadata.tables
    every = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in tables)
    return {name: count for name, count in await read(url, every)}


async def mails_sent(url: str) -> None:
    """Wait until no mail is left to be sent: no job sends one or makes one any more."""
    async with asyncio.timeout(60), reading(url) as database:
        while True:
            async with database.session() as session:
                if not await _rows(session, "SELECT 1 FROM jobs WHERE kind IN ('mail', 'case event')", {}):
                    return
            await asyncio.sleep(0.02)


@asynccontextmanager
async def reading(url: str) -> AsyncIterator[Database]:
    """The database, beside the server."""
    database = database_of(Settings(database_url=url))
    try:
        yield database
    finally:
        await database.close()


async def _rows(session: AsyncSession, statement: str, values: dict[str, Any]) -> Sequence[Any]:
    connection = await session.connection()
    return (await connection.execute(text(statement), values)).all()
