"""What is not needed any more is thrown away, and nothing else."""

from __future__ import annotations

import pytest
from sqlmodel import func, select

from portal.login.api import EmailChange
from portal.provider.application import purge
from portal.tables.customers import EmailChangeRow, LimitWindow, LoginChallenge, SessionRow
from portal.tables.messages import JobRow, OutboxMail
from tests.support.application import TestHouse, outcome

pytestmark = pytest.mark.each_database


async def _kept(house: TestHouse) -> dict[str, int]:
    tables = (LoginChallenge, SessionRow, LimitWindow, EmailChangeRow, OutboxMail, JobRow)
    async with house.context.database.session() as session:
        return {table.__name__: (await session.exec(select(func.count()).select_from(table))).one() for table in tables}


async def test_everything_goes_when_its_time_is_over(house: TestHouse) -> None:
    token = await house.logged_in()
    await house.login.request_email_change(token, EmailChange(email="new@example.org"))
    await outcome(house.ask((None, "nobody@example.com"), address="192.0.2.1"))
    await house.deliver()
    house.clock.forward(minutes=59)
    await purge(house.context)
    assert await _kept(house) == {
        "LoginChallenge": 2,
        "SessionRow": 1,
        "LimitWindow": 4,
        "EmailChangeRow": 1,
        "OutboxMail": 3,
        "JobRow": 0,
    }
    house.clock.forward(hours=24)
    await purge(house.context)
    assert await _kept(house) == {
        "LoginChallenge": 0,
        "SessionRow": 1,
        "LimitWindow": 0,
        "EmailChangeRow": 0,
        "OutboxMail": 2,
        "JobRow": 0,
    }
    house.clock.forward(days=31)
    await purge(house.context)
    assert (await _kept(house))["SessionRow"] == 0
    house.clock.forward(days=60)
    await purge(house.context)
    assert set((await _kept(house)).values()) == {0}


async def test_a_mail_that_still_waits_is_kept_however_old(house: TestHouse) -> None:
    await house.ask()
    house.clock.forward(days=365)
    await purge(house.context)
    assert (await _kept(house))["OutboxMail"] == 1
