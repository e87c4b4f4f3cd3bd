"""A mail server for a whole portal: what it takes stands as files in the mailbox of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from typing_extensions import override

from tests.support.smtp import Answers, MailServer


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
