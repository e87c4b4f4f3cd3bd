"""The server for whoever works on pages: it compiles what is opened, and again what changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import httpx
import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.support.polling import fetch
from tests.support.ports import free_port

SECONDS = 60


COMPILED, OPENED = "/", "/withdrawal"
"""Pages that a visitor without a login may open: one is compiled at the start, the other when it is opened."""
SOURCE = "portal/withdrawals/pages/withdrawal.py"
"""The file of the opened page."""


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Where the server writes what it says."""
    return tmp_path / "said.txt"


@pytest.fixture
def address(served_shop: Path, tmp_path: Path, log_path: Path) -> Iterator[str]:
    """Address of a server that is being started."""
    port = free_port()
    copytree(served_shop, tmp_path / "data")
    environment = {**os.environ, "PORT": str(port), "PORTAL_DATA_DIR": str(tmp_path / "data")}
    with log_path.open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "portal.dev"], cwd=ROOT, env=environment, stdout=log)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    assert server.wait(60) == 0


def until(found: Callable[[], bool]) -> None:
    """Wait for something that a server does."""
    end = time.monotonic() + SECONDS
    while not found():
        assert time.monotonic() < end
        time.sleep(0.1)


def page(address: str, path: str) -> str:
    """What a browser gets; nothing while nobody answers."""
    try:
        return fetch(address + path, headers={"Accept": "text/html"}, timeout=SECONDS).text
    except httpx.TransportError:
        return ""


@pytest.mark.timeout(240)
def test_a_page_is_compiled_when_it_is_opened_and_when_it_changed(
    built: Build, built_desk: Build, address: str, log_path: Path
) -> None:
    # A build that another process has begun would count the touched source below as edited, and be made again.
    assert built
    assert built_desk
    until(lambda: "/@id/" in page(address, COMPILED))
    assert "<h1>Mailbox</h1>" in page(address, "/mailbox")
    # Browsers find the socket of hot updates at Vite itself.
    assert re.search(r"const hmrPort = \d+;", page(address, "/@vite/client"))
    assert "Compiling" in page(address, OPENED)
    until(lambda: "/@id/" in page(address, OPENED))
    # One worker before it was opened, one since. It answers before the server says that it is ready.
    until(lambda: log_path.read_text().count("Ready after") == 2)
    os.utime(ROOT / SOURCE)
    until(lambda: log_path.read_text().count("Ready after") == 3)
    assert "/@id/" in page(address, OPENED)
