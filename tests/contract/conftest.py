"""The shop that the contract suite asks, two ways."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.ways import UNHURRIED, WAYS, Shop, opened


@pytest_asyncio.fixture(params=WAYS, scope="module", loop_scope="module")
async def shop(
    request: pytest.FixtureRequest, demonstration: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Shop]:
    """The demonstration shop, one way after the other. A module may bring its own `SETTINGS`."""
    settings = getattr(request.module, "SETTINGS", UNHURRIED)
    async with opened(request.param, demonstration, tmp_path_factory.mktemp("shop"), settings) as shop:
        yield shop
