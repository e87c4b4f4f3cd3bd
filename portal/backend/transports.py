"""The way out for messages: one interface for mails and text messages, and its implementations.

Mails go to a mail server, or to files in the demonstration. Text messages go to the HTTP gateway of the settings; its
requests and answers are described in docs/operations.md. Without a gateway there are no text messages.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from portal.backend.security import certificates
from portal.setting_groups import Smtp, TextGateway
from portal.settings import Settings

if TYPE_CHECKING:
    import aiosmtplib

_REFUSED = frozenset({400, 413, 422})
"""Answers of the gateway after which the same message would be refused again."""

_SENT_BEFORE = 409


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to one recipient.

    `recipient`: a mail address, or a phone number in E.164.
    `sender`: address, name or number of the shop; empty for that of the settings.
    """

    identifier: str
    recipient: str
    content: bytes
    written_at: datetime
    sender: str = ""


class MessageRefused(Exception):
    """The receiver rejected a message permanently. The text is its code, never the recipient or the message."""


class Transport(Protocol):
    """Delivers messages."""

    async def send(self, message: OutgoingMessage) -> None:
        """Deliver one message.

        Raises `MessageRefused`: permanent failure; do not retry.
        Raises `Exception`: any other failure; retry later.
        """


def deliverable(address: str) -> str:
    """The address in the form that every mail server accepts: an internationalized domain is converted to ASCII.

    Raises `ValueError`: the text is not exactly one mail address.
    """
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(address, check_deliverability=False)
    except EmailNotValidError:
        raise ValueError("not one mail address") from None
    return checked.ascii_email or checked.normalized


def mail_server(smtp: Smtp) -> aiosmtplib.SMTP:
    """A connection to the mail server of the settings, used with `async with`."""
    import aiosmtplib

    return aiosmtplib.SMTP(
        hostname=smtp.host,
        port=smtp.port,
        username=smtp.username or None,
        password=smtp.password.get_secret_value() or None,
        use_tls=smtp.security == "tls",
        start_tls=smtp.security == "starttls",
        timeout=smtp.timeout_seconds,
    )


class SmtpTransport:
    """Sends mails over SMTP. With `starttls` and `tls` the server's certificate is verified."""

    def __init__(self, settings: Settings) -> None:
        self._smtp = settings.smtp
        self._sender = parseaddr(settings.mail_from)[1]

    async def send(self, message: OutgoingMessage) -> None:
        """Send the mail. The whole exchange takes at most three times the timeout."""
        import aiosmtplib

        try:
            async with asyncio.timeout(self._smtp.timeout_seconds * 3), mail_server(self._smtp) as server:
                await server.sendmail(message.sender or self._sender, [deliverable(message.recipient)], message.content)
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = error.recipients[0].code
            raise (MessageRefused(str(code)) if code >= 500 else ConnectionError(str(code))) from None
        except aiosmtplib.SMTPDataError as error:
            raise (MessageRefused(str(error.code)) if error.code >= 500 else ConnectionError(str(error.code))) from None


class FileTransport:
    """Writes mails as `.eml` files whose names sort by time. For the demonstration only."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def send(self, message: OutgoingMessage) -> None:
        """Write the file atomically. A retry overwrites the same file."""
        digest = hashlib.sha256(message.identifier.encode()).hexdigest()[:12]
        name = f"{message.written_at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{digest}.eml"
        await asyncio.to_thread(self._write, name, message.content)

    def _write(self, name: str, content: bytes) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self._directory / f".{name}.{os.getpid()}"
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self._directory / name)
        finally:
            unfinished.unlink(missing_ok=True)


class HttpTransport:
    """Sends text messages to an HTTP gateway."""

    def __init__(self, gateway: TextGateway) -> None:
        if gateway.url is None:
            raise ValueError("there is no gateway for text messages")
        self._url = str(gateway.url)
        self._token = gateway.token.get_secret_value()
        self._sender = gateway.sender
        self._seconds = gateway.timeout_seconds

    async def send(self, message: OutgoingMessage) -> None:
        """Send the text. The whole exchange takes at most the timeout; the body of the answer is not read."""
        import httpx  # only shops that send text messages need it, and a command of the back office starts without it

        headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": message.identifier}
        content = {
            "id": message.identifier,
            "from": message.sender or self._sender,
            "to": message.recipient,
            "text": message.content.decode(),
        }
        # Redirects are not followed: they would take the token and the number elsewhere.
        async with (
            asyncio.timeout(self._seconds),
            httpx.AsyncClient(timeout=self._seconds, verify=certificates()) as client,
            client.stream("POST", self._url, json=content, headers=headers) as answer,
        ):
            status = answer.status_code
        if status in _REFUSED:
            raise MessageRefused(str(status))
        if not 200 <= status < 300 and status != _SENT_BEFORE:
            raise ConnectionError(str(status))


def mail_directory(data_dir: Path) -> Path:
    """The directory where the demonstration stores its mails."""
    return data_dir / "mail"


def mail_transport(settings: Settings) -> Transport:
    """SMTP if a host is configured, otherwise files."""
    return SmtpTransport(settings) if settings.smtp.host else FileTransport(mail_directory(settings.data_dir))


def text_transport(settings: Settings) -> Transport | None:
    """The gateway for text messages; None if there is none."""
    return HttpTransport(settings.text_gateway) if settings.sends_text_messages else None


def forget(data_dir: Path, recipient: str, before: datetime) -> None:
    """Delete the mails to an address that were written before a moment, which counts in whole seconds."""
    for path in mail_directory(data_dir).glob("*.eml"):
        mail = _read(path)
        written_at = parsedate_to_datetime(str(mail["Date"]))
        if str(mail["To"]).casefold() == recipient.casefold() and written_at < before.replace(microsecond=0):
            path.unlink(missing_ok=True)


def _read(path: Path) -> EmailMessage:
    message = message_from_bytes(path.read_bytes(), policy=default)
    if not isinstance(message, EmailMessage):
        raise TypeError("the policy creates another type of message")
    return message
