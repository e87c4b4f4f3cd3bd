"""Waiting weeks, opening hours and vacations of a service location, each from a day on."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
import pytest_asyncio
from pydantic import ValidationError
from sqlmodel import select

from portal.contract.errors import InvalidInput, NotFound
from portal.kernel.days import local_day
from portal.master_data.api import AnnouncedChange, LocationChange
from portal.master_data.provider import locations
from portal.tables.messages import JobRow
from portal.tables.orders import PartnerRow
from tests.support.application import TestApplication
from tests.support.confirmations import workshop


@pytest_asyncio.fixture
async def location(application: TestApplication) -> str:
    """A service location; its public id."""
    async with application.context.database.transaction() as session:
        row = workshop()
        row.waiting_weeks, row.opening_hours = 1, "Mo-Fr 09:00-17:00"
        session.add(row)
        await session.flush()
        return row.public_id


def day(application: TestApplication, days: int) -> date:
    """A local day ahead."""
    return local_day(application.clock()) + timedelta(days=days)


async def change(application: TestApplication, location: str, days: int, **values: Any) -> AnnouncedChange:
    """Announce a change."""
    asked = LocationChange(valid_from=day(application, days), **values)
    async with application.context.database.transaction() as session:
        return await locations.announce(application.context, session, location, asked)


async def now(application: TestApplication) -> PartnerRow:
    """The location as searches read it."""
    async with application.context.database.session() as session:
        return (await session.exec(select(PartnerRow))).one()


async def run_jobs(application: TestApplication) -> None:
    """Run the jobs that are due."""
    async with application.context.database.session() as session:
        due = (await session.exec(select(JobRow).where(JobRow.due_at <= application.clock()))).all()
    for job in due:
        assert job.kind == locations.JOB
        await locations.LocationChanges(application.context).write_on_its_day(job.reference)


async def test_a_change_from_today_holds_at_once(application: TestApplication, location: str) -> None:
    made = await change(application, location, 0, waiting_weeks=6, opening_hours="")
    row = await now(application)
    assert (made.applied, row.waiting_weeks, row.opening_hours) == (True, 6, None)


async def test_an_announced_change_is_written_on_its_day(application: TestApplication, location: str) -> None:
    first, last = day(application, 20), day(application, 30)
    announced = await change(application, location, 2, waiting_weeks=6, vacation_from=first, vacation_until=last)
    assert not announced.applied
    await run_jobs(application)
    assert ((await now(application)).waiting_weeks, (await now(application)).vacation_from) == (1, None)
    application.clock.forward(days=2)
    await run_jobs(application)
    row = await now(application)
    assert (row.waiting_weeks, row.vacation_from, row.vacation_until) == (6, first, last)
    assert row.opening_hours == "Mo-Fr 09:00-17:00"


async def test_changes_that_are_due_together_are_written_in_their_order(
    application: TestApplication, location: str
) -> None:
    await change(application, location, 3, waiting_weeks=3)
    await change(application, location, 2, waiting_weeks=2)
    application.clock.forward(days=5)
    await run_jobs(application)
    assert (await now(application)).waiting_weeks == 3


async def test_changes_of_one_day_become_one_and_can_be_withdrawn(application: TestApplication, location: str) -> None:
    await change(application, location, 2, waiting_weeks=3)
    await change(application, location, 2, opening_hours="Sa 10:00-16:00")
    async with application.context.database.transaction() as session:
        (one,) = await locations.changes(session, location)
        assert one.values == {"waiting_weeks": 3, "opening_hours": "Sa 10:00-16:00"}
        await locations.withdraw(session, location, day(application, 2))
        with pytest.raises(NotFound):
            await locations.withdraw(session, location, day(application, 2))
    application.clock.forward(days=3)
    await run_jobs(application)
    assert (await now(application)).waiting_weeks == 1


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
