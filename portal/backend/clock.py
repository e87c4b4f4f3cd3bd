"""One clock for all machines: that of the database.

Leases, limits, codes and sessions are compared across machines. Machines whose clocks differ would send a mail twice,
or refuse a code that is still valid.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from sqlalchemy import text

from portal.backend.database import Database
from portal.contract.errors import Unavailable
from portal.kernel.days import now

log = structlog.get_logger(__name__)

READ_SECONDS = 30
"""Seconds between two readings. In between, the monotonic clock counts, which nobody can set."""

RETRY_SECONDS = 1

_MOST_SECONDS = 1.0
"""A reading that took longer is too inexact to be used."""

_NOTABLE = timedelta(seconds=5)
"""A difference between the machine and the database that the log reports."""


class DatabaseClock:
    """The current moment by the clock of a PostgreSQL server. SQLite has that of the machine.

    Until the first reading it is the clock of the machine.
    """

    def __init__(self, database: Database, machine: Callable[[], datetime] = now) -> None:
        """Create the clock; nothing is read yet.

        Args:
            database: whose clock counts.
            machine: the clock of this machine, aware, in UTC.
        """
        self._database = database
        self._machine = machine
        self._reading: tuple[datetime, float] | None = None
        self._following: asyncio.Task[None] | None = None

    def __call__(self) -> datetime:
        """The current moment, aware, in UTC."""
        if self._reading is None:
            return self._machine()
        moment, read_at = self._reading
        return moment + timedelta(seconds=time.monotonic() - read_at)

    async def start(self) -> None:
        """Read the clock now, and again and again until `stop`."""
        if self._database.engine.dialect.name == "postgresql" and self._following is None:
            await self._read()
            self._following = asyncio.create_task(self._follow(), name="clock")

    async def stop(self) -> None:
        """Read it no more."""
        if self._following:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
            self._following = None

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(READ_SECONDS if self._reading else RETRY_SECONDS)
            await self._read()

    async def _read(self) -> None:
        asked = time.monotonic()
        try:
            async with self._database.session() as session:
                # Opening a connection is not part of the reading.
                connection = await session.connection()
                asked = time.monotonic()
                moment: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
        except Unavailable:
            return
        answered = time.monotonic()
        if answered - asked > _MOST_SECONDS:
            return
        difference = moment - self._machine()
        if abs(difference) > _NOTABLE and self._reading is None:
            log.warning("clock differs from the database", seconds=round(difference.total_seconds()))
        self._reading = (moment + timedelta(seconds=(answered - asked) / 2), answered)
