"""Fixtures for the retailer's side in this process: on SQLite, and also on PostgreSQL for tests marked `each_database`.

`docs/decisions/0049-postgresql-where-it-differs.md` says which tests have this mark.

Each fixture imports what it needs when it is used, so other test runs do not load it.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from portal.kernel.days import today
from tests.support.postgres import TABLES, made_once

if TYPE_CHECKING:
    from tests.support.application import TestApplication
    from tests.support.furnished import Furnished
    from tests.support.living import Living
    from tests.support.postgres import PostgresCluster
    from tests.support.smtp import MailServer


DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `each_database` once on each database. Other tests run on SQLite."""
    if metafunc.definition.get_closest_marker("each_database") and "database_kind" in metafunc.fixturenames:
        metafunc.parametrize("database_kind", DATABASES)


@pytest.fixture
def database_kind() -> str:
    """The kind of database that the test runs on."""
    return "sqlite"


def _copied(kind: str, request: pytest.FixtureRequest, made: Callable[[str], Any]) -> Iterator[str]:
    """The URL of a copy of a prepared database, which is dropped after the test.

    Args:
        kind: of the database.
        request: of the fixture.
        made: the prepared database: a directory on SQLite, the name of a database on PostgreSQL.
    """
    if kind == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        shutil.copytree(made(kind), folder, dirs_exist_ok=True)
        yield f"sqlite+aiosqlite:///{folder / 'portal.db'}"
        return
    cluster: PostgresCluster = request.getfixturevalue("postgres_cluster")
    url = cluster.create_database(made(kind))
    yield url
    cluster.drop_database(url)


@pytest.fixture
def loaded_url(database_kind: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """URL of a separate database with the demonstration shop."""
    fixtures = {"sqlite": "shop_of_day", "postgresql": "postgres_shop_of_day"}
    yield from _copied(database_kind, request, lambda kind: request.getfixturevalue(fixtures[kind])(today()))


@pytest.fixture
def tables_url(database_kind: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """URL of a separate database with empty tables."""

    def made(kind: str) -> Any:
        return request.getfixturevalue("empty_tables") if kind == "sqlite" else TABLES

    yield from _copied(database_kind, request, made)


@pytest.fixture(scope="session")
def empty_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory with an SQLite database whose tables are empty. Tests copy it and never open it."""

    def make(made: Path) -> None:
        make_tables(f"sqlite:///{made / 'portal.db'}")

    return made_once(tmp_path_factory, "tables", make)


def make_tables(url: str) -> None:
    """Make all tables of the code in a database."""
    from portal.backend.migrations import migration_engine
    from portal.tables import metadata

    with migration_engine(url).begin() as connection:
        metadata.create_all(connection)


@pytest.fixture
def empty_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without tables."""
    if database_kind == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}"


@pytest.fixture
async def furnished(loaded_url: str, tmp_path: Path) -> AsyncIterator[Furnished]:
    """The demonstration shop, on each database."""
    from portal.provider.application import Application
    from portal.settings import Settings
    from tests.support.furnished import Furnished
    from tests.support.text_gateway import UNUSED

    application = Application(Settings(database_url=loaded_url, data_dir=tmp_path, text_gateway=UNUSED))
    yield Furnished(application)
    await application.close()


@pytest.fixture
async def living(loaded_url: str, tmp_path: Path) -> AsyncIterator[Living]:
    """The demonstration shop, on each database, with a clock and mail delivery that the test controls."""
    from portal.provider.application import Application
    from portal.settings import Settings
    from tests.support.application import Clock
    from tests.support.living import Living

    clock = Clock()
    settings = Settings(
        database_url=loaded_url,
        data_dir=tmp_path,
        passwords=True,
        code_wait_seconds=0,
        codes_per_account_hour=1000,
        codes_per_address_hour=1000,
    )
    application = Application(settings, clock=clock)
    yield Living(application, clock)
    await application.close()


@pytest.fixture
async def application(tables_url: str, tmp_path: Path) -> AsyncIterator[TestApplication]:
    """An application with a few customers, on each database."""
    from tests.support.application import make_application

    made = make_application(tables_url, tmp_path)
    await made.open()
    yield made
    await made.context.database.close()


@pytest.fixture
async def sqlite_application(empty_tables: Path, tmp_path: Path) -> AsyncIterator[TestApplication]:
    """An application with a few customers on SQLite, for tests that do not depend on the database."""
    from tests.support.application import make_application

    shutil.copytree(empty_tables, tmp_path, dirs_exist_ok=True)
    made = make_application(f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}", tmp_path)
    await made.open()
    yield made
    await made.context.database.close()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that accepts all mails."""
    from tests.support.smtp import MailServer

    server = MailServer()
    server.start()
    yield server
    server.stop()
