"""Waits for changes of cases: one query per second serves all waiting requests of this process."""

from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy import func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.live import Hub, Waiter
from portal.backend.staff import StaffMember
from portal.tables.cases import CaseEventRow, CaseRow
from portal.vocabulary.cases import KINDS_OF, CaseEventType, CaseKind
from portal.vocabulary.staff import STORE_ROLES

_MOVED = CaseEventType.MOVED_TO_STORE


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
        .where(col(CaseEventRow.id) > since, or_(member.visible_cases(), col(CaseEventRow.type) == _MOVED))
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


@dataclass(eq=False, slots=True, kw_only=True)
class _StaffWaiter(Waiter):
    member: StaffMember


class CaseHub(Hub[_StaffWaiter]):
    _seen = 0

    async def wait(self, member: StaffMember, since: int, seconds: float) -> int:
        """Wait until an event after `since` concerns a person, or the time is up. Returns the number to go on with."""
        self._seen = min(self._seen, since) if self._waiters else since
        return await self._wait(_StaffWaiter(member=member, mark=since), seconds)

    @override
    async def _ask(self) -> None:
        query = (
            sql.select(col(CaseEventRow.id), col(CaseEventRow.type), col(CaseRow.kind), col(CaseRow.partner_id))
            .join(CaseRow, col(CaseRow.id) == col(CaseEventRow.case_id))
            .where(col(CaseEventRow.id) > self._seen)
            .order_by(col(CaseEventRow.id).desc())
            .limit(_MAX)
        )
        async with self._database.session() as session:
            # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
            rows = (await session.exec(query)).all()
        events = [
            _Event(number, kind, partner, what is CaseEventType.MOVED_TO_STORE) for number, what, kind, partner in rows
        ]
        for waiter in self._waiters:
            newer = (event for event in events if event.number > waiter.mark)
            found = next((event.number for event in newer if event.concerns(waiter.member)), None)
            if found is not None:
                waiter.tell(found)
        self._seen = max([self._seen, *(event.number for event in events)])


_MAX = 500
"""Most events that one look reads; older ones of a burst are answered by newer ones of the same cases."""
