"""Fixtures of these tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from portal.provider.application import Application
from portal.settings import Settings
from tests.exports.telling import MAILBOXES, Telling, furnish, telling_on
from tests.support.application import Clock


@pytest.fixture
async def telling(tables_url: str, tmp_path: Path) -> AsyncIterator[Telling]:
    async with telling_on(tables_url, tmp_path, webhook_timeout_seconds=2) as made:
        yield made


@pytest.fixture
async def shop_telling(loaded_url: str, tmp_path: Path) -> AsyncIterator[Telling]:
    clock = Clock()
    application = Application(Settings(database_url=loaded_url, data_dir=tmp_path, mailboxes=MAILBOXES), clock=clock)
    yield Telling(application, clock, await furnish(application.context))
    await application.context.database.close()
