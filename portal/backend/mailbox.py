"""The mailbox of the demonstration: reads the mails that `FileTransport` wrote.

The functions block: call them through `asyncio.to_thread`.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

from portal.backend.transports import mail_directory
from portal.contract.errors import NotFound

NAME = re.compile(r"[0-9]{8}T[0-9]{12}-[0-9a-f]{12}\.eml")
"""The file names that `FileTransport` writes. No other file is ever opened."""


@dataclass(frozen=True, slots=True)
class MailSummary:
    """A mail in the list. `name` is the file name; `written_at` is aware, in UTC."""

    name: str
    subject: str
    recipient: str
    language: str
    written_at: datetime


@dataclass(frozen=True, slots=True)
class ReadableMail(MailSummary):
    """A mail with both bodies."""

    text: str
    html: str


def list_messages(data_dir: Path, most: int = 100) -> list[MailSummary]:
    """At most `most` mails, newest first."""
    directory = mail_directory(data_dir)
    if not directory.is_dir():
        return []
    names = sorted((entry.name for entry in directory.iterdir() if NAME.fullmatch(entry.name)), reverse=True)
    return [_summary(name, _read(directory / name)) for name in names[:most]]


def read_message(data_dir: Path, name: str) -> ReadableMail:
    """Read one mail.

    Raises:
        NotFound: there is no mail with that file name.
    """
    path = mail_directory(data_dir) / name
    if not NAME.fullmatch(name) or not path.is_file():
        raise NotFound
    message = _read(path)
    mail = _summary(name, message)
    return ReadableMail(
        name=name,
        subject=mail.subject,
        recipient=mail.recipient,
        language=mail.language,
        written_at=mail.written_at,
        text=_body(message, "plain"),
        html=_body(message, "html"),
    )


def forget(data_dir: Path, recipient: str, before: datetime) -> None:
    """Delete the mails to an address that were written before a moment, which counts in whole seconds."""
    for mail in list_messages(data_dir, sys.maxsize):
        if mail.recipient.casefold() == recipient.casefold() and mail.written_at < before.replace(microsecond=0):
            (mail_directory(data_dir) / mail.name).unlink(missing_ok=True)


def _read(path: Path) -> EmailMessage:
    message = message_from_bytes(path.read_bytes(), policy=default)
    if not isinstance(message, EmailMessage):
        raise TypeError("the policy creates another type of message")
    return message


def _summary(name: str, message: EmailMessage) -> MailSummary:
    return MailSummary(
        name=name,
        subject=str(message["Subject"]),
        recipient=str(message["To"]),
        language=str(message["Content-Language"]),
        written_at=parsedate_to_datetime(str(message["Date"])),
    )


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""
