"""Houses on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.provider.login.house import TestHouse, make_house
from tests.provider.login.smtp import MailServer


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty database, of each kind."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}"


@pytest.fixture
async def house(database_url: str, tmp_path: Path) -> AsyncIterator[TestHouse]:
    """A house on each database."""
    made = make_house(database_url, tmp_path)
    await made.open()
    yield made
    await made.context.database.close()


@pytest.fixture
async def sqlite_house(tmp_path: Path) -> AsyncIterator[TestHouse]:
    """A house for what does not depend on the database."""
    made = make_house(f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}", tmp_path)
    await made.open()
    yield made
    await made.context.database.close()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that takes everything."""
    server = MailServer()
    server.start()
    yield server
    server.stop()
