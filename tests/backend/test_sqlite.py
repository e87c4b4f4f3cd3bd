"""The connection to SQLite: what it saves, and that SQLAlchemy does not notice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import aiosqlite  # noqa: TID251 - its private names are tested here
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from portal.backend.database import Database

_SLOW = text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000000) SELECT max(x) FROM n")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A database with a table of names, two in it."""
    made = Database(f"sqlite+aiosqlite:///{tmp_path / 'small.db'}")
    async with made.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT UNIQUE)"))
        await connection.execute(text("INSERT INTO names (name) VALUES (:name)"), [{"name": "Fien"}, {"name": "Daan"}])
    yield made
    await made.close()


async def _names(database: Database) -> list[str]:
    async with database.session() as session:
        connection = await session.connection()
        return list((await connection.execute(text("SELECT name FROM names ORDER BY name"))).scalars())


async def _add(database: Database, name: str) -> None:
    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("INSERT INTO names (name) VALUES (:name)"), {"name": name})


async def test_aiosqlite_still_has_what_the_connection_needs() -> None:
    async with aiosqlite.connect(":memory:") as connection:
        assert connection._thread.is_alive()
        assert connection._running
        assert connection._connection is connection._conn
        assert await connection._execute(lambda number: number + 1, 1) == 2
        done = threading.Event()
        connection._tx.put_nowait((None, done.set))
        assert await asyncio.to_thread(done.wait, 5), "what is put into the queue is done without being waited for"


async def test_each_question_is_one_trip_and_nobody_waits_for_their_end(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _names(database)  # connected
    trips: list[object] = []
    execute = aiosqlite.Connection._execute

    async def counted(connection: aiosqlite.Connection, *work: object) -> object:
        trips.append(work)
        return await execute(connection, *work)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    async with database.session() as session:
        connection = await session.connection()
        for _ in range(3):
            await connection.execute(text("SELECT name FROM names"))
    assert len(trips) == 3


async def test_a_view_stays_the_same_while_others_write_and_the_next_one_is_new(database: Database) -> None:
    for name in ("Sem", "Noor", "Bram"):
        async with database.session() as session:
            connection = await session.connection()
            count = text("SELECT count(*) FROM names")
            before = (await connection.execute(count)).scalar_one()
            await _add(database, name)
            assert (await connection.execute(count)).scalar_one() == before
        assert name in await _names(database)


async def test_what_is_rolled_back_was_never_there(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction() as session:
            connection = await session.connection()
            await connection.execute(text("INSERT INTO names (name) VALUES ('Sem')"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await _names(database) == ["Daan", "Fien"]


async def test_a_transaction_that_asks_nothing_ends_without_a_word(database: Database) -> None:
    async with database.session() as session:
        await session.connection()
    async with database.transaction() as session:
        await session.connection()
    assert await _names(database) == ["Daan", "Fien"]


async def test_rows_counts_and_keys_come_along(database: Database) -> None:
    async with database.transaction() as session:
        connection = await session.connection()
        inserted = await connection.execute(text("INSERT INTO names (name) VALUES ('Sem')"))
        assert inserted.lastrowid == 3
        changed = await connection.execute(text("UPDATE names SET name = name || '!' RETURNING id, name"))
        assert sorted(changed.mappings(), key=lambda row: row["id"])[2] == {"id": 3, "name": "Sem!"}
        gone = await connection.execute(text("DELETE FROM names WHERE id < 3"))
        assert gone.rowcount == 2
        nothing = await connection.execute(text("SELECT name FROM names WHERE id = 99"))
        assert list(nothing.keys()) == ["name"]
        assert nothing.all() == []


async def test_a_refusal_is_reported_and_the_connection_goes_on(database: Database) -> None:
    with pytest.raises(IntegrityError):
        await _add(database, "Fien")
    await _add(database, "Sem")
    assert await _names(database) == ["Daan", "Fien", "Sem"]


async def test_a_commit_that_fails_can_be_rolled_back(database: Database) -> None:
    async def orphan() -> None:
        async with database.transaction() as session:
            connection = await session.connection()
            await connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            await connection.execute(text("INSERT INTO owned (owner) VALUES (99)"))

    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("CREATE TABLE owned (owner INTEGER REFERENCES names (id))"))
    with pytest.raises(IntegrityError):
        await orphan()
    await _add(database, "Sem")
    async with database.session() as session:
        assert (await (await session.connection()).execute(text("SELECT count(*) FROM owned"))).scalar_one() == 0


@pytest.mark.parametrize("writes", [False, True])
async def test_who_leaves_in_the_middle_of_a_question_leaves_nothing_open(database: Database, writes: bool) -> None:
    async def leave() -> None:
        async with database.transaction() if writes else database.session() as session:
            connection = await session.connection()
            if writes:
                await connection.execute(text("INSERT INTO names (name) VALUES ('Sem')"))
            await connection.execute(_SLOW)

    left = asyncio.create_task(leave())
    await asyncio.sleep(0.1)
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    await _add(database, "Noor")
    assert await _names(database) == ["Daan", "Fien", "Noor"]


async def test_many_ask_and_write_at_once(database: Database) -> None:
    async def write(number: int) -> None:
        await _add(database, f"klant {number}")
        assert f"klant {number}" in await _names(database)

    await asyncio.gather(*(write(number) for number in range(40)))
    assert len(await _names(database)) == 42
