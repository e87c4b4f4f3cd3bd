"""The service with which staff change waiting time, opening hours and vacation of a store."""

from __future__ import annotations

from datetime import date
from itertools import zip_longest

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.days import OpeningDay, clock, local_day, read, write
from portal.locations.api import OpenDay
from portal.master_data.api import (
    LONGEST_WAIT,
    HoursEntry,
    LocationChange,
    StoreHours,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.master_data.provider import locations
from portal.master_data.rules import read_day
from portal.staff.api import Store
from portal.staff.provider.base import all_stores
from portal.tables.orders import PartnerRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import STORE_ROLES

_STORE = "store"
"""Kind of record in the audit."""


class StoreHoursService(StoreHoursApi):
    def __init__(self, context: Context, staff: StaffSessions) -> None:
        self._context = context
        self._staff = staff

    @override
    async def managed_stores(self, token: str) -> list[Store]:
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
            day = _day(valid_from)
            if day is None:
                raise NotFound
            await locations.withdraw(session, row.public_id, day)
            details = {"valid_from": valid_from}
            await write_audit(
                session, member, AuditAction.WITHDRAW_STORE_CHANGE, _STORE, row.public_id, details=details
            )
            return await self._hours(session, row)

    async def _row(self, session: AsyncSession, member: StaffMember, store_id: str) -> PartnerRow:
        """A store that the person manages."""
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
        await locations.announce(self._context, session, row.public_id, change)
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
            changes=await locations.changes(session, row.public_id),
            today=local_day(self._context.clock()),
        )


async def _managed(session: AsyncSession, member: StaffMember) -> list[PartnerRow]:
    return [row for row in await all_stores(session) if member.role not in STORE_ROLES or row.id in member.stores]


def _store(row: PartnerRow) -> Store:
    return Store(store_id=row.public_id, name=row.name)


def _waiting_time(entry: WaitingEntry) -> LocationChange:
    """Validate another waiting time."""
    typed, day = entry.waiting_weeks.strip(), _day(entry.valid_from)
    problems = {"valid_from": _missing(entry.valid_from)} if day is None else {}
    # A sign or a letter is no digit, and other digits than 0 to 9 are not read by accident.
    weeks = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= len(str(LONGEST_WAIT)) else None
    if weeks is None or weeks > LONGEST_WAIT:
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
    """Validate another vacation."""
    day, first, last = (_day(text) for text in (entry.valid_from, entry.vacation_from, entry.vacation_until))
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


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _missing(text: str) -> Code:
    return Code.INVALID_CHOICE if text else Code.REQUIRED
