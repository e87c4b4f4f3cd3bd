"""Managers change waiting time, opening hours and vacation of their own stores."""

from datetime import date, timedelta
from typing import Any

import pytest
import pytest_asyncio
from pydantic import ValidationError
from sqlmodel import select

from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.locations.api import LocationsApi, LocationSearch
from portal.master_data.api import (
    AnnouncedChange,
    HoursEntry,
    LocationChange,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.master_data.provider import locations
from portal.tables.messages import JobRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow
from tests.support.application import TestApplication
from tests.support.confirmations import workshop
from tests.support.furnished import Furnished
from tests.support.people import JORIS
from tests.support.staff import CARLA, FEMKE, MARLOES, staff_token


async def own(shop: Furnished) -> tuple[str, str]:
    """Token of the manager of Utrecht, and the id of her store."""
    token = await staff_token(shop, FEMKE)
    (store,) = await shop.ask(StoreHoursApi).managed_stores(token)
    return token, store.store_id


def day(shop: Furnished, days: int = 0) -> date:
    return local_day(shop.context.clock()) + timedelta(days=days)


async def test_a_waiting_time_from_today_holds_at_once(furnished: Furnished) -> None:
    token, store = await own(furnished)
    entry = WaitingEntry(waiting_weeks=" 7 ", valid_from=str(day(furnished)))
    changed = await furnished.ask(StoreHoursApi).change_waiting_time(token, store, entry)
    assert (changed.waiting_weeks, changed.changes[-1].applied) == (7, True)
    assert await furnished.ask(StoreHoursApi).store_hours(token, store) == changed


WEEK = HoursEntry(opens=["9", "9:00", "09.00", "900", "9", "10", ""], closes=["18"] * 5 + ["17", ""])


async def test_opening_hours_from_today_hold_at_once_for_customers(furnished: Furnished) -> None:
    token, store = await own(furnished)
    entry = WEEK.model_copy(update={"valid_from": str(day(furnished))})
    changed = await furnished.ask(StoreHoursApi).change_opening_hours(token, store, entry)
    assert changed.changes[-1].values == {"opening_hours": "Mo-Fr 09:00-18:00, Sa 10:00-17:00"}
    customer, search = await furnished.log_in(JORIS), LocationSearch(text="Utrecht")
    locations = (await furnished.ask(LocationsApi).service_locations(customer, search)).items
    (seen,) = [location for location in locations if location.location_id == store]
    assert seen.opening_hours == changed.opening_hours
    assert [(hours.weekday, hours.opens) for hours in seen.opening_hours][4:] == [(5, "09:00"), (6, "10:00")]


async def test_a_store_without_opening_hours_has_unknown_ones(furnished: Furnished) -> None:
    token, store = await own(furnished)
    entry = HoursEntry(opens=[""] * 7, closes=[""] * 7, valid_from=str(day(furnished)))
    assert (await furnished.ask(StoreHoursApi).change_opening_hours(token, store, entry)).opening_hours == []


async def test_a_vacation_is_announced_and_taken_back(furnished: Furnished) -> None:
    token, store = await own(furnished)
    before = await furnished.ask(StoreHoursApi).store_hours(token, store)
    first, last, shown = (str(day(furnished, days)) for days in (20, 30, 5))
    entry = VacationEntry(vacation_from=first, vacation_until=last, valid_from=shown)
    announced = await furnished.ask(StoreHoursApi).change_vacation(token, store, entry)
    change = announced.changes[-1]
    assert (change.applied, change.values) == (False, {"vacation_from": first, "vacation_until": last})
    assert announced.vacation_from == before.vacation_from
    assert await furnished.ask(StoreHoursApi).withdraw_store_change(token, store, shown) == before
    for gone in (shown, "tomorrow"):
        with pytest.raises(NotFound):
            await furnished.ask(StoreHoursApi).withdraw_store_change(token, store, gone)


async def test_a_vacation_without_days_ends_the_vacation(furnished: Furnished) -> None:
    token, store = await own(furnished)
    today = str(day(furnished))
    entry = VacationEntry(vacation_from=today, vacation_until=today, valid_from=today)
    assert (await furnished.ask(StoreHoursApi).change_vacation(token, store, entry)).vacation_from == day(furnished)
    ended = await furnished.ask(StoreHoursApi).change_vacation(token, store, VacationEntry(valid_from=today))
    assert (ended.vacation_from, ended.vacation_until) == (None, None)


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        (WaitingEntry(), {"waiting_weeks": Code.REQUIRED, "valid_from": Code.REQUIRED}),
        (WaitingEntry(waiting_weeks="-1", valid_from="2099-01-01"), {"waiting_weeks": Code.INVALID_NUMBER}),
        (WaitingEntry(waiting_weeks="²", valid_from="2099-01-01"), {"waiting_weeks": Code.INVALID_NUMBER}),
        (WaitingEntry(waiting_weeks="105", valid_from="1 mei"),
         {"waiting_weeks": Code.INVALID_NUMBER, "valid_from": Code.INVALID_CHOICE}),
        (WaitingEntry(waiting_weeks="1", valid_from="2020-01-01"), {"valid_from": Code.INVALID_CHOICE}),
        (HoursEntry(opens=["9", "", "18"], closes=["", "17", "9"]),
         {"valid_from": Code.REQUIRED, "1": Code.REQUIRED, "2": Code.REQUIRED, "3": Code.INVALID_CHOICE}),
        (HoursEntry(opens=["nine"], closes=["25"], valid_from="2020-01-01"),
         {"valid_from": Code.INVALID_CHOICE, "1": Code.INVALID_CHOICE}),
        (VacationEntry(), {"valid_from": Code.REQUIRED}),
        (VacationEntry(vacation_from="2099-01-01", valid_from="2099-01-01"), {"vacation_until": Code.REQUIRED}),
        (VacationEntry(vacation_from="?", vacation_until="2099-01-01", valid_from="2099-01-01"),
         {"vacation_from": Code.INVALID_CHOICE}),
        (VacationEntry(vacation_from="2099-01-02", vacation_until="2099-01-01", valid_from="2099-01-01"),
         {"vacation_until": Code.INVALID_CHOICE}),
    ],
)  # fmt: skip
async def test_what_was_typed_wrong_is_told_field_by_field(
    furnished: Furnished, entry: WaitingEntry | HoursEntry | VacationEntry, fields: dict[str, Code]
) -> None:
    token, store = await own(furnished)
    api = furnished.ask(StoreHoursApi)
    if isinstance(entry, WaitingEntry):
        change = api.change_waiting_time(token, store, entry)
    elif isinstance(entry, HoursEntry):
        change = api.change_opening_hours(token, store, entry)
    else:
        change = api.change_vacation(token, store, entry)
    with pytest.raises(InvalidInput) as refused:
        await change
    assert refused.value.fields == fields


