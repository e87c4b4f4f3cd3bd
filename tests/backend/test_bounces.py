"""Reports of mail servers in the mailbox of the sender: which mails came back."""

from __future__ import annotations

import re
import socketserver
from collections.abc import Iterator
from email.message import EmailMessage, Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from threading import Thread
from typing import Any, ClassVar

import pytest
from pydantic import SecretStr

from portal.backend.bounces import read_bounces, undelivered
from portal.setting_groups import Bounces
from portal.tables.messages import OutboxMail
from tests.support.application import TestApplication

LOST, LATE = "<lost@shop.example>", "<late@shop.example>"


def report(identifier: str, *, action: str = "failed", status: str = "5.1.1", whole: bool = True) -> Message:
    """A report about a mail, with the whole mail or its headers only."""
    original = EmailMessage()
    original["Message-ID"] = identifier
    original.set_content("Je code is 123456.")
    about = MIMENonMultipart("message", "delivery-status")
    recipient = Message()
    recipient["Action"], recipient["Status"] = action, status
    about.set_payload([Message(), recipient])
    found = MIMEMultipart("report", **{"report-type": "delivery-status"})
    found["Message-ID"] = "<report@elsewhere.example>"
    found.attach(MIMEText("Sorry."))
    found.attach(about)
    if whole:
        returned = MIMENonMultipart("message", "rfc822")
        returned.set_payload([original])
        found.attach(returned)
    else:
        found.attach(MIMEText(str(original).partition("\n\n")[0], "rfc822-headers"))
    return found


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (report(LOST), LOST),
        (report(LOST, whole=False), LOST),
        (report(LATE, action="delayed", status="4.4.1"), ""),
        (report(LATE, status="4.2.2"), ""),
        (MIMEText("I am on holiday."), ""),
    ],
)
def test_only_a_report_of_a_final_failure_counts(message: Message, expected: str) -> None:
    assert undelivered(message) == expected


class _Mailbox(socketserver.ThreadingTCPServer):
    """Reports that nobody has read."""

    unread: ClassVar[dict[str, bytes]] = {}


class _Session(socketserver.StreamRequestHandler):
    """Speaks as much of IMAP as `imaplib` needs."""

    def handle(self) -> None:
        unread = _Mailbox.unread
        self.wfile.write(b"* OK IMAP4rev1\r\n")
        while line := self.rfile.readline().decode():
            tag, command, *rest = line.split()
            if command == "CAPABILITY":
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            elif command == "SELECT":
                self.wfile.write(b"* %d EXISTS\r\n" % len(unread))
            elif command == "SEARCH":
                self.wfile.write(f"* SEARCH {' '.join(unread)}\r\n".encode())
            elif command == "FETCH" and (content := unread.pop(rest[0])):
                self.wfile.write(f"* {rest[0]} FETCH (BODY[] {{{len(content)}}}\r\n".encode() + content + b")\r\n")
            accepted = command != "LOGIN" or re.search("right", line)
            self.wfile.write(f"{tag} {'OK' if accepted else 'NO'} done\r\n".encode())


@pytest.fixture
def mailbox() -> Iterator[_Mailbox]:
    with _Mailbox(("127.0.0.1", 0), _Session) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


async def test_a_mail_that_came_back_is_sent_and_dropped(application: TestApplication, mailbox: _Mailbox) -> None:
    for identifier in (LOST, LATE):
        mail: dict[str, Any] = {"template": "login_code", "locale": "nl", "recipient": "x@example.com"}
        mail |= dict.fromkeys(("created_at", "expires_at", "sent_at"), application.clock())
        async with application.context.database.transaction() as session:
            session.add(OutboxMail(message_id=identifier, **mail))
    unread = {"1": report(LATE, action="delayed").as_bytes(), "2": report(LOST).as_bytes()}
    mailbox.unread.update(unread)
    settings = application.context.settings
    for password in ("wrong", "right"):
        settings.bounces = Bounces(
            host="127.0.0.1",
            port=mailbox.server_address[1],
            username="u",
            password=SecretStr(password),
            security="none",
        )
        await read_bounces(application.context)
        dropped = {mail.message_id: mail.dropped_at is not None for mail in await application.rows(OutboxMail)}
        assert dropped == {LOST: password == "right", LATE: False}
    assert mailbox.unread == {}
