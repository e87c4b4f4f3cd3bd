"""Waiting weeks, opening hours and vacations of a service location: changes that hold from a day on.

Searches read them in many places, so a change is written into the location on its day: at once if that is today, else
by a job at midnight.
"""

from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any

from sqlmodel import col, delete, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, OpeningDay, clock, local_day, read, write
from portal.locations.api import OpenDay
from portal.master_data.api import (
    MAX_WAITING_WEEKS,
    AnnouncedChange,
    HoursEntry,
    LocationChange,
    StoreHours,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.master_data.rules import read_day
from portal.staff.api.people import StoreName
from portal.staff.provider.base import all_stores
from portal.tables.orders import PartnerChangeRow, PartnerRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import STORE_ROLES

JOB = "location_change"
"""Kind of the job that writes a change; its reference is the primary key of the change."""

_TRIES = timedelta(days=30)
_DAYS = frozenset({"vacation_from", "vacation_until"})


async def changes(session: AsyncSession, location_id: str) -> list[AnnouncedChange]:
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


_STORE = "store"


class StoreHoursService(StoreHoursApi):
    def __init__(self, context: Context, staff: StaffSessions) -> None:
        self._context = context
        self._staff = staff

    @override
    async def managed_stores(self, token: str) -> list[StoreName]:
        async with self._staff.reading(token, StoreHoursApi.managed_stores) as (member, session):
            return [_store(row) for row in await _managed(session, member)]

    @override
    async def store_hours(self, token: str, store_id: str) -> StoreHours:
        async with self._staff.reading(token, StoreHoursApi.store_hours) as (member, session):
            return await self._hours(session, await self._row(session, member, store_id))

    @override
    async def change_waiting_time(self, token: str, store_id: str, entry: WaitingEntry) -> StoreHours:
        async with self._staff.changing(token, StoreHoursApi.change_waiting_time) as (member, session):
            row = await self._row(session, member, store_id)
            return await self._announce(session, member, row, _waiting_time(entry), AuditAction.CHANGE_WAITING_TIME)

    @override
    async def change_opening_hours(self, token: str, store_id: str, entry: HoursEntry) -> StoreHours:
        async with self._staff.changing(token, StoreHoursApi.change_opening_hours) as (member, session):
            row = await self._row(session, member, store_id)
            change = _opening_hours(entry, local_day(self._context.clock()))
            return await self._announce(session, member, row, change, AuditAction.CHANGE_OPENING_HOURS)

    @override
    async def change_vacation(self, token: str, store_id: str, entry: VacationEntry) -> StoreHours:
        async with self._staff.changing(token, StoreHoursApi.change_vacation) as (member, session):
            row = await self._row(session, member, store_id)
            return await self._announce(session, member, row, _vacation(entry), AuditAction.CHANGE_VACATION)

    @override
    async def withdraw_store_change(self, token: str, store_id: str, valid_from: str) -> StoreHours:
        async with self._staff.changing(token, StoreHoursApi.withdraw_store_change) as (member, session):
            row = await self._row(session, member, store_id)
            day = validation.day(valid_from)
            if day is None:
                raise NotFound
            await withdraw(session, row.public_id, day)
            details = {"valid_from": valid_from}
            await write_audit(
                session, member, AuditAction.WITHDRAW_STORE_CHANGE, _STORE, row.public_id, details=details
            )
            return await self._hours(session, row)

    async def _row(self, session: AsyncSession, member: StaffMember, store_id: str) -> PartnerRow:
        rows = await _managed(session, member)
        row = next((row for row in rows if row.public_id == store_id), None)
        if row is None:
            self._staff.refused(member, "a store that the person does not manage")
            raise NotFound
        return row

    async def _announce(
        self, session: AsyncSession, member: StaffMember, row: PartnerRow, change: LocationChange, action: AuditAction
    ) -> StoreHours:
        if change.valid_from < local_day(self._context.clock()):
            raise InvalidInput(Code.INVALID_INPUT, fields={"valid_from": Code.INVALID_CHOICE})
        await announce(self._context, session, row.public_id, change)
        details = {"valid_from": change.valid_from.isoformat(), **change.values}
        await write_audit(session, member, action, _STORE, row.public_id, details=details)
        return await self._hours(session, row)

    async def _hours(self, session: AsyncSession, row: PartnerRow) -> StoreHours:
        return StoreHours(
            store=_store(row),
            waiting_weeks=row.waiting_weeks,
            opening_hours=[
                OpenDay(weekday=day.weekday, opens=day.opens, closes=day.closes)
                for day in read(row.opening_hours or "")
            ],
            vacation_from=row.vacation_from,
            vacation_until=row.vacation_until,
            changes=await changes(session, row.public_id),
            today=local_day(self._context.clock()),
        )


async def _managed(session: AsyncSession, member: StaffMember) -> list[PartnerRow]:
    return [row for row in await all_stores(session) if member.role not in STORE_ROLES or row.id in member.stores]


def _store(row: PartnerRow) -> StoreName:
    return StoreName(store_id=row.public_id, name=row.name)


def _waiting_time(entry: WaitingEntry) -> LocationChange:
    typed, day = entry.waiting_weeks.strip(), validation.day(entry.valid_from)
    problems = {"valid_from": _missing(entry.valid_from)} if day is None else {}
    # A sign or a letter is no digit, and other digits than 0 to 9 are not read by accident.
    weeks = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= len(str(MAX_WAITING_WEEKS)) else None
    if weeks is None or weeks > MAX_WAITING_WEEKS:
        problems["waiting_weeks"] = Code.INVALID_NUMBER if typed else Code.REQUIRED
    if problems or day is None or weeks is None:
        raise InvalidInput(Code.INVALID_INPUT, fields=problems)
    return LocationChange(valid_from=day, waiting_weeks=weeks)


def _opening_hours(entry: HoursEntry, today: date) -> LocationChange:
    """Validate other opening hours; a problem of a day has the number of the weekday, 1 is Monday."""
    day = read_day(entry.valid_from, today)
    problems = {"valid_from": day} if isinstance(day, Code) else {}
    found: list[OpeningDay] = []
    for weekday, (opens, closes) in enumerate(zip_longest(entry.opens, entry.closes, fillvalue=""), 1):
        if not opens.strip() and not closes.strip():
            continue
        try:
            hours = OpeningDay(weekday, clock(opens), clock(closes))
        except ValueError:
            problems[str(weekday)] = Code.REQUIRED if not (opens.strip() and closes.strip()) else Code.INVALID_CHOICE
            continue
        if hours.closes <= hours.opens:
            problems[str(weekday)] = Code.INVALID_CHOICE
        found.append(hours)
    if problems or isinstance(day, Code):
        raise InvalidInput(Code.INVALID_INPUT, fields=problems)
    return LocationChange(valid_from=day, opening_hours=write(found))


def _vacation(entry: VacationEntry) -> LocationChange:
    day, first, last = (validation.day(text) for text in (entry.valid_from, entry.vacation_from, entry.vacation_until))
    problems = {"valid_from": _missing(entry.valid_from)} if day is None else {}
    if entry.vacation_from or entry.vacation_until:
        if first is None:
            problems["vacation_from"] = _missing(entry.vacation_from)
        if last is None:
            problems["vacation_until"] = _missing(entry.vacation_until)
        elif first is not None and last < first:
            problems["vacation_until"] = Code.INVALID_CHOICE
    if problems or day is None:
        raise InvalidInput(Code.INVALID_INPUT, fields=problems)
    return LocationChange(valid_from=day, vacation_from=first, vacation_until=last)


def _missing(text: str) -> Code:
    return Code.INVALID_CHOICE if text else Code.REQUIRED
