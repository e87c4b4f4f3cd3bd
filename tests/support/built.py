"""The compiled sites, each built once per test run for all test processes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from portal.flow.journey import FLOWS
from portal.launch import ROOT
from portal.reflex_adapter.build import DESK, Build, ensure_built
from tests.support.postgres import made_once


@pytest.fixture(scope="session")
def built() -> Build:
    """The frontend of this source tree, compiled if it is missing or out of date."""
    return ensure_built(ROOT)


@pytest.fixture(scope="session")
def built_desk() -> Build:
    """The staff site of this source tree, compiled if it is missing or out of date."""
    return ensure_built(ROOT, DESK)


@pytest.fixture(scope="session")
def release(built: Build, built_desk: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a release of this source tree, without wheels."""
    assert built.static_dir != built_desk.static_dir

    def make(folder: Path) -> None:
        folder.mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
        subprocess.run([ROOT / "script" / "release", "without-wheels"], env=environment, check=True)
        (archive,) = (ROOT / "dist").glob("portal-*.tar.gz")
        shutil.copy(archive, folder)

    (archive,) = made_once(tmp_path_factory, "release", make).iterdir()
    return archive


@pytest.fixture(scope="session")
def pages_of_build(built: Build) -> dict[str, Path]:
    """The prerendered pages by route, such as `/orders`."""
    found = {}
    for page in built.static_dir.rglob("index.html"):
        folder = page.parent.relative_to(built.static_dir).as_posix()
        found["/" if folder == "." else f"/{folder}"] = page
    return found


# About 3 % above what is measured: builds of the same source differ by some bytes, in the names of their files and in
# how these compress.
LOGIN, LIST, STEP = 180_000, 191_000, 202_000
FURTHER = 25_000
"""Limit for a page after the first one."""

MAP = 36_000
"""Limit for the map beside a list of locations, which comes once, when there is a list."""


def budget_of(path: str) -> int:
    """Limit for a first visit to a page: HTML, styles and scripts, without the font.

    A page of a flow also loads the step that follows it, in an idle moment.
    """
    if path in {"/", "/login/token", "/contact"}:
        return LOGIN
    return STEP if path.split("/")[1] in FLOWS else LIST
