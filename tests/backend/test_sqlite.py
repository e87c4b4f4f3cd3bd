"""SQLite: snapshots, cancelled work and many connections at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from portal.backend.database import Database


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


async def test_a_view_stays_the_same_while_others_write_and_the_next_one_is_new(database: Database) -> None:
    for name in ("Sem", "Noor", "Bram"):
        async with database.session() as session:
            connection = await session.connection()
            count = text("SELECT count(*) FROM names")
            before = (await connection.execute(count)).scalar_one()
            await _add(database, name)
            assert (await connection.execute(count)).scalar_one() == before
        assert name in await _names(database)


@pytest.mark.parametrize("writes", [False, True])
async def test_a_cancelled_call_ends_and_leaves_nothing_open(database: Database, writes: bool) -> None:
    """The first row exists and its cursor is open when the cancellation arrives. An interrupt would fail a rollback."""
    loop = asyncio.get_running_loop()

    async def call() -> None:
        async with database.transaction() if writes else database.session() as session:
            connection = await session.connection()
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            await driver.create_function("cancel", 0, lambda: loop.call_soon_threadsafe(called.cancel) and 1)
            if writes:
                await connection.execute(text("INSERT INTO names (name) VALUES ('Sem')"))
            await connection.execute(text("SELECT cancel() UNION ALL SELECT 2"))

    called = asyncio.create_task(call())
    with pytest.raises(asyncio.CancelledError):
        await called
    await _add(database, "Noor")
    assert await _names(database) == ["Daan", "Fien", "Noor"]


async def test_many_ask_and_write_at_once(database: Database) -> None:
    async def write(number: int) -> None:
        await _add(database, f"klant {number}")
        assert f"klant {number}" in await _names(database)

    await asyncio.gather(*(write(number) for number in range(40)))
    assert len(await _names(database)) == 42
