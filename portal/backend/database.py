"""The database: connections, reading, and its clock. SQLite serves one server, PostgreSQL several."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar, TypeVarTuple, overload

import structlog
from cryptography.fernet import MultiFernet
from sqlalchemy import Connection, Integer, bindparam, event, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import Select, SelectOfScalar

from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import PAGE_SIZE
from portal.kernel.days import now
from portal.tables.sealed import seal_with

log = structlog.get_logger(__name__)

_CONNECTIONS = 15
"""Maximum number of SQLite connections. Further requests wait."""

_WAIT_SECONDS = 5
"""How long to wait for a lock, or for a free connection to PostgreSQL. A URL of SQLite may have `?timeout=`, too."""


class Database:
    """Sessions on one database.

    Both kinds of session raise `Unavailable` when the database is down, locked or too busy.
    """

    def __init__(self, url: str, cipher: MultiFernet | None = None) -> None:
        """Prepare connections to `url`, an async SQLAlchemy URL. No connection is opened yet.

        `cipher`: of the sealed columns, which nobody reads without it.
        """
        self.url = url
        self.engine = _engine(url)
        if cipher:
            seal_with(self.engine.dialect, cipher)
        self._reading = async_sessionmaker(self.engine, class_=AsyncSession, expire_on_commit=False)
        self._writing = async_sessionmaker(
            self.engine.execution_options(writes=True), class_=AsyncSession, expire_on_commit=False
        )

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """A session for reading: one consistent snapshot, never committed."""
        with _Answering():
            async with self._reading() as session:
                yield session

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session for writing. It is committed at the end and rolled back on any error.

        On SQLite it takes the write lock at once (BEGIN IMMEDIATE), so that data it reads cannot change before the
        commit.
        """
        with _Answering():
            async with self._writing() as session, session.begin():
                yield session

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()


_HOURLY_LOCK = 7_160_461_904
"""Number of the PostgreSQL advisory lock of the hourly work; the value is arbitrary."""


@asynccontextmanager
async def hold_hourly_work(database: Database) -> AsyncIterator[bool]:
    """Hold the hourly work of all processes on a database: only one at a time gets True. SQLite serves one process.

    PostgreSQL gives the lock back when the process dies.
    """
    if database.engine.dialect.name != "postgresql":
        yield True
        return
    with _Answering():
        # Without a transaction, which the server would end when it is idle for long.
        engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            held = (await connection.execute(select(func.pg_try_advisory_lock(_HOURLY_LOCK)))).scalar_one()
            try:
                yield held
            finally:
                if held:
                    await connection.execute(select(func.pg_advisory_unlock(_HOURLY_LOCK)))


class OneTransaction(Database):
    """A database where everything happens in one open transaction, so that all of it is kept or none.

    What opens a transaction of its own gets a savepoint: it can fail alone.
    """

    def __init__(self, database: Database, session: AsyncSession) -> None:
        """Use the open transaction of a session of this database."""
        self.url, self.engine = database.url, database.engine
        self._session = session

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """The session of the transaction."""
        yield self._session

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """The session of the transaction, within a savepoint."""
        async with self._session.begin_nested():
            yield self._session


