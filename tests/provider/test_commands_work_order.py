"""`python -m portal.provider work-order`: what it does, what it says, and how it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shutil import copytree

import pytest

from tests.provider.test_commands import run


@pytest.fixture
def data_dir(demonstration: Path, tmp_path: Path) -> Path:
    """A shop of its own."""
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    return tmp_path


def looked_up(data_dir: Path, query: str, *values: str) -> list[tuple[str, ...]]:
    with sqlite3.connect(data_dir / "portal.db") as connection:
        return connection.execute(query, values).fetchall()


def in_repair(data_dir: Path) -> str:
    return looked_up(data_dir, "SELECT reference FROM requests WHERE status = 'in_repair'")[0][0]


def test_a_work_order_is_moved_with_everything_that_belongs_to_it(data_dir: Path) -> None:
    reference = in_repair(data_dir)
    done = run(
        "work-order", reference, "wait_for_parts", "--note", "De cassette is besteld.", "--planned-date", "2027-01-04",
        "--partner", "Bovenbuis Utrecht", DATA_DIR=str(data_dir),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"work-order {reference}: in_repair → wait_for_parts\n"
    kept = looked_up(data_dir, "SELECT status, planned_date FROM requests WHERE reference = ?", reference)
    assert kept == [("wait_for_parts", "2027-01-04")]
    query = "SELECT status, note FROM work_order_events ORDER BY id DESC LIMIT 1"
    assert looked_up(data_dir, query) == [("wait_for_parts", "De cassette is besteld.")]
    assert looked_up(data_dir, "SELECT template FROM outbox_mails") == [("work_order_status",)]
    again = run("work-order", reference, "wait_for_parts", DATA_DIR=str(data_dir))
    assert (again.returncode, again.stdout) == (0, f"work-order {reference}: already wait_for_parts\n")


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (("S00000000", "accepted"), 1, "portal.provider: there is no work-order S00000000"),
        (
            ("{own}", "done"), 1,
            "portal.provider: work-order {own} is in_repair; it can become wait_for_parts or "
            "wait_for_repair_after_in_repair or wait_for_customer or cancelled",
        ),
        (("{own}", "cancelled", "--partner", "Nobody"), 1, "portal.provider: there is no service location 'Nobody'"),
        (("{own}", "cancelled", "--note", "x" * 501), 1, "portal.provider: --note is too long"),
        (("{own}", "repaired"), 2, "python -m portal.provider work-order: error: argument status: invalid choice"),
        (
            ("{own}", "cancelled", "--planned-date", "4-1-2027"), 2,
            "python -m portal.provider work-order: error: argument --planned-date: write a day as 2026-03-31",
        ),
        (("{own}",), 2, "python -m portal.provider work-order: error: the following arguments are required: status"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_reported_in_one_line(
    data_dir: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    own = in_repair(data_dir)
    failed = run("work-order", *[part.replace("{own}", own) for part in arguments], DATA_DIR=str(data_dir))
    assert (failed.returncode, failed.stdout) == (status, "")
    assert "Traceback" not in failed.stderr
    lines = [text for text in failed.stderr.splitlines() if not text.startswith(("usage:", " "))]
    assert len(lines) == 1
    assert lines[0].startswith(line.replace("{own}", own))
    assert in_repair(data_dir) == own


def test_a_portal_with_its_provider_elsewhere_moves_nothing_here(data_dir: Path) -> None:
    failed = run("work-order", "S1", "done", DATA_DIR=str(data_dir), API_ROOT="https://shop.example")
    assert failed.returncode == 1
    assert failed.stderr == "portal.provider: the provider is elsewhere (PORTAL_API_ROOT); do it there\n"
