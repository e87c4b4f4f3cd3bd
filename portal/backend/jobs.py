"""Durable background jobs: work that must run after a commit, even if this process crashes.

`JobQueue` stores jobs as rows, written in the transaction of the change that causes them. A worker takes a job with a
lease and renews it while it works. When a worker dies, another one takes the job after the lease has expired, so a job
runs at least once.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import ColumnElement, event
from sqlmodel import and_, case, col, delete, exists, literal, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import Database
from portal.logs import handling, known_request, request_id
from portal.tables.columns import UtcDateTime, insert_into
from portal.tables.exchange import InstallationRow
from portal.tables.messages import URGENT, USUAL, JobRow

QUIET = exists(select(InstallationRow.number).where(col(InstallationRow.quiet_since).is_not(None)))
"""SQL condition: the installation was restored and is not live yet."""


async def is_quiet(session: AsyncSession) -> bool:
    """Whether nothing may leave and nothing may be deleted."""
    return bool((await session.exec(select(QUIET))).one())


def due(kinds: Sequence[str], priority: int, now: datetime, running: Collection[int]) -> ColumnElement[bool]:
    """SQL condition: the job is due, its lease is free or expired, and it is not running in this process.

    In a quiet installation none is due.

    It is about one priority, so that the index finds what is due among jobs that are planned for later.
    """
    free = or_(col(JobRow.leased_until).is_(None), col(JobRow.leased_until) <= now)
    here = col(JobRow.id).not_in(running)
    return and_(JobRow.priority == priority, col(JobRow.due_at) <= now, free, here, col(JobRow.kind).in_(kinds), ~QUIET)


async def is_due(
    session: AsyncSession,
    kinds: Sequence[str],
    now: datetime,
    running: Collection[int] = (),
    priorities: Sequence[int] = (URGENT, USUAL),
) -> bool:
    """Whether a job of one of these priorities is due."""
    found = [exists(select(JobRow.id).where(due(kinds, priority, now, running))) for priority in priorities]
    return bool((await session.exec(select(or_(*found)))).one())


async def take(
    session: AsyncSession,
    kinds: Sequence[str],
    now: datetime,
    running: Collection[int] = (),
    *,
    priority: int,
    until: datetime,
    most: int,
    lease: str,
) -> list[JobRow]:
    """Take up to `most` due jobs under a lease, longest waiting first. Two workers never take the same job.

    Jobs `running` in this process are skipped, even if their lease has expired during a stall. PostgreSQL skips rows
    that another worker has locked; on SQLite the write lock of the transaction has the same effect.
    """
    query = select(JobRow).where(due(kinds, priority, now, running)).order_by(col(JobRow.due_at)).limit(most)
    jobs = list((await session.exec(query.with_for_update(skip_locked=True))).all())
    for job in jobs:
        job.lease, job.leased_until, job.tries = lease, until, job.tries + 1
    await session.flush()
    return jobs


def _mine(job: JobRow) -> ColumnElement[Any]:
    return and_(col(JobRow.id) == job.id, col(JobRow.lease) == job.lease)


async def renew(session: AsyncSession, job: JobRow, until: datetime) -> None:
    """Extend the lease of a job."""
    await session.exec(update(JobRow).where(_mine(job)).values(leased_until=until))


async def add(
    session: AsyncSession,
    kind: str,
    reference: int,
    now: datetime,
    *,
    give_up_at: datetime,
    due_at: datetime | None = None,
    urgent: bool = False,
) -> None:
    """Add a job in the caller's transaction, where no queue is at hand. A worker finds it within `POLL_SECONDS`."""
    times = {"created_at": now, "due_at": due_at or now, "give_up_at": give_up_at}
    session.add(JobRow(kind=kind, reference=reference, priority=URGENT if urgent else USUAL, **times))
    await session.flush()


