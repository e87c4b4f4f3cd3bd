"""`python -m portal.provider check` and `test-mail`: whether what the portal needs works."""

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


def test_a_check_names_what_works_and_what_to_do_about_the_rest(
    server: MailServer, loaded_url: str, tmp_path: Path
) -> None:
    given = {"DATABASE_URL": loaded_url, "DATA_DIR": str(tmp_path), "REDIS_URL": "redis://127.0.0.1:9/0"}
    failed = run("check", **settings(server.port), **given)
    assert failed.returncode == 1
    for name in ("database", "codes", "jobs", "files", "disk", "clock", "mail"):
        assert f"ok       {name}\n" in failed.stdout
    assert "FAILED   redis: unreachable" in failed.stdout
    assert "correct PORTAL_REDIS_URL" in failed.stdout
    assert failed.stderr == "portal.provider: customers cannot work: redis\n"
    del given["REDIS_URL"]
    assert run("check", **settings(server.port), **given).returncode == 0
    away = run("check", **settings(free_port()), **given)
    assert "FAILED   mail: unreachable, 127.0.0.1:" in away.stdout
    assert server.answers.taken == []
