"""Mails leave through the outbox: at least once, whatever happens to the mail server or to us."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlmodel import col, select
from structlog.testing import capture_logs

from portal.provider.context import Context
from portal.provider.database import Database
from portal.provider.jobs import LEASE
from portal.provider.mail.transport import FileTransport, SmtpTransport, mail_directory
from portal.provider.tables.outbox import JobRow, OutboxMail
from portal.provider.work import Work
from portal.settings import Smtp
from tests.provider.login.house import TestHouse, code_in, make_house, outcome
from tests.provider.login.smtp import MailServer, until
from tests.support.postgres import PostgresCluster

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that takes everything."""
    server = MailServer()
    server.start()
    yield server
    server.stop()


def _smtp(house: TestHouse, port: int, **changes: Any) -> Work:
    smtp = Smtp(**({"host": "127.0.0.1", "port": port, "security": "none", "timeout_seconds": 0.5} | changes))
    settings = house.context.settings.model_copy(update={"smtp": smtp})
    return Work(house.context, SmtpTransport(settings))


async def _jobs(house: TestHouse) -> list[JobRow]:
    async with house.context.database.session() as session:
        return list((await session.exec(select(JobRow).order_by(col(JobRow.id)))).all())


async def _mails(house: TestHouse) -> list[OutboxMail]:
    async with house.context.database.session() as session:
        return list((await session.exec(select(OutboxMail).order_by(col(OutboxMail.id)))).all())


async def _settled(house: TestHouse) -> None:
    while any(job.leased_until or job.due_at <= house.clock() for job in await _jobs(house)):
        await asyncio.sleep(0.02)


async def test_a_code_is_handed_to_the_mail_server_within_a_second(house: TestHouse, mail_server: MailServer) -> None:
    work = _smtp(house, mail_server.port)
    await work.start()
    await asyncio.sleep(0.7)
    sent = await house.ask()
    assert await until(lambda: bool(mail_server.answers.taken)) <= 1
    await _settled(house)
    await work.stop()
    (message,) = mail_server.answers.taken
    assert mail_server.answers.envelopes == [("noreply@bovenbuis.example", ["sanne@example.com"])]
    text = message.get_payload(0).get_payload(decode=True).decode()  # pyright: ignore
    assert await outcome(house.enter(code_in(text.replace("\r\n", "\n")), sent.challenge)) == "ok"


async def test_the_answer_does_not_wait_for_a_mail_server_that_hangs(house: TestHouse, mail_server: MailServer) -> None:
    mail_server.answers.hang_seconds = 3
    work = _smtp(house, mail_server.port)
    await work.start()
    loop = asyncio.get_running_loop()
    start = loop.time()
    await house.ask()
    assert loop.time() - start < 0.5
    await until(lambda: bool(mail_server.answers.tries))
    await _settled(house)
    assert [job.tries for job in await _jobs(house)] == [1]
    await work.stop()


async def test_a_mail_server_that_says_later_gets_the_same_mail_again(
    house: TestHouse, mail_server: MailServer
) -> None:
    mail_server.answers.replies = ["451 later", "451 later"]
    work = _smtp(house, mail_server.port)
    await work.start()
    await house.ask()
    for tries in (1, 2):
        await until(lambda tries=tries: len(mail_server.answers.tries) == tries)
        await _settled(house)
        assert mail_server.answers.taken == []
        house.clock.forward(minutes=1)
    await until(lambda: len(mail_server.answers.taken) == 1)
    await _settled(house)
    await work.stop()
    assert len({message["Message-ID"] for message in mail_server.answers.tries}) == 1
    assert len({message["Date"] for message in mail_server.answers.tries}) == 1
    assert await _jobs(house) == []


async def test_a_mail_server_that_is_down_gets_the_mail_when_it_is_back(house: TestHouse) -> None:
    server = MailServer()
    work = _smtp(house, server.port)
    await work.start()
    await house.ask()
    while not any(job.tries and not job.leased_until for job in await _jobs(house)):
        await asyncio.sleep(0.02)
    server.start()
    house.clock.forward(seconds=10)
    await until(lambda: len(server.answers.taken) == 1)
    await _settled(house)
    await work.stop()
    server.stop()


async def test_what_a_mail_said_is_erased_when_it_is_sent(house: TestHouse) -> None:
    await house.ask()
    (before,) = await _mails(house)
    assert before.sealed
    await house.deliver()
    (after,) = await _mails(house)
    assert (after.sealed, after.details, after.dropped_at) == ("", {}, None)
    assert after.sent_at == house.clock()


async def test_a_code_that_has_expired_is_not_mailed_any_more(house: TestHouse) -> None:
    await house.ask()
    house.clock.forward(minutes=10)
    assert await house.mails("sanne@example.com") == []
    (mail,) = await _mails(house)
    assert (mail.sealed, mail.details, mail.sent_at) == ("", {}, None)
    assert mail.dropped_at == house.clock()