async def add_once(
    session: AsyncSession,
    kind: str,
    reference: int,
    now: datetime,
    *,
    give_up_at: datetime,
    due_at: datetime | None = None,
) -> None:
    """As `add`, unless the row has a job of this kind; also if another transaction adds one at the same time."""
    values = {"created_at": now, "due_at": due_at or now, "give_up_at": give_up_at, "lease": "", "tries": 0}
    values |= {"priority": USUAL, "request": request_id()}
    statement = insert_into(session.get_bind(), JobRow).values(kind=kind, reference=reference, **values)
    await session.exec(statement.on_conflict_do_nothing(index_elements=["kind", "reference"]))


async def done(session: AsyncSession, kind: str, references: Collection[int]) -> None:
    """Delete jobs in the transaction that does their work, so that it is done exactly once."""
    await session.exec(delete(JobRow).where(col(JobRow.kind) == kind, col(JobRow.reference).in_(references)))


async def bring_forward(session: AsyncSession, kind: str, reference: int, now: datetime) -> None:
    """Let a job that waits for something run now. If it runs already, it stays with its worker."""
    waiting = update(JobRow).where(col(JobRow.kind) == kind, col(JobRow.reference) == reference)
    # Another moment than before, even if the clock did not move: `postpone` sees by it that the wait is over.
    await session.exec(waiting.values(due_at=now - timedelta(microseconds=1)))


async def postpone(session: AsyncSession, job: JobRow, due_at: datetime) -> None:
    """Schedule another attempt, unless the job was called earlier while it ran."""
    later = case((col(JobRow.due_at) == job.due_at, literal(due_at, UtcDateTime())), else_=col(JobRow.due_at))
    await session.exec(update(JobRow).where(_mine(job)).values(leased_until=None, due_at=later))


async def remove(session: AsyncSession, job: JobRow) -> None:
    """Delete a job that has finished or was given up."""
    await session.exec(delete(JobRow).where(_mine(job)))


log = structlog.get_logger(__name__)
Handler = Callable[[int], Awaitable[None]]
"""Runs a job for the row with this primary key. May be called more than once for the same row."""

LEASE = timedelta(seconds=15)
POLL_SECONDS = 0.5
"""Seconds between polls for jobs of other processes."""

PAUSE_SECONDS = 0.1
"""Delay after a commit. The response is sent first, so its duration does not reveal whether there is a job."""

FINISH_SECONDS = 30
"""How long running jobs may take when the process ends: as long as a slow mail server, which would get a mail twice."""

AT_ONCE = 8
"""Jobs that one process runs concurrently, so that one slow job does not block the others."""

RESERVED = 2
"""How many of these only an urgent job may take, so that it never waits for a slow mail of a mass mailing."""


class GiveUp(Exception):
    """Raised by a handler when another attempt cannot succeed."""


class NotYet(Exception):
    """Raised by a handler that has to wait for something else. It does not count as a failure."""

    def __init__(self, due_at: datetime) -> None:
        super().__init__(due_at.isoformat())
        self.due_at = due_at


