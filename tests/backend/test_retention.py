"""What is not needed any more is thrown away, and nothing else."""

import pytest
from sqlmodel import func, select

from portal.contract.session import Origin
from portal.exports.provider.digest import JOB as DIGEST
from portal.login.api import EmailChange, PasskeyPage
from portal.login.provider.passkeys import PasskeyService
from portal.provider.hourly import purge
from portal.tables.customers import EmailChangeRow, LimitWindow, LoginChallenge, PasskeyChallengeRow, SessionRow
from portal.tables.messages import JobRow, OutboxMail
from tests.support.application import TestApplication, outcome

pytestmark = pytest.mark.each_database


async def _browser_keeps(application: TestApplication) -> dict[str, int]:
    tables = (LoginChallenge, PasskeyChallengeRow, SessionRow, LimitWindow, EmailChangeRow, OutboxMail, JobRow)
    async with application.context.database.session() as session:
        counts = {
            table.__name__: (await session.exec(select(func.count()).select_from(table))).one() for table in tables
        }
        always = select(func.count()).select_from(JobRow).where(JobRow.kind == DIGEST)
        return counts | {"JobRow": counts["JobRow"] - (await session.exec(always)).one()}


async def test_everything_goes_when_its_time_is_over(application: TestApplication) -> None:
    token = await application.logged_in()
    await application.login.request_email_change(token, EmailChange(email="new@example.org"))
    await outcome(application.ask((None, "nobody@example.com"), address="192.0.2.1"))
    passkeys = PasskeyService(application.context, application.sessions)
    await passkeys.begin_passkey_login(PasskeyPage(origin="http://localhost:8000"), Origin(address="192.0.2.1"))
    await application.deliver()
    application.clock.forward(minutes=59)
    await purge(application.context)
    assert await _browser_keeps(application) == {
        "LoginChallenge": 2,
        "PasskeyChallengeRow": 1,
        "SessionRow": 1,
        "LimitWindow": 5,
        "EmailChangeRow": 1,
        "OutboxMail": 3,
        "JobRow": 0,
    }
    application.clock.forward(hours=24)
    await purge(application.context)
    assert await _browser_keeps(application) == {
        "LoginChallenge": 0,
        "PasskeyChallengeRow": 0,
        "SessionRow": 1,
        "LimitWindow": 0,
        "EmailChangeRow": 0,
        "OutboxMail": 2,
        "JobRow": 0,
    }
    application.clock.forward(days=31)
    await purge(application.context)
    assert (await _browser_keeps(application))["SessionRow"] == 0
    application.clock.forward(days=60)
    await purge(application.context)
    assert set((await _browser_keeps(application)).values()) == {0}


async def test_a_mail_that_still_waits_is_kept_however_old(application: TestApplication) -> None:
    await application.ask()
    application.clock.forward(days=365)
    await purge(application.context)
    assert (await _browser_keeps(application))["OutboxMail"] == 1
