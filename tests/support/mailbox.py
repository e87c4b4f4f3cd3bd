"""The mails that the demonstration writes as files."""

from __future__ import annotations

import re
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses
from pathlib import Path

_CODE = re.compile(r"(?<!\d)(\d{6})(?!\d)")


class Mailbox:
    """Reads `mail/*.eml` of a data directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._read: dict[str, EmailMessage] = {}

    def mails_to(self, address: str) -> list[EmailMessage]:
        """All mails to one address, oldest first."""
        files = sorted(self._directory.glob("*.eml"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        for path in files:
            if path.name not in self._read:
                self._read[path.name] = _parse(path)
        mails = [self._read[path.name] for path in files]
        return [mail for mail in mails if address in _recipients(mail)]

    def wait_for(self, address: str, *, after: int = 0, seconds: float = 10) -> EmailMessage:
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
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            # A notice, which holds no code, may arrive in between.
            for mail in reversed(self.mails_to(address)[after:]):
                if found := _CODE.search(text_of(mail)):
                    return found.group(1)
            time.sleep(0.05)
        raise TimeoutError(f"no code for {address} within {seconds} s")


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


def _recipients(mail: EmailMessage) -> set[str]:
    return {address for _, address in getaddresses(mail.get_all("to", []))}
