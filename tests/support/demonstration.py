"""The demonstration shop, prepared once a day and copied for each test that needs it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from portal import demo
from portal.backend.migrations import migrate
from portal.kernel.days import today
from portal.provider.application import Application
from portal.settings import Settings
from tests.support.postgres import made_once, shop_name

if TYPE_CHECKING:
    from tests.support.postgres import PostgresCluster


def load_shop(options: Settings) -> None:
    """Load the shop without its photos: a copy for each test would take its time, and tests count their own files."""

    async def load() -> None:
        application = Application(options)
        await demo.keep_young(application)
        await demo.add_stories(application)
        await application.close()

    migrate(options.database)
    asyncio.run(load())


@pytest.fixture(scope="session")
def shop_of_day(tmp_path_factory: pytest.TempPathFactory) -> Callable[[date], Path]:
    """Makes the shop of a day. Its dates are relative to the day of loading, so a run over midnight needs two."""

    @cache
    def load(day: date) -> Path:
        return made_once(tmp_path_factory, f"demonstration-{day}", lambda made: load_shop(Settings(data_dir=made)))

    return load


@pytest.fixture(scope="session")
def served_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory with the demonstration shop as a server finds it at its second start, with photos."""

    def prepare(made: Path) -> None:
        # In a thread of its own: the browser keeps an event loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(Application.prepare, Settings(data_dir=made)).result()

    return made_once(tmp_path_factory, f"served-{today()}", prepare)


@pytest.fixture(scope="session")
def postgres_shop_of_day(postgres_cluster: PostgresCluster) -> Callable[[date], str]:
    """Makes the shop of a day on PostgreSQL. Tests copy the database of that name and never open it."""

    @cache
    def load(day: date) -> str:
        if postgres_cluster.has_database(shop_name(day)):
            return shop_name(day)
        url = postgres_cluster.create_database()
        # In a thread of its own: a browser may keep an event loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(load_shop, Settings(database_url=url)).result()
        return url.rpartition("/")[2]

    return load


@pytest.fixture(scope="session")
def aged_shop(shop_of_day: Callable[[date], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory with a demonstration shop whose bikes are old enough to be asked for their last service."""
    made = tmp_path_factory.mktemp("aged")
    shutil.copytree(shop_of_day(today()), made, dirs_exist_ok=True)
    with closing(sqlite3.connect(made / "portal.db")) as database, database:
        database.execute("UPDATE bikes SET delivered_on = '2020-01-01'")
    return made


@pytest.fixture(scope="module")
def demonstration(shop_of_day: Callable[[date], Path]) -> Path:
    """Directory with the database of the demonstration shop. Tests copy it and never open it."""
    return shop_of_day(today())
