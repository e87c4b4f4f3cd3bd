"""How a mail leaves the house: over SMTP, or as a file for the demonstration."""

from __future__ import annotations

import asyncio
import hashlib
import os
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Protocol

import aiosmtplib

from portal.provider.mail.message import deliverable
from portal.settings import Settings


class Refusal(Exception):
    """The mail server said no for good. The text is its code; never the address or the message."""


class Transport(Protocol):
    """Takes one message for one recipient."""

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:
        """Hand the message over.

        Raises:
            Refusal: another try makes no sense.
            Exception: anything else; try again later.
        """
        ...


class SmtpTransport:
    """Sends over SMTP. With `starttls` and `tls` the certificate of the server is checked."""

    def __init__(self, settings: Settings) -> None:
        """Use the mail server of the settings."""
        self._smtp = settings.smtp
        self._sender = parseaddr(settings.mail_from)[1]

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:  # noqa: ARG002
        """Hand the message to the mail server; the whole talk takes at most three times the timeout."""
        smtp = self._smtp
        try:
            async with asyncio.timeout(smtp.timeout_seconds * 3):
                await aiosmtplib.send(
                    message,
                    sender=self._sender,
                    recipients=[deliverable(recipient)],
                    hostname=smtp.host,
                    port=smtp.port,
                    username=smtp.username or None,
                    password=smtp.password.get_secret_value() or None,
                    use_tls=smtp.security == "tls",
                    start_tls=smtp.security == "starttls",
                    timeout=smtp.timeout_seconds,
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = error.recipients[0].code
            raise (Refusal(str(code)) if code >= 500 else ConnectionError(str(code))) from None
        except aiosmtplib.SMTPDataError as error:
            raise (Refusal(str(error.code)) if error.code >= 500 else ConnectionError(str(error.code))) from None


class FileTransport:
    """Writes `.eml` files, named so that they sort by time. Only for the demonstration."""

    def __init__(self, directory: Path) -> None:
        """Write into this directory; it is made when needed."""
        self._directory = directory

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:  # noqa: ARG002
        """Write the file: whole or not at all; a second try writes the same one."""
        digest = hashlib.sha256(message.partition(b"Message-ID:")[2].partition(b"\r\n")[0]).hexdigest()[:12]
        name = f"{written_at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{digest}.eml"
        await asyncio.to_thread(self._write, name, message)

    def _write(self, name: str, message: bytes) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self._directory / f".{name}.{os.getpid()}"
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(message)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self._directory / name)
        finally:
            unfinished.unlink(missing_ok=True)


def mail_directory(data_dir: Path) -> Path:
    """Where the demonstration keeps its mails."""
    return data_dir / "mail"


def transport(settings: Settings) -> Transport:
    """What the settings ask for."""
    return SmtpTransport(settings) if settings.smtp.host else FileTransport(mail_directory(settings.data_dir))
