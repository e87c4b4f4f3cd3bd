"""Mails leave through the outbox, once the mail server takes them, and say nothing afterwards."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from portal.backend.context import Context
from portal.backend.jobs import AT_ONCE, RESERVED
from portal.backend.mail import Template
from portal.backend.outbox import KIND, SEND_FOR
from portal.backend.transports import FileTransport, OutgoingMessage, SmtpTransport, mail_directory
from portal.provider.application import BackgroundWorker
from portal.setting_groups import Smtp
from portal.tables.messages import JobRow, OutboxMail
from tests.support.application import TestApplication, code_in, outcome
from tests.support.delivery import mail_work, settled
from tests.support.smtp import MailServer
from tests.support.waiting import until


async def test_the_answer_does_not_wait_for_a_mail_server_that_hangs(
    application: TestApplication, mail_server: MailServer
) -> None:
    mail_server.answers.hang_seconds = 3
    work = mail_work(application, mail_server.port)
    await work.start()
    loop = asyncio.get_running_loop()
    start = loop.time()
    await application.ask()
    assert loop.time() - start < 0.5
    await until(lambda: bool(mail_server.answers.tries))
    await settled(application)
    assert [job.tries for job in await application.rows(JobRow)] == [1]
    await work.stop()


async def test_a_mail_server_that_says_later_gets_the_same_mail_again(
    application: TestApplication, mail_server: MailServer
) -> None:
    mail_server.answers.replies = ["451 later", "451 later"]
    work = mail_work(application, mail_server.port)
    await work.start()
    sent = await application.ask()
    for tries in (1, 2):
        await until(lambda tries=tries: len(mail_server.answers.tries) == tries)
        await settled(application)
        assert mail_server.answers.taken == []
        application.clock.forward(minutes=1)
    await until(lambda: len(mail_server.answers.taken) == 1)
    await settled(application)
    await work.stop()
    assert len({message["Message-ID"] for message in mail_server.answers.tries}) == 1
    assert len({message["Date"] for message in mail_server.answers.tries}) == 1
    assert await application.rows(JobRow) == []
    assert mail_server.answers.envelopes == [("noreply@bovenbuis.example", ["sanne@example.com"])]
    text = mail_server.answers.taken[0].get_payload(0).get_payload(decode=True).decode()
    assert await outcome(application.enter(code_in(text.replace("\r\n", "\n")), sent.challenge)) == "ok"


@pytest.mark.each_database
async def test_the_content_of_a_mail_is_erased_when_it_is_sent(application: TestApplication) -> None:
    await application.ask()
    (before,) = await application.rows(OutboxMail)
    assert before.sealed
    await application.deliver()
    (after,) = await application.rows(OutboxMail)
    assert (after.sealed, after.details, after.dropped_at) == ("", {}, None)
    assert after.sent_at == application.clock()


async def test_a_code_that_has_expired_is_not_mailed_any_more(application: TestApplication) -> None:
    await application.ask()
    application.clock.forward(minutes=10)
    assert await application.mails("sanne@example.com") == []
    (mail,) = await application.rows(OutboxMail)
    assert (mail.sealed, mail.details, mail.sent_at) == ("", {}, None)
    assert mail.dropped_at == application.clock()


@pytest.mark.parametrize("stage", ["recipient", "content"])
async def test_a_final_refusal_is_not_tried_again(
    application: TestApplication, mail_server: MailServer, stage: str
) -> None:
    if stage == "recipient":
        mail_server.answers.refused = "550 no such person"
    else:
        mail_server.answers.replies = ["554 not wanted"]
    work = mail_work(application, mail_server.port)
    with capture_logs() as logs:
        await work.start()
        await application.ask()
        while await application.rows(JobRow):
            await asyncio.sleep(0.02)
        await work.stop()
    (mail,) = await application.rows(OutboxMail)
    assert mail.dropped_at
    assert mail.sealed == ""
    (given_up,) = [line for line in logs if line["event"] == "job given up"]
    assert given_up["reason"] in ("550", "554")


@pytest.mark.each_database
async def test_one_hanging_mail_does_not_hold_up_the_others(
    application: TestApplication, mail_server: MailServer
) -> None:
    await application.add_customer("900000002", "joris@example.com")
    mail_server.answers.hang_seconds = 10
    work = mail_work(application, mail_server.port, timeout_seconds=9)
    await work.start()
    await application.ask()
    await until(lambda: len(mail_server.answers.tries) == 1)
    mail_server.answers.hang_seconds = 0
    await application.ask(("900000002", "joris@example.com"))
    assert await until(lambda: len(mail_server.answers.taken) == 1) < 8, "before the first one is given up"
    await work.stop()


@pytest.mark.each_database
async def test_a_code_does_not_wait_behind_a_mass_mailing(
    application: TestApplication, mail_server: MailServer
) -> None:
    waiting = 5_000
    times = {"created_at": application.clock(), "expires_at": application.clock() + SEND_FOR}
    async with application.context.database.transaction() as session:
        mails = [
            OutboxMail(
                message_id=f"<{number}@example.com>",
                template=Template.PASSKEY_ADDED,
                locale="nl",
                recipient="joris@example.com",
                details={"device": "Telefoon"},
                **times,
            )
            for number in range(waiting)
        ]
        session.add_all(mails)
        await session.flush()
        due = {"created_at": application.clock(), "due_at": application.clock(), "give_up_at": times["expires_at"]}
        session.add_all([JobRow(kind=KIND, reference=mail.id, **due) for mail in mails])
    mail_server.answers.hang_seconds = 2
    work = mail_work(application, mail_server.port, timeout_seconds=10)
    await work.start()
    await until(lambda: len(mail_server.answers.tries) >= AT_ONCE - RESERVED)

    def codes() -> int:
        return [message["To"] for message in mail_server.answers.taken].count("sanne@example.com")

    await application.ask()
    assert await until(lambda: codes() == 1) < 5
    assert len(await application.rows(JobRow)) > waiting - 50
    await work.stop()


async def test_a_mail_sealed_with_another_secret_is_given_up_and_not_sent_with_a_wrong_code(
    application: TestApplication, mail_server: MailServer
) -> None:
    await application.ask()
    settings = application.context.settings.model_copy(update={"secret_key": SecretStr("n" * 32)})
    other = Context(settings, application.context.database, application.clock)
    work = BackgroundWorker(other, SmtpTransport(settings.model_copy(update={"smtp": Smtp(host="127.0.0.1")})))
    await work.start()
    while await application.rows(JobRow):
        await asyncio.sleep(0.02)
    await work.stop()
    assert (await application.rows(OutboxMail))[0].dropped_at
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
    sqlite_application: TestApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shutil.which("openssl"), "the test needs openssl"
    chain, tls = _certificate(tmp_path)
    server = MailServer(tls=tls, password="correct horse")
    server.start()
    login = {"host": "localhost", "security": "starttls", "username": "portal", "password": SecretStr("correct horse")}
    work = mail_work(sqlite_application, server.port, **login)
    await work.start()
    await sqlite_application.ask()
    while not any(job.tries and not job.leased_until for job in await sqlite_application.rows(JobRow)):
        await asyncio.sleep(0.02)
    assert server.answers.tries == []
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    sqlite_application.clock.forward(minutes=1)
    await until(lambda: len(server.answers.taken) == 1)
    await settled(sqlite_application)
    await work.stop()
    server.stop()


async def test_without_a_mail_server_mails_are_files_that_only_we_can_read(sqlite_application: TestApplication) -> None:
    transport = FileTransport(mail_directory(sqlite_application.data_dir))
    for _ in range(2):
        await transport.send(OutgoingMessage("<1@x>", "sanne@example.com", b"hello", sqlite_application.clock()))
    (file,) = mail_directory(sqlite_application.data_dir).iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes().endswith(b"hello")


async def test_a_mail_server_that_is_down_gets_the_mail_when_it_is_back(application: TestApplication) -> None:
    server = MailServer()
    work = mail_work(application, server.port)
    await work.start()
    await application.ask()
    while not any(job.tries and not job.leased_until for job in await application.rows(JobRow)):
        await asyncio.sleep(0.02)
    server.start()
    application.clock.forward(seconds=10)
    await until(lambda: len(server.answers.taken) == 1)
    await settled(application)
    await work.stop()
    server.stop()
