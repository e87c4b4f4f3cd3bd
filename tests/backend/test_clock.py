"""Machines whose clocks differ agree on the time of the database."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from portal.backend.context import Context
from portal.backend.database import Database, DatabaseClock
from portal.kernel.days import now
from portal.settings import Settings
from tests.support.waiting import until

POSTGRESQL = pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgres)])

_SECONDS_APART = 90


def _ahead() -> datetime:
    return now() + timedelta(seconds=_SECONDS_APART)


@POSTGRESQL
async def test_a_mail_is_sent_once_by_two_machines_90_seconds_apart(tables_url: str, tmp_path: Path) -> None:
    sent: list[str] = []
    settings = Settings(database_url=tables_url, data_dir=tmp_path)
    contexts: list[tuple[Context, DatabaseClock]] = []
    for name, machine in (("first", now), ("second", _ahead)):
        database = Database(settings.database)
        clock = DatabaseClock(database, machine)
        await clock.start()
        context = Context(settings, database, clock)

        async def send(_: int, name: str = name) -> None:
            sent.append(name)
            await asyncio.sleep(2)

        context.jobs.register("mail", send)
        contexts.append((context, clock))
    (first, _), (second, _) = contexts
    async with first.database.transaction() as session:
        await first.jobs.enqueue(session, "mail", 1, give_up_at=first.clock() + timedelta(hours=1))
    await first.jobs.start()
    await until(lambda: sent == ["first"])
    await second.jobs.start()
    await asyncio.sleep(1.5)
    for context, clock in contexts:
        await context.jobs.stop()
        await clock.stop()
        await context.database.close()
    assert sent == ["first"]


@pytest.mark.each_database
async def test_postgresql_gives_the_time_and_sqlite_has_the_clock_of_its_machine(tables_url: str) -> None:
    database = Database(tables_url)
    clock = DatabaseClock(database, _ahead)
    assert clock() - now() > timedelta(seconds=_SECONDS_APART - 5)
    await clock.start()
    ahead = 0 if tables_url.startswith("postgresql") else _SECONDS_APART
    assert abs(clock() - now() - timedelta(seconds=ahead)) < timedelta(seconds=5)
    await clock.stop()
    await database.close()
