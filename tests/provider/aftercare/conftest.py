"""Houses with the demonstration shop, on both databases, with a clock and mails that the tests hold."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from portal.provider.house import House
from portal.settings import Settings
from tests.provider.account.conftest import loaded_postgres, loaded_url
from tests.provider.aftercare.living import Living
from tests.provider.login.house import Clock

__all__ = ["loaded_postgres", "loaded_url"]


@pytest.fixture
async def shop(loaded_url: str, tmp_path: Path) -> AsyncIterator[Living]:
    """The demonstration shop, on each database."""
    clock = Clock()
    settings = Settings(
        database_url=loaded_url,
        data_dir=tmp_path,
        passwords=True,
        code_wait_seconds=0,
        codes_per_account_hour=1000,
        codes_per_address_hour=1000,
    )
    house = House(settings, clock=clock)
    yield Living(house, clock)
    await house.close()
