"""A real mail server for tests, in this process."""

import asyncio
import ssl
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from typing_extensions import override

from tests.support.ports import free_port


class Answers:
    """Accepts mails and gives configured replies.

    Attributes:
        replies: replies to DATA, one per mail; later mails get OK.
        refused: reply to every recipient, if set.
        hang_seconds: delay before the reply.
    """

    def __init__(self) -> None:
        self.replies: list[str] = []
        self.refused = ""
        self.hang_seconds = 0.0
        self.tries: list[Message] = []
        self.taken: list[Any] = []
        self.envelopes: list[tuple[str | None, list[str]]] = []

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _: list[str]
    ) -> str:
        """Reply to a recipient."""
        if self.refused:
            return self.refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Reply to a mail."""
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content)
        self.tries.append(message)
        if self.hang_seconds:
            await asyncio.sleep(self.hang_seconds)
        reply = self.replies.pop(0) if self.replies else "250 OK"
        if reply.startswith("250"):
            self.taken.append(message)
            self.envelopes.append((envelope.mail_from, list(envelope.rcpt_tos)))
        return reply


class MailServer:
    """A mail server that can be stopped and started on the same port."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, password: str = "") -> None:
        self.port = free_port()
        self.answers = Answers()
        self._tls, self._password = tls, password
        self._controller: Controller | None = None

    def start(self) -> None:
        """Start to listen."""
        more: dict[str, Any] = {}
        if self._tls:
            more |= {"tls_context": self._tls, "require_starttls": True}
        if self._password:
            more |= {"authenticator": self._check, "auth_required": True, "auth_require_tls": bool(self._tls)}
        self._controller = Controller(self.answers, hostname="127.0.0.1", port=self.port, **more)
        self._controller.start()

    def stop(self) -> None:
        """Stop listening."""
        if self._controller:
            self._controller.stop(no_assert=True)
            self._controller = None

    def _check(self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and data.password.decode() == self._password
        return AuthResult(success=right)


class _Filing(Answers):
    """Accepts mails and writes each into a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    @override
    # pyrefly: ignore[bad-override-param-name]  # aiosmtpd calls it by position
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        reply = await super().handle_DATA(server, session, envelope)
        assert isinstance(envelope.content, bytes)
        partial = self._folder / f"{len(self.taken):05}.part"
        partial.write_bytes(envelope.content)
        partial.rename(partial.with_suffix(".eml"))
        return reply


@pytest.fixture
def mails(tmp_path: Path) -> Iterator[tuple[MailServer, Path]]:
    """A running mail server, and the folder of what it took."""
    folder = tmp_path / "mails"
    folder.mkdir()
    server = MailServer()
    server.answers = _Filing(folder)
    server.start()
    yield server, folder
    server.stop()
