"""Houses with the demonstration shop, on both databases."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from portal.provider.house import House
from portal.settings import Settings
from tests.provider.account.furnished import Furnished
from tests.provider.login.smtp import MailServer
from tests.support.postgres import PostgresCluster


@pytest.fixture(scope="session")
def loaded_postgres(postgres_cluster: PostgresCluster) -> str:
    """Name of a PostgreSQL database with the demonstration shop. To be copied, not opened."""
    url = postgres_cluster.create_database()
    House.prepare(Settings(database_url=url))
    return url.rpartition("/")[2]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def loaded_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a database of its own with the demonstration shop, of each kind."""
    if request.param == "sqlite":
        shutil.copytree(request.getfixturevalue("demonstration"), tmp_path, dirs_exist_ok=True)
        yield f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}"
        return
    template = request.getfixturevalue("loaded_postgres")
    cluster: PostgresCluster = request.getfixturevalue("postgres_cluster")
    url = cluster.create_database(template)
    yield url
    cluster.drop_database(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of a database without tables, of each kind."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite+aiosqlite:///{tmp_path / 'empty.db'}"


@pytest.fixture
async def shop(loaded_url: str, tmp_path: Path) -> AsyncIterator[Furnished]:
    """The demonstration shop, on each database."""
    house = House(Settings(database_url=loaded_url, data_dir=tmp_path))
    yield Furnished(house)
    await house.close()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that takes everything."""
    server = MailServer()
    server.start()
    yield server
    server.stop()