async def test_another_store_does_not_exist_for_a_manager(furnished: Furnished) -> None:
    token, store = await own(furnished)
    elsewhere = await staff_token(furnished, MARLOES)
    api, tomorrow = furnished.ask(StoreHoursApi), str(day(furnished, 1))
    await api.change_waiting_time(token, store, WaitingEntry(waiting_weeks="3", valid_from=tomorrow))
    for refused in (
        api.store_hours(elsewhere, store),
        api.change_waiting_time(elsewhere, store, WaitingEntry(waiting_weeks="9", valid_from=tomorrow)),
        api.change_opening_hours(elsewhere, store, HoursEntry(valid_from=tomorrow)),
        api.change_vacation(elsewhere, store, VacationEntry(valid_from=tomorrow)),
        api.withdraw_store_change(elsewhere, store, tomorrow),
    ):
        with pytest.raises(NotFound):
            await refused
    assert (await api.store_hours(token, store)).changes[-1].values == {"waiting_weeks": 3}


async def test_the_administrator_manages_all_stores_and_changes_are_in_the_audit(furnished: Furnished) -> None:
    _, store = await own(furnished)
    token, today = await staff_token(furnished, CARLA), str(day(furnished))
    api = furnished.ask(StoreHoursApi)
    assert len(await api.managed_stores(token)) > 1
    await api.change_waiting_time(token, store, WaitingEntry(waiting_weeks="4", valid_from=today))
    (entry,) = await furnished.rows(AuditRow, action="change_waiting_time")
    assert (entry.kind, entry.reference) == ("store", store)
    assert entry.details == {"valid_from": today, "waiting_weeks": 4}


