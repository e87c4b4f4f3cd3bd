"""`python -m portal.provider staff`: the first people of a new installation."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shutil import copytree

from tests.provider.test_commands import run

NOA = ("Noa Visser", "noa@example.com", "administrator")


def test_somebody_is_added_to_an_empty_installation_and_recorded(tmp_path: Path) -> None:
    assert run("migrate", DATA_DIR=str(tmp_path)).returncode == 0
    done = run("staff", *NOA, DATA_DIR=str(tmp_path))
    assert done.stdout == "Noa Visser <noa@example.com> can log in as administrator\n"
    with sqlite3.connect(tmp_path / "portal.db") as connection:
        assert connection.execute("SELECT name, role, active FROM staff").fetchall() == [
            ("Noa Visser", "administrator", 1)
        ]
        assert connection.execute("SELECT actor, action FROM audit").fetchall() == [("command line", "add_person")]
    again = run("staff", *NOA, DATA_DIR=str(tmp_path))
    assert (again.returncode, again.stderr) == (
        1, "portal.provider: email: Someone else already has this email address.\n",
    )  # fmt: skip


def test_a_store_is_named_by_its_name(demonstration: Path, tmp_path: Path) -> None:
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    mechanic = ("Noa Visser", "noa@example.com", "mechanic")
    assert "stores" in run("staff", *mechanic, DATA_DIR=str(tmp_path)).stderr
    assert "stores" in run("staff", *mechanic, "--store", "Atlantis", DATA_DIR=str(tmp_path)).stderr
    assert run("staff", *mechanic, "--store", "Bovenbuis Gent", DATA_DIR=str(tmp_path)).returncode == 0
