"""What every service needs to do its work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from portal.backend.database import Database
from portal.backend.jobs import DatabaseJobs, JobQueue
from portal.kernel.days import now
from portal.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """The house's common parts.

    Attributes:
        settings: of this process.
        database: where everything is kept.
        clock: the current moment, aware, in UTC; a test may bring its own.
        jobs: what is done after a commit.
    """

    settings: Settings
    database: Database
    clock: Callable[[], datetime] = now
    jobs: JobQueue = field(init=False)

    def __post_init__(self) -> None:
        """The jobs live in the same database."""
        object.__setattr__(self, "jobs", DatabaseJobs(self.database, lambda: self.clock()))
