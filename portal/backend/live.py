"""Change notifications for open pages: one query per second serves all waiting requests of this process."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

import structlog
from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import Database
from portal.backend.sessions import Service, Sessions
from portal.contract.common_api import RECENT, Changes, ChangesApi, Watch
from portal.contract.errors import Unavailable
from portal.tables.messages import ChangeRow, one_more
from portal.vocabulary.actions import Topic


class Mark(NamedTuple):
    """The sum of the revisions of some topics and the time of the last change."""

    number: int
    changed_at: datetime | None


async def publish(session: AsyncSession, customer_id: int, topic: Topic, now: datetime) -> None:
    """Record a change for the customer's open pages, in the transaction of the change."""
    await session.exec(one_more(session.get_bind(), customer_id, topic, now))


async def mark(session: AsyncSession, customer_id: int, topics: Collection[Topic]) -> Mark:
    """The current mark of some topics of one customer."""
    query = select(func.coalesce(func.sum(ChangeRow.revision), 0), func.max(ChangeRow.changed_at)).where(
        ChangeRow.customer_id == customer_id, col(ChangeRow.topic).in_(topics)
    )
    number, changed_at = (await session.exec(query)).one()
    return Mark(int(number), changed_at)


async def change_revisions(session: AsyncSession, customers: Iterable[int]) -> dict[int, dict[Topic, int]]:
    """The revisions by topic of many customers, in one statement."""
    query = select(ChangeRow.customer_id, ChangeRow.topic, ChangeRow.revision).where(
        col(ChangeRow.customer_id).in_(list(customers))
    )
    found: dict[int, dict[Topic, int]] = {}
    for customer_id, topic, revision in await session.exec(query):
        found.setdefault(customer_id, {})[Topic(topic)] = revision
    return found


log = structlog.get_logger(__name__)
EVERY_SECONDS = 1.0
"""Interval of the query in seconds, while requests wait."""


@dataclass(eq=False, slots=True, kw_only=True)
class Waiter:
    """A request that waits. `mark`: what it knows; its answer is a newer mark."""

    mark: int
    answer: asyncio.Future[int] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def tell(self, mark: int) -> None:
        """Answer the request, unless it was answered or given up."""
        if not self.answer.done():
            self.answer.set_result(mark)


W = TypeVar("W", bound=Waiter)


class Hub(ABC, Generic[W]):
    """Asks the database once per interval for all waiting requests of this process; idle while there are none.

    A subclass says what it asks, and whom the answer concerns.
    """

    def __init__(self, database: Database, every_seconds: float) -> None:
        self._database = database
        self._every_seconds = every_seconds
        self._waiters: set[W] = set()
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    async def _wait(self, waiter: W, seconds: float) -> int:
        """Wait until something changes or the time is up. Return the mark to go on with."""
        if self._closed:
            return waiter.mark
        self._waiters.add(waiter)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name=type(self).__name__)
        try:
            async with asyncio.timeout(seconds):
                return await waiter.answer
        except TimeoutError:
            return waiter.mark
        finally:
            self._waiters.discard(waiter)

    async def close(self) -> None:
        """Complete all waiting requests with their own mark, which means no change."""
        self._closed = True
        for waiter in self._waiters:
            waiter.tell(waiter.mark)
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look(self) -> None:
        while self._waiters:
            await asyncio.sleep(self._every_seconds)
            try:
                await self._ask()
            except Unavailable:
                continue  # The database has logged it; try again in a second.
            except Exception as error:
                log.warning("changes could not be read", error=type(error).__name__)

    @abstractmethod
    async def _ask(self) -> None:
        """Ask the database, and tell the waiting requests that the answer concerns."""


@dataclass(eq=False, slots=True, kw_only=True)
class _CustomerWaiter(Waiter):
    customer_id: int
    topics: frozenset[Topic]


class ChangeHub(Hub[_CustomerWaiter]):
    """Waits for changes of customers' data."""

    async def wait(self, customer_id: int, topics: Collection[Topic], mark: int, seconds: float) -> int:
        """Wait until the mark of a customer changes or the time is up. Return the current mark."""
        return await self._wait(_CustomerWaiter(customer_id=customer_id, topics=frozenset(topics), mark=mark), seconds)

    @override
    async def _ask(self) -> None:
        async with self._database.session() as session:
            found = await change_revisions(session, {waiter.customer_id for waiter in self._waiters})
        for waiter in self._waiters:
            revisions = found.get(waiter.customer_id, {})
            number = sum(revisions.get(topic, 0) for topic in waiter.topics)
            if number != waiter.mark:
                waiter.tell(number)


class ChangesService(Service, ChangesApi):
    """Implements the operation that waits for changes."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._hub = ChangeHub(context.database, EVERY_SECONDS)

    @override
    async def changes(self, token: str, watch: Watch) -> Changes:
        owner = await self._sessions.owner(token, use=False)
        async with self._context.database.session() as session:
            found = await mark(session, owner.customer_id, watch.topics)
        if found.number == watch.since and watch.wait_seconds:
            number = await self._hub.wait(owner.customer_id, watch.topics, found.number, watch.wait_seconds)
            return Changes(mark=number, recent=number != found.number)
        since = self._context.clock() - timedelta(seconds=RECENT)
        return Changes(mark=found.number, recent=found.changed_at is not None and found.changed_at >= since)

    @override
    async def close(self) -> None:
        await self._hub.close()
        await super().close()
