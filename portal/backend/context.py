"""The context that every service receives: settings, database, clock and job queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import Database, OneTransaction
from portal.backend.jobs import JobQueue
from portal.backend.security import cipher
from portal.kernel.days import now
from portal.settings import Settings


def database_of(settings: Settings) -> Database:
    """The database of the settings, with the keys of its encrypted columns."""
    return Database(settings.database, cipher(settings))


@dataclass(frozen=True, slots=True)
class Context:
    """Settings, database, clock and job queue of one process.

    `clock`: returns the current time as an aware UTC datetime; tests replace it.
    """

    settings: Settings
    database: Database
    clock: Callable[[], datetime] = now
    jobs: JobQueue = field(init=False)

    def __post_init__(self) -> None:
        """Create the job queue, which stores its jobs in the same database."""
        object.__setattr__(self, "jobs", JobQueue(self.database, lambda: self.clock()))

    def within(self, session: AsyncSession) -> Context:
        """The same context, with everything in the open transaction of a session."""
        joined = Context(self.settings, OneTransaction(self.database, session), self.clock)
        object.__setattr__(joined, "jobs", self.jobs)
        return joined