@pytest.mark.parametrize("stage", ["recipient", "content"])
async def test_a_final_refusal_is_not_tried_again(house: TestHouse, mail_server: MailServer, stage: str) -> None:
    if stage == "recipient":
        mail_server.answers.refused = "550 no such person"
    else:
        mail_server.answers.replies = ["554 not wanted"]
    work = _smtp(house, mail_server.port)
    with capture_logs() as logs:
        await work.start()
        await house.ask()
        while await _jobs(house):
            await asyncio.sleep(0.02)
        await work.stop()
    (mail,) = await _mails(house)
    assert mail.dropped_at
    assert mail.sealed == ""
    (given_up,) = [line for line in logs if line["event"] == "job given up"]
    assert given_up["reason"] in ("550", "554")


async def test_one_hanging_mail_does_not_hold_up_the_others(house: TestHouse, mail_server: MailServer) -> None:
    await house.add_customer("900000002", "joris@example.com")
    mail_server.answers.hang_seconds = 5
    work = _smtp(house, mail_server.port, timeout_seconds=2)
    await work.start()
    await house.ask()
    await until(lambda: len(mail_server.answers.tries) == 1)
    mail_server.answers.hang_seconds = 0
    await house.ask(("900000002", "joris@example.com"))
    assert await until(lambda: len(mail_server.answers.taken) == 1) < 1.5
    await work.stop()


async def test_a_mail_sealed_with_another_secret_is_given_up_and_not_sent_with_a_wrong_code(
    house: TestHouse, mail_server: MailServer
) -> None:
    await house.ask()
    settings = house.context.settings.model_copy(update={"secret_key": SecretStr("n" * 32)})
    other = Context(settings, house.context.database, house.clock)
    work = Work(other, SmtpTransport(settings.model_copy(update={"smtp": Smtp(host="127.0.0.1")})))
    await work.start()
    while await _jobs(house):
        await asyncio.sleep(0.02)
    await work.stop()
    assert (await _mails(house))[0].dropped_at
    assert mail_server.answers.tries == []


def _certificate(directory: Path) -> tuple[Path, ssl.SSLContext]:
    chain, key = directory / "server.pem", directory / "server.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(key), "-out", str(chain)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return chain, context


