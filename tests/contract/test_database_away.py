"""A database that does not answer, whichever way the provider is reached."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from portal.contract.common_api import SessionApi
from portal.contract.errors import Unavailable
from portal.contract.session import LocaleChoice
from portal.kernel.codes import Code
from tests.support.connections import UNHURRIED, opened
from tests.support.people import SANNE
from tests.support.shops import WAYS


@pytest.mark.parametrize("way", WAYS)
async def test_a_database_that_does_not_answer_is_unavailable(way: str, demonstration: Path, tmp_path: Path) -> None:
    impatient = {**UNHURRIED, "database_url": f"sqlite+aiosqlite:///{tmp_path / 'portal.db'}?timeout=0.5"}
    async with opened(way, demonstration, tmp_path, impatient) as shop:
        token = await shop.token(*SANNE)
        lock = sqlite3.connect(tmp_path / "portal.db", isolation_level=None, check_same_thread=False)
        # In a thread: who holds the lock may need this loop to let go of it.
        await asyncio.to_thread(lock.execute, "BEGIN IMMEDIATE")
        try:
            with pytest.raises(Unavailable) as caught:
                await shop.ask(SessionApi).change_locale(token, LocaleChoice(locale="en"))
        finally:
            lock.execute("ROLLBACK")
            lock.close()
        assert caught.value.code is Code.GENERAL_ERROR
        await shop.ask(SessionApi).change_locale(token, LocaleChoice(locale="nl"))
