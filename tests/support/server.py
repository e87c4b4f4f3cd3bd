"""A running portal with its own process, port, database and mailbox."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.support.mailbox import Mailbox
from tests.support.polling import fetch
from tests.support.ports import free_port

# Tests log in the same customers repeatedly. Tests of the login limits use `start_portal`.
FAST_LOGIN = {
    "PORTAL_CODE_WAIT_SECONDS": "0",
    "PORTAL_CODES_PER_ACCOUNT_HOUR": "100000",
    "PORTAL_CODES_PER_ADDRESS_HOUR": "100000",
}

_PORTAL = """
import gc, runpy, sys
gc.disable()
from portal.kernel.processes import end_with
end_with(int(sys.argv.pop()))
runpy.run_module("portal", run_name="__main__", alter_sys=True)
"""
"""Starts the portal in a process that ends with the tests, however they end."""


class PortalServer:
    """A portal with the demonstration shop.

    Attributes:
        data_dir: Directory of its database, files and mails.
        mailbox: The sent mails.
        log: The output of the process.
        spare_sessions: Tokens of unused sessions, by customer and language.
        walked: Stored drafts and uploads at the moment a step was reached, by customer, flow and step.
    """

    def __init__(self, data_dir: Path, settings: dict[str, str], shop: Path | None = None) -> None:
        """Prepare a portal; nothing runs yet.

        Args:
            data_dir: its directory.
            settings: its PORTAL_* variables.
            shop: a prepared shop (`served_shop`), which is copied; without it the first start makes one.
        """
        self.data_dir = data_dir
        if shop:
            # The files belong to the database of the prepared shop.
            other = shutil.ignore_patterns("files") if "PORTAL_DATABASE_URL" in settings else None
            shutil.copytree(shop, data_dir, dirs_exist_ok=True, ignore=other)
        self.port = free_port()
        self.mailbox = Mailbox(data_dir / "mail")
        self.log = data_dir / "server.log"
        self.spare_sessions: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        self.walked: dict[tuple[str, ...], dict[str, list[tuple[Any, ...]]]] = {}
        data_dir.mkdir(parents=True, exist_ok=True)
        self._settings = settings
        self._browser_keeps = data_dir / "kept.db"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        """Address of the portal."""
        return f"http://localhost:{self.port}"

    @property
    def returns_url(self) -> str:
        """Address of the returns variant."""
        return f"http://retouren.localhost:{self.port}"

    def start(self, *, seconds: float = 300) -> None:
        """Start and wait for the first page.

        Raises:
            RuntimeError: The process ended or did not respond in time. The message contains its output.
        """
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_", "REFLEX_"))}
        for name in ("PORTAL_WEB_DIR", "PORTAL_DESK_WEB_DIR"):
            environment |= {name: os.environ[name]} if name in os.environ else {}
        # Tests of customers' pages pay for no second process.
        environment |= {"PORT": str(self.port), "PORTAL_DATA_DIR": str(self.data_dir), "PORTAL_DESK": "false"}
        # However busy the machine is, documents are drawn.
        environment |= {"PORTAL_DRAWING_SECONDS": "10", **self._settings}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PORTAL, str(os.getpid())], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._process.poll() is None:
            if self.answers() and not self.starts_drawing():
                return
            time.sleep(0.05)
        raise RuntimeError(f"the portal did not start:\n{self.log.read_text()}")

    @property
    def runs(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.poll() is None

    def answers(self) -> bool:
        """Whether the start page is served."""
        try:
            return fetch(self.base_url, timeout=60).status_code < 500
        except httpx.TransportError:
            return False

    def starts_drawing(self) -> bool:
        """Whether documents are not drawn yet, but will be."""
        return fetch(f"{self.base_url}/ready", timeout=60).json()["drawing"]["process"] == "starting"

    def stop(self) -> int | None:
        """Ask the server to stop and wait for it; its exit status."""
        if self._process and self.runs:
            self._process.terminate()
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        return self._process.returncode if self._process else None

    def keep_shop(self) -> None:
        """Save the current state of the shop."""
        with closing(self._shop()) as shop, closing(sqlite3.connect(self._browser_keeps)) as kept:
            shop.backup(kept)

    def renew_shop(self) -> None:
        """Restore the saved state of the shop while the portal runs."""
        with closing(self._shop()) as shop, closing(sqlite3.connect(self._browser_keeps)) as kept:
            kept.backup(shop)

    def _shop(self) -> sqlite3.Connection:
        return sqlite3.connect(self.data_dir / "portal.db", timeout=60)

    def crash(self) -> None:
        """Kill the process, and start it again as a service manager does."""
        assert self._process
        self._process.kill()
        self._process.wait()
        self.start()

    def children(self) -> list[int]:
        """Process ids of what it started."""
        assert self._process
        pid = self._process.pid
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]


class DeskServer(PortalServer):
    """A portal with its staff site."""

    def __init__(self, data_dir: Path, settings: dict[str, str], shop: Path | None = None) -> None:
        self.desk_port = free_port()
        super().__init__(data_dir, {**settings, "PORTAL_DESK": "true", "PORTAL_DESK_PORT": str(self.desk_port)}, shop)

    @property
    def desk_url(self) -> str:
        """Address of the staff site."""
        return f"http://{self.desk_host}"

    @property
    def desk_host(self) -> str:
        """Host of the staff site, as browsers send it."""
        return f"balie.localhost:{self.desk_port}"

    def ask_desk(self, path: str = "/", **options: Any) -> httpx.Response:
        """Send a request to the staff site."""
        headers = {"host": self.desk_host, **options.pop("headers", {})}
        return fetch(f"http://localhost:{self.desk_port}{path}", headers=headers, **options)

    def desk_answers(self) -> bool:
        """Whether the staff site is served."""
        try:
            return self.ask_desk("/login", timeout=60).status_code == 200
        except httpx.TransportError:
            return False

    def start(self, *, seconds: float = 300) -> None:
        """Start, and wait for the first page of both sites."""
        super().start(seconds=seconds)
        until = time.monotonic() + seconds
        while not self.desk_answers():
            if time.monotonic() > until or not self.runs:
                raise RuntimeError(f"the staff site did not start:\n{self.log.read_text()}")
            time.sleep(0.05)

    def desk_pid(self) -> int:
        """Process id of the staff site."""
        named = {child: Path(f"/proc/{child}/cmdline").read_bytes() for child in self.children()}
        return next(child for child, command in named.items() if command.endswith(b"\0-m\0portal\0"))


@pytest.fixture
def start_portal(built: Build, served_shop: Path, tmp_path: Path) -> Iterator[Callable[..., PortalServer]]:
    """Start a portal for one test that changes its settings, stops it or crashes it.

    Call it with settings, as `start_portal(PORTAL_CODE_WAIT_SECONDS="2")`.
    """
    assert built
    started: list[PortalServer] = []

    def start(**settings: str) -> PortalServer:
        server = PortalServer(tmp_path / f"portal-{len(started)}", settings, served_shop)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def portal_server(built: Build, served_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PortalServer]:
    """The portal that all tests of this process share, without login limits."""
    assert built
    server = PortalServer(tmp_path_factory.mktemp("portal"), FAST_LOGIN, served_shop)
    server.start()
    server.keep_shop()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def desk_server(
    built: Build, built_desk: Build, served_shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DeskServer]:
    """The portal with its staff site that all tests of this process share, without login limits."""
    assert built
    assert built_desk
    server = DeskServer(tmp_path_factory.mktemp("desk"), FAST_LOGIN, served_shop)
    server.start()
    server.keep_shop()
    yield server
    server.stop()
