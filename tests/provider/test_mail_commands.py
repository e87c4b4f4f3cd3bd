"""`python -m portal.provider test-mail`: whether the mail settings work, told at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider.test_commands import run
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


def test_what_the_server_says_is_told(server: MailServer) -> None:
    server.answers.refused = "550 no such user"
    done = run("test-mail", "jo@example.com", **settings(server.port))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == f"portal.provider: 127.0.0.1:{server.port} refused the email: 550"


def test_a_server_that_is_not_there_is_told() -> None:
    done = run("test-mail", "jo@example.com", **settings(port := free_port()))
    assert done.returncode == 1
    assert done.stderr.startswith(f"portal.provider: 127.0.0.1:{port}: SMTPConnectError: ")
    assert len(done.stderr.splitlines()) == 1


def test_what_is_no_address_is_refused(server: MailServer) -> None:
    assert run("test-mail", "jo", **settings(server.port)).stderr == "portal.provider: 'jo' is not an email address\n"


def test_the_demonstration_writes_a_file(tmp_path: Path) -> None:
    assert run("test-mail", "jo@example.com", DATA_DIR=str(tmp_path)).returncode == 0
    (mail,) = (tmp_path / "mail").glob("*.eml")
    assert "To: jo@example.com" in mail.read_text("utf-8")
