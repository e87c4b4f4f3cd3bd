"""Fixtures of these tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.exports.telling import Telling, telling_on


@pytest.fixture
async def telling(empty_url: str, tmp_path: Path) -> AsyncIterator[Telling]:
    """An application with stores and people of the retailer."""
    async with telling_on(empty_url, tmp_path, webhook_timeout_seconds=2) as made:
        yield made