class _Answering:
    """Converts connection failures to `Unavailable`. Errors in data or queries pass through."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OperationalError | InterfaceError | PoolTimeoutError):
            # Only the type is logged: the message may contain a customer's input.
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
            pool_timeout=_WAIT_SECONDS,
            # Timeouts detect a dead or hanging database server within seconds.
            connect_args={
                "connect_timeout": 3,
                "tcp_user_timeout": 10_000,
                "options": f"-c lock_timeout={_WAIT_SECONDS}s -c statement_timeout={2 * _WAIT_SECONDS}s"
                f" -c idle_in_transaction_session_timeout={6 * _WAIT_SECONDS}s",
            },
            hide_parameters=True,
        )
    if address.database:
        Path(address.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if "timeout" not in address.query:
        address = address.update_query_dict({"timeout": str(_WAIT_SECONDS)})
    engine = create_async_engine(
        address,
        # Each connection costs a thread and a page cache, so connections are opened on demand and reused.
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "connect", prepare_sqlite)
    event.listen(engine.sync_engine, "begin", begin_sqlite)
    event.listen(engine.sync_engine, "invalidate", _release_sqlite)
    return engine


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Set up a new SQLite connection so that commits are durable and readers do not wait for a writer."""
    connection.isolation_level = None  # `begin_sqlite` begins transactions instead of the driver.
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def begin_sqlite(connection: Connection) -> None:
    """Begin a transaction. A writing transaction takes the write lock at once."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _release_sqlite(connection: Any, _record: object, _error: object) -> None:
    """Roll back what a cancelled call had begun. A cursor that is still referenced would keep the write lock.

    An error here would replace the cancellation, and the task would run on: a worker would never stop.
    """
    with suppress(Exception):
        connection.rollback()


T = TypeVar("T")
Rows = TypeVarTuple("Rows")

CUSTOMER: Any = bindparam("customer_id", type_=Integer)
"""Bind parameter for the customer."""


def checked(customer: Any) -> Any:
    """The condition that a row that is found by something else, such as its id, belongs to the customer.

    It is computed, so that the database does not read all rows of the customer by the index on this column.
    """
    return customer + 0 == CUSTOMER


@overload
async def find_one(session: AsyncSession, query: SelectOfScalar[T], *, lock: bool = ..., **values: object) -> T: ...


@overload
async def find_one(
    session: AsyncSession, query: Select[*Rows], *, lock: bool = ..., **values: object
) -> tuple[*Rows]: ...


async def find_one(session: AsyncSession, query: Any, *, lock: bool = False, **values: object) -> Any:
    """The only row of a query."""
    row = (await session.exec(query.with_for_update() if lock else query, params=values)).one_or_none()
    if row is None:
        raise NotFound
    return row


_OFFSET, _SIZE = "offset_of_page", "size_of_page"


@dataclass(frozen=True, slots=True)
class PagePosition:
    """Position of a page in a list: `page` counts from 1 to `pages`; `total` is the number of entries."""

    page: int
    pages: int
    total: int
    size: int = PAGE_SIZE

    @property
    def offset(self) -> int:
        """Number of entries before this page."""
        return (self.page - 1) * self.size

    @classmethod
    def of(cls, page: int, total: int, size: int = PAGE_SIZE) -> PagePosition:
        """The position of a requested page, clamped to the existing pages."""
        pages = max(1, -(-total // size))
        return cls(min(max(page, 1), pages), pages, total, size)


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """The rows of one page and its position."""

    rows: Sequence[T]
    place: PagePosition


def like(text: str) -> str:
    """A pattern for LIKE, escaped by a backslash, that finds a text anywhere in a column that is in lower case."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", text.strip().lower()) + "%"


async def part_of(
    session: AsyncSession, query: SelectOfScalar[T], page: int, size: int = PAGE_SIZE, **values: object
) -> Part[T]:
    """Read one page of an ordered query, in two statements.

    `query`: an ordered statement, shared by all customers; the customer is a parameter.
    `page`: number of the page, from 1; clamped to the existing pages.
    """
    counted, paged = _statements(query)
    total: int = (await session.exec(counted, params=values)).one()
    place = PagePosition.of(page, total, size)
    rows = (await session.exec(paged, params={**values, _OFFSET: place.offset, _SIZE: size})).all()
    return Part(rows, place)


@lru_cache(maxsize=32)
def _statements(query: SelectOfScalar[Any]) -> tuple[Any, SelectOfScalar[Any]]:
    counted = query.order_by(None).with_only_columns(func.count(), maintain_column_froms=True)
    return counted, query.offset(bindparam(_OFFSET, type_=Integer)).limit(bindparam(_SIZE, type_=Integer))


READ_SECONDS = 30
"""Seconds between two readings. In between, the monotonic clock counts, which nobody can set."""

RETRY_SECONDS = 1

_MAX_READING_SECONDS = 1.0
"""A reading that took longer is too inexact to be used."""

_NOTABLE = timedelta(seconds=5)
"""A difference between the machine and the database that the log reports."""


class DatabaseClock:
    """The current moment by the clock of a PostgreSQL server. SQLite has that of the machine.

    Until the first reading it is the clock of the machine.
    """

    def __init__(self, database: Database, machine: Callable[[], datetime] = now) -> None:
        """Create the clock; nothing is read yet.

        `machine`: the clock of this machine, aware, in UTC.
        """
        self._database = database
        self._machine = machine
        self._reading: tuple[datetime, float] | None = None
        self._following: asyncio.Task[None] | None = None

    def __call__(self) -> datetime:
        """The current moment, aware, in UTC."""
        if self._reading is None:
            return self._machine()
        moment, read_at = self._reading
        return moment + timedelta(seconds=time.monotonic() - read_at)

    async def start(self) -> None:
        """Read the clock now, and again and again until `stop`."""
        if self._database.engine.dialect.name == "postgresql" and self._following is None:
            await self._read()
            self._following = asyncio.create_task(self._follow(), name="clock")

    async def stop(self) -> None:
        """Read it no more."""
        if self._following:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
            self._following = None

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(READ_SECONDS if self._reading else RETRY_SECONDS)
            await self._read()

    async def _read(self) -> None:
        asked = time.monotonic()
        try:
            async with self._database.session() as session:
                # Opening a connection is not part of the reading.
                connection = await session.connection()
                asked = time.monotonic()
                moment: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
        except Unavailable:
            return
        answered = time.monotonic()
        if answered - asked > _MAX_READING_SECONDS:
            return
        difference = moment - self._machine()
        if abs(difference) > _NOTABLE and self._reading is None:
            log.warning("clock differs from the database", seconds=round(difference.total_seconds()))
        self._reading = (moment + timedelta(seconds=(answered - asked) / 2), answered)
