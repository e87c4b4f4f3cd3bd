"""The database: SQLite for one server, PostgreSQL for more. The only truth of the house."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Unavailable
from portal.provider.sqlite import creator

log = structlog.get_logger(__name__)

_POSTGRESQL: dict[str, Any] = {
    # A dead or hanging server is noticed within seconds; nobody waits for it longer than for a slow answer.
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "options": "-c statement_timeout=10000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000",
}

_CONNECTIONS = 15
"""Questions that SQLite is asked side by side, at most; a further one waits."""
_LOCKED_SECONDS = "5"
"""How long SQLite waits for whoever is writing, where the address does not say so itself (`?timeout=`)."""


class Database:
    """Sessions on one database.

    Both kinds of session answer a database that is down, locked or too busy with `Unavailable`: for a customer that
    is the same as a provider that cannot be reached.
    """

    def __init__(self, url: str) -> None:
        """Prepare connections to `url`, an async SQLAlchemy address. Nothing is opened yet."""
        self.url = url
        self.engine = _engine(url)
        self._reading = async_sessionmaker(self.engine, class_=AsyncSession, expire_on_commit=False)
        self._writing = async_sessionmaker(
            self.engine.execution_options(writes=True), class_=AsyncSession, expire_on_commit=False
        )

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """A session for reading: one consistent view; nothing is committed.

        Raises:
            Unavailable: the database does not answer.
        """
        with _Answering():
            async with self._reading() as session:
                yield session

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session for writing, committed at the end, rolled back on any error.

        On SQLite it takes the write lock at once (BEGIN IMMEDIATE), so that what is read stays true until the commit.

        Raises:
            Unavailable: the database does not answer.
        """
        with _Answering():
            async with self._writing() as session, session.begin():
                yield session

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()


class _Answering:
    """Turns failures of the connection into `Unavailable`; mistakes in data or queries pass."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OperationalError | InterfaceError | PoolTimeoutError):
            # The kind only: the message may hold what a customer typed.
            log.error("database_away", kind=type(error).__name__)
            raise Unavailable from error


def _engine(url: str) -> AsyncEngine:
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_async_engine(
            address,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=10,
            pool_timeout=5,
            connect_args=_POSTGRESQL,
            hide_parameters=True,
        )
    if address.database:
        Path(address.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if "timeout" not in address.query:
        address = address.update_query_dict({"timeout": _LOCKED_SECONDS})
    engine = create_async_engine(
        address,
        async_creator=creator(address),
        # Each is a thread with a cache of pages: as many as are needed at once are made, and kept.
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "connect", prepare_sqlite)
    event.listen(engine.sync_engine, "begin", begin_sqlite)
    return engine


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Set up a fresh SQLite connection: nothing acknowledged is lost, and readers do not wait for the writer."""
    connection.isolation_level = None  # The driver must not begin by itself: `begin_sqlite` does.
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def begin_sqlite(connection: Connection) -> None:
    """Begin a transaction, with the write lock at once when it is going to write."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
