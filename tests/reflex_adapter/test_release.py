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

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.support.polling import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def unpacked(built: Build, built_desk: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release; nobody may write it."""
    assert built.static_dir != built_desk.static_dir
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    subprocess.run([ROOT / "script" / "release", "without-wheels"], env=environment, check=True)
    folder = tmp_path_factory.mktemp("release")
    (archive,) = (ROOT / "dist").glob("portal-*.tar.gz")
    subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder], check=True)
    (release,) = folder.iterdir()
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=release, check=True)
    subprocess.run(["chmod", "--recursive", "a-w", release], check=True)
    return release


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


def test_it_serves_both_sites_without_building(unpacked: Path, tmp_path: Path) -> None:
    port, desk = free_port(), free_port()

    def answers(number: int, host: str) -> bool:
        try:
            return fetch(f"http://127.0.0.1:{number}/ready", headers={"host": host}).status_code == 200
        except httpx.TransportError:
            return False

    with _started(unpacked, tmp_path / "data", port, PORTAL_DESK_PORT=str(desk)) as process:
        wait_until(
            lambda: process.poll() is not None or (answers(port, "localhost") and answers(desk, "balie.localhost")), 200
        )
        assert process.poll() is None
        assert "</html>" in fetch(f"http://127.0.0.1:{port}/").text


def test_other_settings_of_the_pages_are_refused(unpacked: Path, tmp_path: Path) -> None:
    settings = {"PORTAL_RETURN_DAYS": "30", "PORTAL_DESK": "false"}
    with _started(unpacked, tmp_path / "data", free_port(), **settings) as process:
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "the pages of this release (.web) were made with other settings" in errors.splitlines()[-1]
