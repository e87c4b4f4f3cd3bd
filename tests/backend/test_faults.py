"""Killed workers, databases that go away, and what the log says meanwhile."""

import asyncio
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from portal.launch import ROOT
from portal.tables.messages import JobRow
from tests.support.application import TestApplication, code_in, make_application, outcome
from tests.support.delivery import mail_work, settled
from tests.support.postgres import PostgresCluster
from tests.support.retailer import make_tables
from tests.support.smtp import MailServer
from tests.support.waiting import until

KILLED = """
import asyncio, os, sys
from pathlib import Path
from portal.contract.session import CodeRequest, Origin
from portal.backend.context import Context, database_of
from portal.backend.transports import SmtpTransport
from portal.login.provider.service import LoginService
from portal.backend.sessions import Sessions
from portal.provider.application import BackgroundWorker
from portal.settings import Settings

async def main() -> None:
    settings = Settings()
    context = Context(settings, database_of(settings))
    work = BackgroundWorker(context)
    await work.start()
    login = LoginService(context, Sessions(context))
    await login.request_code(CodeRequest(email="sanne@example.com", order_number="900000001"), Origin())
    print("acknowledged", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.each_database
@pytest.mark.parametrize("moment", ["before the mail was sent", "after it was sent, before that was written down"])
async def test_a_killed_worker_loses_no_mail(application: TestApplication, tmp_path: Path, moment: str) -> None:
    server = MailServer()
    if moment.startswith("after"):
        server.start()
        server.answers.hang_seconds = 1
    environment = os.environ | {
        "PORTAL_DATA_DIR": str(tmp_path),
        "PORTAL_DATABASE_URL": application.context.settings.database,
        "PORTAL_SMTP__HOST": "127.0.0.1",
        "PORTAL_SMTP__PORT": str(server.port),
        "PORTAL_SMTP__SECURITY": "none",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    async with asyncio.timeout(60):
        while b"acknowledged" not in (line := await process.stdout.readline()):
            assert line, "the worker ended before it had taken the request"
    if moment.startswith("after"):
        await until(lambda: len(server.answers.tries) == 1)
    process.kill()
    await process.wait()
    if not moment.startswith("after"):
        server.start()
    server.answers.hang_seconds = 0
    application.clock.forward(seconds=60)
    work = mail_work(application, server.port)
    await work.start()
    await until(lambda: len(server.answers.tries) >= (2 if moment.startswith("after") else 1))
    await settled(application)
    await work.stop()
    server.stop()
    assert len({message["Message-ID"] for message in server.answers.tries}) == 1
    assert await application.rows(JobRow) == []


@pytest.fixture
def own_cluster() -> Iterator[PostgresCluster]:
    """A cluster that one test may break; the shared one has many databases to recover."""
    cluster = PostgresCluster()
    cluster.start()
    yield cluster
    cluster.remove()


@pytest.mark.postgres
async def test_the_worker_goes_on_when_the_database_is_back(
    own_cluster: PostgresCluster, tmp_path: Path, mail_server: MailServer
) -> None:
    url = own_cluster.create_database()
    await asyncio.to_thread(make_tables, url)
    application = make_application(url, tmp_path)
    await application.open()
    work = mail_work(application, mail_server.port)
    await work.start()
    await asyncio.to_thread(own_cluster.stop)
    await asyncio.sleep(1.5)
    assert await outcome(application.ask()) == "general_error"
    await asyncio.to_thread(own_cluster.start)
    await application.ask()
    await until(lambda: len(mail_server.answers.taken) == 1)
    await work.stop()
    await application.context.database.close()


async def test_no_log_line_holds_a_code_an_address_or_a_token(
    application: TestApplication, mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    mail_server.answers.replies = ["451 sanne@example.com later"]
    work = mail_work(application, mail_server.port)
    with capture_logs() as logs:
        await work.start()
        sent = await application.ask(address="192.0.2.7")
        await outcome(application.ask(("900000999", "sanne@example.com"), address="192.0.2.7"))
        await until(lambda: len(mail_server.answers.tries) == 1)
        await settled(application)
        application.clock.forward(minutes=1)
        await until(lambda: len(mail_server.answers.taken) == 1)
        await settled(application)
        text = mail_server.answers.taken[0].get_payload(0).get_payload(decode=True).decode()
        code = code_in(text.replace("\r\n", "\n"))
        await outcome(application.enter("111111", sent.challenge))
        session = await application.enter(code, sent.challenge)
        await application.login.logout(session.jwt)
        await work.stop()
    # What the mail server of the test itself writes down is not ours.
    others = [record.getMessage() for record in caplog.records if not record.name.startswith("mail.")]
    written = str(logs) + str(others)
    assert [line["event"] for line in logs if line["event"] in ("login", "logout", "login failed")] == [
        "login failed",
        "login",
        "logout",
    ]
    for secret in (code, "111111", "sanne@example.com", sent.challenge, session.jwt, "192.0.2.7", "900000001"):
        assert secret not in written
