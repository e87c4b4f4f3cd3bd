"""What is new for somebody: events on the cases that they see, since they last looked."""

from __future__ import annotations

from sqlalchemy import func, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.service import Service
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffMember, StaffSessions
from portal.exports.api import Looked, Unread, UnreadApi
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.exports import StaffLookRow

MOST = 1000
"""Events that are counted."""


class UnreadService(Service, UnreadApi):
    """Implements `UnreadApi`."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)

    @override
    async def unread(self, token: str) -> Unread:
        async with self._staff.reading(token, UnreadApi.unread) as (member, session):
            return await _unread(session, member)

    @override
    async def looked(self, token: str, looked: Looked) -> Unread:
        async with self._staff.changing(token, UnreadApi.looked) as (member, session):
            newest = (await session.exec(select(func.max(CaseEventRow.id)))).one() or 0
            insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
            # A mark of the future would hide what has not happened yet.
            values = {"event_id": min(looked.mark, newest or 0), "looked_at": self._context.clock()}
            statement = insert(StaffLookRow).values(staff_id=member.id, **values)
            await session.exec(
                statement.on_conflict_do_update(
                    index_elements=["staff_id"],
                    set_=values,
                    where=col(StaffLookRow.event_id) < values["event_id"],
                )
            )
            return await _unread(session, member)


async def _unread(session: AsyncSession, member: StaffMember) -> Unread:
    looked = (await session.exec(select(StaffLookRow.event_id).where(StaffLookRow.staff_id == member.id))).first() or 0
    by_others = or_(col(CaseEventRow.staff_id).is_(None), col(CaseEventRow.staff_id) != member.id)
    query = (
        select(CaseEventRow.id, CaseEventRow.case_id)
        .join(CaseRow, col(CaseRow.id) == col(CaseEventRow.case_id))
        .where(col(CaseEventRow.id) > looked, by_others, member.visible_cases())
        .order_by(col(CaseEventRow.id).desc())
        .limit(MOST)
    )
    found = (await session.exec(query)).all()
    mark = max((event or 0 for event, _ in found), default=looked)
    return Unread(events=len(found), cases=len({case for _, case in found}), mark=mark)
