"""Waits for changes of cases: one query per second serves all waiting requests of this process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import sqlalchemy as sql
import structlog
from sqlalchemy import func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import Database
from portal.backend.live import EVERY_SECONDS
from portal.backend.staff import StaffMember
from portal.contract.errors import Unavailable
from portal.tables.cases import CaseEventRow, CaseRow
from portal.vocabulary.cases import KINDS_OF, CaseEventType, CaseKind
from portal.vocabulary.staff import STORE_ROLES

_MOVED = CaseEventType.MOVED_TO_STORE
log = structlog.get_logger(__name__)


async def newest(session: AsyncSession) -> int:
    """The number of the newest event; 0 without any."""
    return int((await session.exec(select(func.max(CaseEventRow.id)))).one() or 0)


async def newest_for(session: AsyncSession, member: StaffMember, since: int) -> int:
    """The number of the newest event since another one that concerns a person; `since` if there is none.

    A case that left a store concerns everybody, because it is in nobody's list any more.
    """
    query = (
        select(func.max(CaseEventRow.id))
        .join(CaseRow, col(CaseRow.id) == CaseEventRow.case_id)
        .where(
            col(CaseEventRow.id) > since,
            or_(member.visible_cases(), col(CaseEventRow.type) == _MOVED),
        )
    )
    return int((await session.exec(query)).one() or since)


@dataclass(frozen=True, slots=True)
class _Event:
    number: int
    kind: CaseKind
    partner_id: int | None
    moved: bool

    def concerns(self, member: StaffMember) -> bool:
        """Whether the person may see the case; the same rule as `StaffMember.visible_cases`."""
        if self.moved:
            return True
        here = member.role not in STORE_ROLES or self.partner_id in member.stores
        return here and self.kind in KINDS_OF[member.role]


@dataclass(eq=False, slots=True)
class _Waiter:
    member: StaffMember
    since: int
    answer: asyncio.Future[int]


class CaseHub:
    """Reads new events for all waiting requests; idle while there are none."""

    def __init__(self, database: Database, every_seconds: float = EVERY_SECONDS) -> None:
        self._database = database
        self._every_seconds = every_seconds
        self._waiters: set[_Waiter] = set()
        self._looking: asyncio.Task[None] | None = None
        self._seen = 0
        self._closed = False

    async def wait(self, member: StaffMember, since: int, seconds: float) -> int:
        """Wait until an event after `since` concerns a person, or the time is up. Returns the number to go on with."""
        if self._closed:
            return since
        waiter = _Waiter(member, since, asyncio.get_running_loop().create_future())
        if not self._waiters:
            self._seen = since
        self._seen = min(self._seen, since)
        self._waiters.add(waiter)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name="cases")
        try:
            async with asyncio.timeout(seconds):
                return await waiter.answer
        except TimeoutError:
            return since
        finally:
            self._waiters.discard(waiter)

    async def close(self) -> None:
        """Complete all waiting requests."""
        self._closed = True
        for waiter in self._waiters:
            if not waiter.answer.done():
                waiter.answer.set_result(waiter.since)
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
                log.warning("changes of cases could not be read", error=type(error).__name__)

    async def _ask(self) -> None:
        query = (
            sql.select(col(CaseEventRow.id), col(CaseEventRow.type), col(CaseRow.kind), col(CaseRow.partner_id))
            .join(CaseRow, col(CaseRow.id) == col(CaseEventRow.case_id))
            .where(col(CaseEventRow.id) > self._seen)
            .order_by(col(CaseEventRow.id).desc())
            .limit(_MOST)
        )
        async with self._database.session() as session:
            rows = (await session.exec(query)).all()  # type: ignore[call-overload]
        events = [
            _Event(number, kind, partner, what is CaseEventType.MOVED_TO_STORE) for number, what, kind, partner in rows
        ]
        for waiter in self._waiters:
            newer = (event for event in events if event.number > waiter.since)
            found = next((event.number for event in newer if event.concerns(waiter.member)), None)
            if found is not None and not waiter.answer.done():
                waiter.answer.set_result(found)
        self._seen = max([self._seen, *(event.number for event in events)])


_MOST = 500
"""Most events that one look reads; older ones of a burst are answered by newer ones of the same cases."""
