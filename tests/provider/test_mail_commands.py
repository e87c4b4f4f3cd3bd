"""`python -m portal.provider test-mail`: whether the mail settings work, told at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider.test_commands import refused_line, run
from tests.support.ports import free_port
from tests.support.smtp import MailServer


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mail server without TLS."""
    server = MailServer()
    server.start()
    yield server
    server.stop()


def settings(port: int) -> dict[str, str]:
    """Settings of a mail server on this machine."""
    return {"SMTP__HOST": "127.0.0.1", "SMTP__PORT": str(port), "SMTP__SECURITY": "none"}


def test_a_mail_arrives_from_the_sender_of_the_settings(server: MailServer) -> None:
    done = run("test-mail", "jo@example.com", **settings(server.port), MAIL_FROM="Fietsland <post@fietsland.example>")
    assert (done.returncode, done.stderr) == (0, "")
    (mail,) = server.answers.taken
    assert (mail["From"], mail["To"]) == ("Fietsland <post@fietsland.example>", "jo@example.com")
    assert server.answers.envelopes == [("post@fietsland.example", ["jo@example.com"])]


def test_what_went_wrong_is_told_in_one_line(server: MailServer) -> None:
    server.answers.refused = "550 no such user"
    away = free_port()
    for address, port, line in (
        ("jo@example.com", server.port, f"127.0.0.1:{server.port} refused the email: 550"),
        ("jo@example.com", away, f"127.0.0.1:{away}: SMTPConnectError: "),
        ("jo", server.port, "'jo' is not an email address"),
    ):
        assert refused_line(run("test-mail", address, **settings(port)), 1).startswith(f"portal.provider: {line}")


def test_the_demonstration_writes_a_file(tmp_path: Path) -> None:
    assert run("test-mail", "jo@example.com", DATA_DIR=str(tmp_path)).returncode == 0
    (mail,) = (tmp_path / "mail").glob("*.eml")
    assert "To: jo@example.com" in mail.read_text("utf-8")