class JobQueue:
    """A queue of jobs in the database of the provider, and its worker."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._handlers: dict[str, Handler] = {}
        self._wake = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._running: dict[asyncio.Task[None], int] = {}

    def register(self, kind: str, handler: Handler) -> None:
        """Register the handler of a kind of job, before `start`."""
        self._handlers[kind] = handler

    async def enqueue(
        self,
        session: AsyncSession,
        kind: str,
        reference: int,
        *,
        give_up_at: datetime,
        due_at: datetime | None = None,
        urgent: bool = False,
    ) -> None:
        """Add a job in the caller's transaction, whose commit wakes the worker of this process.

        It does not run before `due_at`. An urgent one runs before all others.
        """
        await add(session, kind, reference, self._clock(), give_up_at=give_up_at, due_at=due_at, urgent=urgent)
        event.listen(session.sync_session, "after_commit", lambda _: self._wake.set(), once=True)

    async def start(self) -> None:
        """Start the worker in the background."""
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name="jobs")

    async def stop(self) -> None:
        """Take no more jobs, and finish those that run; what takes longer runs again elsewhere."""
        if self._worker is None:
            return
        self._worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._worker
        self._worker = None
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work(self) -> None:
        """Take due jobs in a loop. Keeps trying while the database is unavailable."""
        while True:
            try:
                taken = await self._take()
            except Exception as error:
                log.warning("jobs cannot be read", error=type(error).__name__)
                await asyncio.sleep(1)
                continue
            for job in taken:
                task = asyncio.create_task(self._run(job), name=f"job-{job.kind}")
                self._running[task] = job.id
                task.add_done_callback(self._done)
            if not taken:
                # `wait_for` could lose a cancellation of this task that arrives together with the wake-up.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()
                    await asyncio.sleep(PAUSE_SECONDS)
            self._wake.clear()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._wake.set()

    async def _take(self) -> list[JobRow]:
        free = AT_ONCE - len(self._running)
        now = self._clock()
        priorities = (URGENT, USUAL) if free > RESERVED else (URGENT,)
        # Checking first avoids the write lock; usually no job is due.
        if free <= 0 or not await self._is_due(now, priorities):
            return []
        taken: list[JobRow] = []
        async with self._database.transaction() as session:
            for priority in priorities:
                most = free - len(taken) - (RESERVED if priority == USUAL else 0)
                if most > 0:
                    taken += await take(
                        session,
                        list(self._handlers),
                        now,
                        self._running.values(),
                        priority=priority,
                        until=now + LEASE,
                        most=most,
                        lease=secrets.token_hex(8),
                    )
        return taken

    async def _is_due(self, now: datetime, priorities: Sequence[int]) -> bool:
        async with self._database.session() as session:
            return await is_due(session, list(self._handlers), now, self._running.values(), priorities)

    async def _run(self, job: JobRow) -> None:
        with handling(job.request or known_request()):
            await self._attempt(job)

    async def _attempt(self, job: JobRow) -> None:
        """Run one attempt. Afterwards the job is finished, given up or postponed."""
        renewing = asyncio.create_task(self._renew(job))
        try:
            await self._handlers[job.kind](job.reference)
        except NotYet as wait:
            await self._finish(job, wait.due_at, "")
            return
        except GiveUp as reason:
            log.error("job given up", kind=job.kind, reference=job.reference, tries=job.tries, reason=str(reason))
        except Exception as error:
            await self._finish(job, self._later(job), type(error).__name__)
            return
        finally:
            renewing.cancel()
        await self._finish(job, None, "")

    async def _renew(self, job: JobRow) -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            with contextlib.suppress(Exception):
                async with self._database.transaction() as session:
                    await renew(session, job, self._clock() + LEASE)

    def _later(self, job: JobRow) -> datetime | None:
        """Time of the next attempt: after 1, 2, 4 … 60 minutes; if retries end within the hour, 5, 10, 20 … 60 seconds.

        Random jitter spreads the attempts of many jobs.
        """
        brief = job.give_up_at - job.created_at <= timedelta(hours=1)
        first, longest = (5, 60) if brief else (60, 3600)
        wait = min(longest, first * 2 ** min(job.tries - 1, 12)) * random.uniform(0.9, 1.1)  # noqa: S311 - no secret
        due_at = self._clock() + timedelta(seconds=wait)
        return due_at if due_at < job.give_up_at else None

    async def _finish(self, job: JobRow, due_at: datetime | None, reason: str) -> None:
        """Store the outcome of an attempt. If that fails, the lease expires and the job runs again."""
        if reason:
            log.warning("job failed", kind=job.kind, reference=job.reference, tries=job.tries, error=reason)
            if due_at is None:
                log.error("job given up", kind=job.kind, reference=job.reference, tries=job.tries, reason="too late")
        try:
            async with self._database.transaction() as session:
                await (postpone(session, job, due_at) if due_at else remove(session, job))
        except Exception as error:
            log.warning("job cannot be finished", kind=job.kind, error=type(error).__name__)
