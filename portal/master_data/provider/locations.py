"""Waiting weeks, opening hours and vacations of a service location: changes that hold from a day on.

Searches read them in many places, so a change is written into the location on its day: at once if that is today, else
by a job at midnight.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.database import find_one
from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, local_day
from portal.master_data.api import AnnouncedChange, LocationChange
from portal.tables.orders import PartnerChangeRow, PartnerRow

JOB = "location_change"
"""Kind of the job that writes a change; its reference is the primary key of the change."""

_TRIES = timedelta(days=30)
_DAYS = frozenset({"vacation_from", "vacation_until"})


async def changes(session: AsyncSession, location_id: str) -> list[AnnouncedChange]:
    """Return the changes of a service location, by day. A location is named by its id or its exact name."""
    partner = await _partner(session, location_id)
    query = select(PartnerChangeRow).where(PartnerChangeRow.partner_id == partner.id)
    rows = (await session.exec(query.order_by(col(PartnerChangeRow.valid_from)))).all()
    return [_shown(row) for row in rows]


async def announce(
    context: Context, session: AsyncSession, location_id: str, change: LocationChange
) -> AnnouncedChange:
    """Store a change in the caller's transaction; several changes of one day become one."""
    now = context.clock()
    today = local_day(now)
    if change.valid_from < today:
        raise InvalidInput(Code.INVALID_INPUT, fields={"valid_from": Code.INVALID_INPUT})
    partner = await _partner(session, location_id, lock=True)
    query = select(PartnerChangeRow).where(
        PartnerChangeRow.partner_id == partner.id, PartnerChangeRow.valid_from == change.valid_from
    )
    row = (await session.exec(query)).one_or_none()
    if row is None:
        row = PartnerChangeRow(partner_id=partner.id, valid_from=change.valid_from, values={}, created_at=now)
    row.values = {**row.values, **change.values}
    row.applied_at = None
    is_new = row.id is None
    session.add(row)
    await session.flush()
    if change.valid_from == today:
        await _write_due(session, partner, now)
    elif is_new:
        midnight = datetime.combine(change.valid_from, time(), AMSTERDAM)
        await context.jobs.enqueue(session, JOB, row.id, give_up_at=midnight + _TRIES, due_at=midnight)
    return _shown(row)


async def withdraw(session: AsyncSession, location_id: str, valid_from: date) -> None:
    """Delete a change that was announced and not made yet."""
    partner = await _partner(session, location_id, lock=True)
    statement = delete(PartnerChangeRow).where(
        col(PartnerChangeRow.partner_id) == partner.id,
        col(PartnerChangeRow.valid_from) == valid_from,
        col(PartnerChangeRow.applied_at).is_(None),
    )
    if (await session.exec(statement)).rowcount == 0:
        raise NotFound


class LocationChanges:
    """The job that writes changes into their locations."""

    def __init__(self, context: Context) -> None:
        """Use the database and clock of the context."""
        self._context = context

    async def write_on_its_day(self, number: int) -> None:
        """Write a change into its location. One that was withdrawn changes nothing."""
        async with self._context.database.transaction() as session:
            row = (await session.exec(select(PartnerChangeRow).where(PartnerChangeRow.id == number))).one_or_none()
            if row is None:
                return
            query = select(PartnerRow).where(PartnerRow.id == row.partner_id).with_for_update()
            await _write_due(session, (await session.exec(query)).one(), self._context.clock())


async def _write_due(session: AsyncSession, partner: PartnerRow, now: datetime) -> None:
    """Write all changes whose day has come, in their order: after an outage several may be due."""
    query = select(PartnerChangeRow).where(
        PartnerChangeRow.partner_id == partner.id,
        PartnerChangeRow.valid_from <= local_day(now),
        col(PartnerChangeRow.applied_at).is_(None),
    )
    for row in (await session.exec(query.order_by(col(PartnerChangeRow.valid_from)))).all():
        for name, value in row.values.items():
            setattr(partner, name, _read(name, value))
        row.applied_at = now
    await session.flush()


def _read(name: str, value: Any) -> Any:
    if name in _DAYS and value is not None:
        return date.fromisoformat(value)
    return value or None if name == "opening_hours" else value


async def _partner(session: AsyncSession, name: str, *, lock: bool = False) -> PartnerRow:
    query = select(PartnerRow).where(or_(PartnerRow.public_id == name, PartnerRow.name == name)).limit(1)
    return await find_one(session, query, lock=lock)


def _shown(row: PartnerChangeRow) -> AnnouncedChange:
    return AnnouncedChange(valid_from=row.valid_from, applied=row.applied_at is not None, values=row.values)
