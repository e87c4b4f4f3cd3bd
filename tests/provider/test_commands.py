"""`python -m portal.provider`: what it does, and one clear line when it cannot."""

from __future__ import annotations

import io
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

import pytest

from portal.provider.__main__ import main
from tests.support.polling import fetch
from tests.support.ports import free_port
from tests.support.production import VARIABLES
from tests.support.staff import ESRA
from tests.support.worker_pool import wait_for

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command with settings, in this process; in a thread of its own, because a test may have its own loop."""
    output, errors = io.StringIO(), io.StringIO()
    with patch.dict(os.environ, _environment(settings), clear=True), redirect_stdout(output), redirect_stderr(errors):
        try:
            with ThreadPoolExecutor(1) as thread:
                status = thread.submit(main, arguments).result()
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(arguments, status, output.getvalue(), errors.getvalue())


def _environment(settings: dict[str, str]) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    return environment | {f"PORTAL_{name}": value for name, value in settings.items()}


def refused_line(failed: subprocess.CompletedProcess[str], status: int) -> str:
    """The one line in which a command says what it cannot do."""
    assert (failed.returncode, failed.stdout) == (status, "")
    assert "Traceback" not in failed.stderr
    (line,) = [text for text in failed.stderr.splitlines() if not text.startswith(("usage:", " "))]
    return line


def test_the_demonstration_shop_is_loaded_once_and_again_on_request(tmp_path: Path) -> None:
    def customers() -> set[str]:
        with sqlite3.connect(tmp_path / "portal.db") as connection:
            return {email for (email,) in connection.execute("SELECT email FROM customers")}

    first = run("demo", DATA_DIR=str(tmp_path))
    assert (first.returncode, first.stderr) == (0, "")
    assert "sanne@example.com" in customers()
    with sqlite3.connect(tmp_path / "portal.db") as connection:
        connection.execute("UPDATE customers SET email = 'changed@example.com' WHERE email = 'sanne@example.com'")
    assert run("demo", DATA_DIR=str(tmp_path)).returncode == 0
    assert "changed@example.com" in customers(), "what is there is not touched"
    assert run("demo", "--reset", DATA_DIR=str(tmp_path)).returncode == 0
    assert "changed@example.com" not in customers()
    assert "sanne@example.com" in customers()


def test_the_tables_are_made_without_the_shop(tmp_path: Path) -> None:
    # As everybody runs it; the others save the time that a process takes to start.
    done = subprocess.run(
        [sys.executable, "-m", "portal.provider", "migrate"],
        cwd=ROOT,
        env=_environment({"DATA_DIR": str(tmp_path)}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with sqlite3.connect(tmp_path / "portal.db") as connection:
        assert connection.execute("SELECT count(*) FROM customers").fetchone() == (0,)


@pytest.mark.parametrize(
    ("arguments", "settings", "status", "line"),
    [
        (("migrate",), {"PORT": "99999"}, 2, "portal.provider: PORTAL_PORT: Input should be less than or equal to"),
        (("migrate",), {"SECRET_KEY": "short"}, 2, "portal.provider: PORTAL_SECRET_KEY needs at least 32 characters"),
        (("migrate",), {"BRAND": "{"}, 2, "portal.provider: "),
        (("migrate",), {"DATABASE_URL": "postgresql+psycopg://portal@127.0.0.1:1/x"}, 1, "portal.provider: "),
        (("migrate",), {"DATA_DIR": "/dev/null/nowhere"}, 1, "portal.provider: "),
        (("serve", "--port", "0"), {}, 2, "python -m portal.provider serve: error: argument --port: a port is"),
        (("serve", "--port", "http"), {}, 2, "python -m portal.provider serve: error: argument --port: a port is"),
        ((), {}, 2, "python -m portal.provider: error: the following arguments are required: command"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_reported_in_one_line(
    arguments: tuple[str, ...], settings: dict[str, str], status: int, line: str, tmp_path: Path
) -> None:
    assert refused_line(run(*arguments, **{"DATA_DIR": str(tmp_path), **settings}), status).startswith(line)


def test_the_demonstration_shop_is_not_for_production(tmp_path: Path) -> None:
    line = refused_line(run("demo", **VARIABLES, DATA_DIR=str(tmp_path)), 1)
    assert line == "portal.provider: the demonstration shop is not for production; PORTAL_ENV is production"


def test_a_port_that_is_taken_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        failed = run("serve", "--port", str(port), DATA_DIR=str(tmp_path))
    line = f"portal.provider: port {port} on 127.0.0.1 is in use; choose another with --port"
    assert refused_line(failed, 1) == line


def test_a_worker_that_is_killed_is_replaced(demonstration: Path, tmp_path: Path) -> None:
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [sys.executable, "-m", "portal.provider", "serve", "--port", str(port)],
        cwd=ROOT,
        env=_environment({"DATA_DIR": str(tmp_path)}),
    )
    try:
        wait_for(address)
        for worker in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
            os.kill(int(worker), signal.SIGKILL)
        wait_for(address)
        answer = fetch(f"{address}/mijn-fw/v2/session", timeout=60)
    finally:
        server.terminate()
        assert server.wait(60) == 0
    assert (answer.status_code, answer.json()["error"]) == (401, "session_ended")


def test_somebody_is_added_to_an_empty_installation_and_recorded(tmp_path: Path) -> None:
    noa, settings = ("Noa Visser", "noa@example.com", "administrator"), {"DATA_DIR": str(tmp_path)}
    assert run("migrate", **settings).returncode == 0
    assert run("staff", *noa, **settings).stdout == "Noa Visser <noa@example.com> can log in as administrator\n"
    with sqlite3.connect(tmp_path / "portal.db") as connection:
        added = connection.execute("SELECT staff.name, role, active, actor, action FROM staff, audit").fetchall()
    assert added == [("Noa Visser", "administrator", 1, "command line", "add_person")]
    line = "portal.provider: email: Someone else already has this email address."
    assert refused_line(run("staff", *noa, **settings), 1) == line


def test_somebody_is_let_in_again_and_recorded(demonstration: Path, tmp_path: Path) -> None:
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    settings = {"DATA_DIR": str(tmp_path)}
    told = run("staff-access", ESRA, "--new-email", "esra@new.example", **settings).stdout
    assert told == "esra@new.example leads to this person at the next login\n"
    assert len(run("staff-access", "--everybody", **settings).stdout.splitlines()) > 5
    assert "email" in refused_line(run("staff-access", ESRA, **settings), 1)
    assert run("staff-access", **settings).returncode == 2


def test_a_store_is_named_by_its_name(demonstration: Path, tmp_path: Path) -> None:
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    mechanic, settings = ("staff", "Noa Visser", "noa@example.com", "mechanic"), {"DATA_DIR": str(tmp_path)}
    for store in ([], ["--store", "Atlantis"]):
        assert "stores" in run(*mechanic, *store, **settings).stderr
    assert run(*mechanic, "--store", "Bovenbuis Gent", **settings).returncode == 0
