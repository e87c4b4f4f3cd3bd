"""Fixtures for the retailer's side in this process: on SQLite, and also on PostgreSQL for tests marked `each_database`.

`docs/decisions/0049-postgresql-where-it-differs.md` says which tests have this mark.

Each fixture imports what it needs when it is used, so other test runs do not load it.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from portal.kernel.days import today

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


@pytest.fixture
def loaded_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a separate database with the demonstration shop."""
    if database_kind == "sqlite":
        shutil.copytree(request.getfixturevalue("shop_of_day")(today()), tmp_path, dirs_exist_ok=True)
        yield f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}"
        return
    template = request.getfixturevalue("postgres_shop_of_day")(today())
    cluster: PostgresCluster = request.getfixturevalue("postgres_cluster")
    url = cluster.create_database(template)
    yield url
    cluster.drop_database(url)


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
async def application(empty_url: str, tmp_path: Path) -> AsyncIterator[TestApplication]:
    """An application with a few customers, on each database."""
    from tests.support.application import make_application

    made = make_application(empty_url, tmp_path)
    await made.open()
    yield made
    await made.context.database.close()


@pytest.fixture
async def sqlite_application(tmp_path: Path) -> AsyncIterator[TestApplication]:
    """An application with a few customers on SQLite, for tests that do not depend on the database."""
    from tests.support.application import make_application

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
