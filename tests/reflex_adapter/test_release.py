"""A release starts in any folder, which it does not write, without tools for building and without a registry."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from portal.kernel.address import readable_phone
from tests.support.polling import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def unpacked(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release; nobody may write it."""
    folder = tmp_path_factory.mktemp("release")
    subprocess.run(["tar", "--extract", "--file", release, "--directory", folder], check=True)
    (unpacked,) = folder.iterdir()
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=unpacked, check=True)
    subprocess.run(["chmod", "--recursive", "a-w", unpacked], check=True)
    return unpacked


@contextmanager
def _started(release: Path, data: Path, port: int, **settings: str) -> Iterator[subprocess.Popen[str]]:
    # Root may write everything, unless it is told not to.
    plain = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    tools = {"PATH": "/usr/bin:/bin", "HTTPS_PROXY": "http://127.0.0.1:9", "HOME": str(data)}
    process = subprocess.Popen(
        [*plain, sys.executable, "-m", "portal"],
        cwd=release,
        env={**tools, "PORT": str(port), "PORTAL_DATA_DIR": str(data), **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def _answers(port: int, host: str) -> bool:
    try:
        return fetch(f"http://127.0.0.1:{port}/ready", headers={"host": host}).status_code == 200
    except httpx.TransportError:
        return False


def test_it_serves_both_sites_without_building(unpacked: Path, tmp_path: Path) -> None:
    port, desk = free_port(), free_port()
    with _started(unpacked, tmp_path / "data", port, PORTAL_DESK_PORT=str(desk)) as process:
        for number, host in ((port, "localhost"), (desk, "balie.localhost")):
            wait_until(lambda to=(number, host): process.poll() is not None or _answers(*to), 200)
        assert process.poll() is None
        assert "Bovenbuis" in fetch(f"http://127.0.0.1:{port}/").text


def test_it_starts_with_other_settings_of_its_pages(unpacked: Path, tmp_path: Path) -> None:
    port, brand = free_port(), {"NAME": "Fiets & Land", "PHONE": "+31201234567", "EMAIL": "hallo@shop.example"}
    hours = '{"mijn": [{"first_day": 2, "last_day": 2, "opens": "11:11", "closes": "12:12"}]}'
    settings = {f"PORTAL_BRAND__{name}": value for name, value in brand.items()}
    settings |= {"PORTAL_RETURN_DAYS": "61", "PORTAL_HOURS": hours, "PORTAL_DESK": "false"}
    with _started(unpacked, tmp_path / "data", port, **settings) as process:
        wait_until(lambda: process.poll() is not None or _answers(port, "localhost"), 200)
        login, terms = (fetch(f"http://127.0.0.1:{port}/{path}").text for path in ("", "terms"))
    for shown in (
        "<title>Inloggen – Fiets &amp; Land</title>",
        readable_phone(brand["PHONE"]),
        "hallo@shop.example",
        "11:11-12:12",
    ):
        assert shown in login
    assert "61 dagen" in terms
    assert "Bovenbuis" not in login + terms