async def test_encryption_and_password_are_used_and_a_foreign_certificate_is_refused(
    sqlite_house: TestHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shutil.which("openssl"), "the test needs openssl"
    chain, tls = _certificate(tmp_path)
    server = MailServer(tls=tls, password="correct horse")
    server.start()
    login = {"host": "localhost", "security": "starttls", "username": "portal", "password": SecretStr("correct horse")}
    work = _smtp(sqlite_house, server.port, **login)
    await work.start()
    await sqlite_house.ask()
    while not any(job.tries and not job.leased_until for job in await _jobs(sqlite_house)):
        await asyncio.sleep(0.02)
    assert server.answers.tries == []
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    sqlite_house.clock.forward(minutes=1)
    await until(lambda: len(server.answers.taken) == 1)
    await _settled(sqlite_house)
    await work.stop()
    server.stop()


async def test_without_a_mail_server_mails_are_files_that_only_we_can_read(sqlite_house: TestHouse) -> None:
    transport = FileTransport(mail_directory(sqlite_house.data_dir))
    for _ in range(2):
        await transport.send(b"Message-ID: <1@x>\r\n\r\nhello", "sanne@example.com", sqlite_house.clock())
    (file,) = mail_directory(sqlite_house.data_dir).iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes().endswith(b"hello")


async def test_what_is_not_urgent_is_tried_after_1_2_4_up_to_60_minutes_for_a_day(house: TestHouse) -> None:
    times: list[float] = []
    start = house.clock()

    async def fails(_: int) -> None:
        times.append((house.clock() - start).total_seconds() / 60)
        raise ConnectionError

    house.context.jobs.register("try", fails)
    async with house.context.database.transaction() as session:
        await house.context.jobs.enqueue(session, "try", 1, give_up_at=start + timedelta(hours=24))
    await house.context.jobs.start()
    while jobs := await _jobs(house):
        house.clock.now = max(house.clock.now, jobs[0].due_at)
        before = len(times)
        await until(lambda before=before: len(times) > before)
        await _settled(house)
    await house.context.jobs.stop()
    waits = [later - earlier for earlier, later in pairwise(times)]
    expected = [1, 2, 4, 8, 16, 32, *[60] * (len(waits) - 6)]
    for wait, planned in zip(waits, expected, strict=True):
        assert 0.9 * planned <= wait <= 1.1 * planned
    assert 22 * 60 < times[-1] < 24 * 60


async def test_a_job_of_a_transaction_that_failed_does_not_exist(house: TestHouse) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        done.append(reference)

    house.context.jobs.register("note", note)

    async def fail() -> None:
        async with house.context.database.transaction() as session:
            await house.context.jobs.enqueue(session, "note", 1, give_up_at=house.clock() + timedelta(hours=1))
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        await fail()
    await house.context.jobs.start()
    await asyncio.sleep(0.7)
    await house.context.jobs.stop()
    assert done == []
    assert await _jobs(house) == []


async def test_two_servers_on_one_database_do_every_job_once(house: TestHouse) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        await asyncio.sleep(0.01)
        done.append(reference)

    databases = [Database(house.context.database.url) for _ in range(3)]
    queues = [Context(house.context.settings, database, house.clock).jobs for database in databases]
    for queue in queues:
        queue.register("note", note)
    async with house.context.database.transaction() as session:
        for reference in range(100):
            await queues[0].enqueue(session, "note", reference, give_up_at=house.clock() + timedelta(hours=1))
    for queue in queues:
        await queue.start()
    await until(lambda: len(done) >= 100, 30)
    await asyncio.sleep(0.3)
    for queue in queues:
        await queue.stop()
    for database in databases:
        await database.close()
    assert sorted(done) == list(range(100))
    assert await _jobs(house) == []


async def test_a_job_whose_worker_vanished_is_taken_by_another_when_the_lease_is_over(house: TestHouse) -> None:
    done: list[int] = []

    async def note(reference: int) -> None:
        done.append(reference)

    house.context.jobs.register("note", note)
    async with house.context.database.transaction() as session:
        await house.context.jobs.enqueue(session, "note", 7, give_up_at=house.clock() + timedelta(hours=1))
    async with house.context.database.transaction() as session:
        job = (await session.exec(select(JobRow))).one()
        job.lease, job.leased_until = "somebody who was killed", house.clock() + LEASE
    await house.context.jobs.start()
    await asyncio.sleep(0.7)
    assert done == []
    house.clock.forward(seconds=LEASE.total_seconds())
    await until(lambda: done == [7])
    await house.context.jobs.stop()


KILLED = """
import asyncio, os, sys
from pathlib import Path
from portal.contract.session import CodeRequest, Origin
from portal.provider.context import Context
from portal.provider.database import Database
from portal.provider.mail.transport import SmtpTransport
from portal.provider.services.login import LoginServices
from portal.provider.sessions import Sessions
from portal.provider.work import Work
from portal.settings import Settings

async def main() -> None:
    settings = Settings()
    context = Context(settings, Database(settings.database))
    work = Work(context)
    await work.start()
    login = LoginServices(context, Sessions(context))
    await login.request_code(CodeRequest(email="sanne@example.com", order_number="900000001"), Origin())
    print("acknowledged", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize("moment", ["before the mail was sent", "after it was sent, before that was written down"])
async def test_a_killed_worker_loses_no_mail(house: TestHouse, tmp_path: Path, moment: str) -> None:
    server = MailServer()
    if moment.startswith("after"):
        server.start()
        server.answers.hang_seconds = 1
    environment = os.environ | {
        "PORTAL_DATA_DIR": str(tmp_path),
        "PORTAL_DATABASE_URL": house.context.settings.database,
        "PORTAL_SMTP__HOST": "127.0.0.1",
        "PORTAL_SMTP__PORT": str(server.port),
        "PORTAL_SMTP__SECURITY": "none",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    while b"acknowledged" not in await asyncio.wait_for(process.stdout.readline(), 30):
        pass
    if moment.startswith("after"):
        await until(lambda: len(server.answers.tries) == 1)
    process.kill()
    await process.wait()
    if not moment.startswith("after"):
        server.start()
    server.answers.hang_seconds = 0
    house.clock.forward(seconds=60)
    work = _smtp(house, server.port)
    await work.start()
    await until(lambda: len(server.answers.tries) >= (2 if moment.startswith("after") else 1), 20)
    await _settled(house)
    await work.stop()
    server.stop()
    assert len({message["Message-ID"] for message in server.answers.tries}) == 1
    assert await _jobs(house) == []


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
    house = make_house(own_cluster.create_database(), tmp_path)
    await house.open()
    work = _smtp(house, mail_server.port)
    await work.start()
    await asyncio.to_thread(own_cluster.stop)
    await asyncio.sleep(1.5)
    assert await outcome(house.ask()) == "general_error"
    await asyncio.to_thread(own_cluster.start)
    await house.ask()
    assert await until(lambda: len(mail_server.answers.taken) == 1) < 5
    await work.stop()
    await house.context.database.close()


async def test_no_log_line_holds_a_code_an_address_or_a_token(
    house: TestHouse, mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    mail_server.answers.replies = ["451 sanne@example.com later"]
    work = _smtp(house, mail_server.port)
    with capture_logs() as logs:
        await work.start()
        sent = await house.ask(address="192.0.2.7")
        await outcome(house.ask(("900000999", "sanne@example.com"), address="192.0.2.7"))
        await until(lambda: len(mail_server.answers.tries) == 1)
        await _settled(house)
        house.clock.forward(minutes=1)
        await until(lambda: len(mail_server.answers.taken) == 1)
        await _settled(house)
        text = mail_server.answers.taken[0].get_payload(0).get_payload(decode=True).decode()  # pyright: ignore
        code = code_in(text.replace("\r\n", "\n"))
        await outcome(house.enter("111111", sent.challenge))
        session = await house.enter(code, sent.challenge)
        await house.login.logout(session.jwt)
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
