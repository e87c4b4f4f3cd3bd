"""A shop in which insurances and packages are asked for, as it was before after every test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from portal.provider.house import House
from portal.settings import Settings
from portal.states import live
from tests.support.ways import Shop, opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    """A shop that mails the same thing once a minute, as shops do."""
    async with opened("services", demonstration, tmp_path_factory.mktemp("shop"), {"code_wait_seconds": 60}) as shop:
        yield shop


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop: Shop) -> AsyncIterator[House]:
    """The back office, as a process of its own would be."""
    house = House(Settings.model_validate({"data_dir": shop.data_dir}))
    yield house
    await house.context.database.close()


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def _as_it_was(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(live, "SETTLED_SECONDS", 0.05)
    yield
    for statement in (
        "DELETE FROM drafts",
        "UPDATE bikes SET insurance = '' WHERE id IN (SELECT bike_id FROM insurance_requests WHERE draft_key <> '')",
        "DELETE FROM insurance_requests WHERE draft_key IS NOT NULL",
        "DELETE FROM confirmation_links",
        "DELETE FROM limit_windows",
        "UPDATE bikes SET service_package = NULL WHERE id IN"
        " (SELECT bike_id FROM package_orders WHERE draft_key IS NOT NULL)",
        "DELETE FROM package_orders WHERE draft_key IS NOT NULL",
    ):
        await shop.alter(statement)
