"""The server for whoever works on pages: it compiles what is opened, and again what changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import httpx
import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.support.polling import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_until

SECONDS = 120
"""A start compiles pages, which takes minutes beside other work."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site, and what of it a visitor without a login may open.

    Attributes:
        name: value of `PORTAL_SITE`.
        host: name under which it answers.
        compiled: path of a page that is compiled at the start.
        opened: path of a page that is compiled when it is opened.
        source: file of that page.
        cookies: what the opened page asks for.
    """

    name: str
    host: str
    compiled: str
    opened: str
    source: str
    cookies: dict[str, str]


_ASKED = urlsafe_b64encode(b'{"challenge": "of this test", "email": "", "order_number": ""}').decode()
SITES = [
    Site("customers", "localhost", "/", "/withdrawal", "portal/withdrawals/pages/withdrawal.py", {}),
    Site("desk", "balie.localhost", "/login", "/login/code", "portal/staff/desk/login.py", {"challenge": _ASKED}),
]


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Where the server writes what it says."""
    return tmp_path / "said.txt"


@pytest.fixture(params=SITES, ids=[site.name for site in SITES])
def site(request: pytest.FixtureRequest) -> Site:
    """Either site."""
    return request.param


@pytest.fixture
def address(site: Site, served_shop: Path, tmp_path: Path, log_path: Path) -> Iterator[str]:
    """Address of a server that is being started."""
    port = free_port()
    copytree(served_shop, tmp_path / "data")
    environment = {**os.environ, "PORT": str(port), "PORTAL_DESK_PORT": str(port)}
    environment |= {"PORTAL_SITE": site.name, "PORTAL_DATA_DIR": str(tmp_path / "data")}
    with log_path.open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "portal.dev"], cwd=ROOT, env=environment, stdout=log)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    assert server.wait(SECONDS) == 0


def page(site: Site, address: str, path: str) -> str:
    """What a browser gets; nothing while nobody answers."""
    host = f"{site.host}:{address.rpartition(':')[2]}"
    headers = {"Accept": "text/html", "Host": host}
    try:
        return fetch(address + path, headers=headers, cookies=site.cookies, timeout=SECONDS).text
    except httpx.TransportError:
        return ""


@pytest.mark.timeout(500)
def test_a_page_is_compiled_when_it_is_opened_and_when_it_changed(
    built: Build, built_desk: Build, site: Site, address: str, log_path: Path
) -> None:
    # A build that another process has begun would count the touched source below as edited, and be made again.
    assert built
    assert built_desk
    wait_until(lambda: "/@id/" in page(site, address, site.compiled), SECONDS)
    assert "<h1>Mailbox</h1>" in page(site, address, "/mailbox")
    # Browsers find the socket of hot updates at Vite itself.
    assert re.search(r"directSocketHost = \"[^\"]+:\d+/", page(site, address, "/@vite/client"))
    assert "Compiling" in page(site, address, site.opened)
    wait_until(lambda: "/@id/" in page(site, address, site.opened), SECONDS)
    # One worker before it was opened, one since. It answers before the server says that it is ready. There are more
    # when the test of the other site touches its source meanwhile.
    wait_until(lambda: log_path.read_text().count("Ready after") >= 2, SECONDS)
    before = log_path.read_text().count("Ready after")
    os.utime(ROOT / site.source)
    wait_until(lambda: log_path.read_text().count("Ready after") > before, SECONDS)
    wait_until(lambda: "/@id/" in page(site, address, site.opened), SECONDS)
