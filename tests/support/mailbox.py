"""The mails that the demonstration writes as files."""

import re
import time
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import Path

from portal.backend.transports import mail_directory

_CODE = re.compile(r"(?<!\d)(\d{6})(?!\d)")


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail that has been read: its time, file and recipient."""

    written: int
    name: str
    message: EmailMessage
    recipients: frozenset[str]


class Mailbox:
    """Reads `mail/*.eml` of a data directory, each file once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._read: dict[str, _Mail] = {}

    def mails_to(self, address: str) -> list[EmailMessage]:
        """All mails to one address, oldest first."""
        for path in self._directory.glob("*.eml"):
            if path.name not in self._read:
                message = _parse(path)
                self._read[path.name] = _Mail(path.stat().st_mtime_ns, path.name, message, _recipients(message))
        found = [mail for mail in self._read.values() if address in mail.recipients]
        return [mail.message for mail in sorted(found, key=lambda mail: (mail.written, mail.name))]

    def wait_for(self, address: str, *, after: int = 0, seconds: float = 60) -> EmailMessage:
        """The newest mail to an address, once there are more than `after` of them.

        Raises:
            TimeoutError: When none came in time.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            mails = self.mails_to(address)
            if len(mails) > after:
                return mails[-1]
            time.sleep(0.05)
        raise TimeoutError(f"no mail to {address} within {seconds} s")

    def code_for(self, address: str, *, after: int = 0, seconds: float = 10) -> str:
        """The code in the newest mail to an address that holds one, once there are more than `after` mails.

        Raises:
            TimeoutError: When none came in time.
        """
        return self.found(_CODE, address, after=after, seconds=seconds)

    def found(self, wanted: re.Pattern[str], address: str, *, after: int = 0, seconds: float = 10) -> str:
        """The first group of what is wanted, in the newest mail to an address that holds it; see `code_for`.

        Raises:
            TimeoutError: When none came in time.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            # A notice, which holds nothing of it, may arrive in between.
            for mail in reversed(self.mails_to(address)[after:]):
                if found := wanted.search(text_of(mail)):
                    return found.group(1)
            time.sleep(0.05)
        raise TimeoutError(f"nothing that matches {wanted.pattern} for {address} within {seconds} s")


def code_in(mail: EmailMessage) -> str:
    """The login code in a mail."""
    found = _CODE.search(text_of(mail))
    assert found, "the mail holds no code"
    return found.group(1)


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    body = mail.get_body(("plain",))
    return body.get_content() if body else ""


def _parse(path: Path) -> EmailMessage:
    parsed = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert isinstance(parsed, EmailMessage)
    return parsed


def _recipients(mail: EmailMessage) -> frozenset[str]:
    return frozenset(address for _, address in getaddresses(mail.get_all("to", [])))


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


def list_messages(data_dir: Path) -> list[MailSummary]:
    """The mails of a data directory, newest first."""
    paths = sorted(mail_directory(data_dir).glob("*.eml"), reverse=True)
    return [_summary(path.name, _parse(path)) for path in paths]


def read_message(data_dir: Path, name: str) -> ReadableMail:
    """Read one mail."""
    message = _parse(mail_directory(data_dir) / name)
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