@pytest_asyncio.fixture
async def location(application: TestApplication) -> str:
    async with application.context.database.transaction() as session:
        row = workshop()
        row.waiting_weeks, row.opening_hours = 1, "Mo-Fr 09:00-17:00"
        session.add(row)
        await session.flush()
        return row.public_id


def day_ahead(application: TestApplication, days: int) -> date:
    return local_day(application.clock()) + timedelta(days=days)


async def change(application: TestApplication, location: str, days: int, **values: Any) -> AnnouncedChange:
    asked = LocationChange(valid_from=day_ahead(application, days), **values)
    async with application.context.database.transaction() as session:
        return await locations.announce(application.context, session, location, asked)


async def run_jobs(application: TestApplication) -> None:
    async with application.context.database.session() as session:
        due = (await session.exec(select(JobRow).where(JobRow.due_at <= application.clock()))).all()
    for job in due:
        assert job.kind == locations.JOB
        await locations.LocationChanges(application.context).write_on_its_day(job.reference)


async def test_an_announced_change_is_written_on_its_day(application: TestApplication, location: str) -> None:
    first, last = day_ahead(application, 20), day_ahead(application, 30)
    announced = await change(application, location, 2, waiting_weeks=6, vacation_from=first, vacation_until=last)
    assert not announced.applied
    await run_jobs(application)
    assert ((await application.one(PartnerRow)).waiting_weeks, (await application.one(PartnerRow)).vacation_from) == (
        1,
        None,
    )
    application.clock.forward(days=2)
    await run_jobs(application)
    row = await application.one(PartnerRow)
    assert (row.waiting_weeks, row.vacation_from, row.vacation_until) == (6, first, last)
    assert row.opening_hours == "Mo-Fr 09:00-17:00"


async def test_changes_that_are_due_together_are_written_in_their_order(
    application: TestApplication, location: str
) -> None:
    await change(application, location, 3, waiting_weeks=3)
    await change(application, location, 2, waiting_weeks=2)
    application.clock.forward(days=5)
    await run_jobs(application)
    assert (await application.one(PartnerRow)).waiting_weeks == 3


async def test_changes_of_one_day_become_one_and_can_be_withdrawn(application: TestApplication, location: str) -> None:
    await change(application, location, 2, waiting_weeks=3)
    await change(application, location, 2, opening_hours="Sa 10:00-16:00")
    async with application.context.database.transaction() as session:
        (one,) = await locations.changes(session, location)
        assert one.values == {"waiting_weeks": 3, "opening_hours": "Sa 10:00-16:00"}
        await locations.withdraw(session, location, day_ahead(application, 2))
        with pytest.raises(NotFound):
            await locations.withdraw(session, location, day_ahead(application, 2))
    application.clock.forward(days=3)
    await run_jobs(application)
    assert (await application.one(PartnerRow)).waiting_weeks == 1


async def test_the_past_and_other_locations_do_not_change(application: TestApplication, location: str) -> None:
    with pytest.raises(InvalidInput):
        await change(application, location, -1, waiting_weeks=3)
    with pytest.raises(NotFound):
        await change(application, "elsewhere", 1, waiting_weeks=3)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"waiting_weeks": 105},
        {"opening_hours": "always"},
        {"vacation_from": "2027-01-01"},
        {"vacation_from": "2027-01-02", "vacation_until": "2027-01-01"},
    ],
)
def test_a_change_that_is_not_whole_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LocationChange.model_validate({"valid_from": "2027-01-01", **values})
