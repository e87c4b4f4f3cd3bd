"""Webhooks and exports by command line: what is done, and what is refused in one line."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.provider.test_commands import run as run_command

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def database(demonstration: Path, tmp_path: Path) -> Path:
    """A copy of the demonstration shop with one decided refund."""
    shutil.copytree(demonstration, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "portal.db"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE returns SET status = 'cancelled', refund_amount = NULL")
        connection.execute(
            "UPDATE returns SET status = 'return_closed', refund_amount = 19905, reference = 'ZQREFUND' WHERE id = 1"
        )
    return path


@pytest.fixture
def run(database: Path) -> Run:
    """Run a command of the provider: its status, output and errors."""

    def command(*arguments: str) -> tuple[int, str, str]:
        done = run_command(*arguments, DATA_DIR=str(database.parent))
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    return command


def audited(database: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT actor, action FROM audit ORDER BY id").fetchall()


def test_a_webhook_is_added_tested_rotated_and_removed(run: Run, database: Path) -> None:
    status, out, _ = run("webhook", "add", "http://127.0.0.1:9/events", "--events", "case.opened")
    added = re.fullmatch(r"webhook (\w+): (whsec_\S+)", out)
    assert status == 0
    assert added
    name, secret = added.groups()
    assert run("webhook", "list")[1] == f"{name}  on  0 pending  http://127.0.0.1:9/events  case.opened"
    assert run("webhook", "test", name)[1] == f"webhook {name}: test event on its way"
    assert "  1 pending  " in run("webhook", "list")[1]
    rotated = run("webhook", "rotate", name)[1]
    assert rotated.startswith(f"webhook {name}: whsec_")
    assert secret not in rotated
    assert run("webhook", "resume", name)[1] == f"webhook {name}: events on their way: 1"
    assert run("webhook", "replay", name, "--since", "2026-01-01T00:00+01:00")[1].endswith(": events on their way: 0")
    assert run("webhook", "remove", name)[1] == f"webhook {name}: removed"
    assert run("webhook", "list")[1] == "there are no webhooks"
    actions = ["add_webhook", "test_webhook", "rotate_secret", "resume_webhook", "replay", "remove_webhook"]
    assert audited(database) == [("command line", action) for action in actions]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("webhook", "add", "ftp://shop.example"), "the URL cannot be used"),
        (("webhook", "add", "http://127.0.0.1:9/", "--events", "case.sold"), "a type of event cannot be used"),
        (("webhook", "test", "ABCDEFGH23"), "there is no webhook ABCDEFGH23, or no such event"),
        (("refunds", "account", "files"), "nothing to export"),
        (("refund-batch", "ABCDEFGH23", "files"), "there is no ABCDEFGH23"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(run: Run, arguments: tuple[str, ...], line: str) -> None:
    assert run(*arguments) == (1, "", f"portal.provider: {line}")


def test_refunds_are_written_once_and_again_by_their_batch(run: Run, tmp_path: Path, database: Path) -> None:
    files = tmp_path / "files"
    with sqlite3.connect(database) as connection:
        connection.execute(
            "INSERT INTO refund_accounts (return_id, holder, iban, entered_at) "
            "VALUES (1, 'S. Bakker', 'NL91ABNA0417164300', '2026-11-20 10:00:00')"
        )
    status, out, _ = run("refunds", "account", str(files))
    listed, payment = map(Path, out.splitlines())
    assert status == 0
    assert "ZQREFUND" in listed.read_text("utf-8-sig")
    first = payment.read_bytes()
    assert run("refunds", "account", str(files))[2] == "portal.provider: nothing to export"
    payment.unlink()
    batch = payment.stem.removeprefix("refunds-")
    assert run("refund-batch", batch, str(files))[1] == out
    assert payment.read_bytes() == first


def test_lists_are_written_to_files(run: Run, tmp_path: Path, database: Path) -> None:
    assert run("insurance-list", str(tmp_path / "insurances.csv"))[0] == 0
    assert run("case-list", str(tmp_path / "cases.csv"), "--all")[0] == 0
    assert (tmp_path / "insurances.csv").read_text("utf-8-sig").startswith("reference;requested_at;insurer;")
    assert (tmp_path / "cases.csv").read_text("utf-8-sig").startswith("kind;reference;state;status;")
    assert audited(database) == [("command line", "insurance_list"), ("command line", "case_list")]


def test_the_schema_of_events_is_printed(run: Run) -> None:
    status, out, _ = run("events")
    assert status == 0
    assert '"const": "case.opened"' in out
