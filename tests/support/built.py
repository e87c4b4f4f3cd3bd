"""The compiled sites, each built once per test run for all test processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.launch import ROOT, compiled_settings
from portal.reflex_adapter.build import DESK, Build, ensure_built
from portal.settings import Settings


@pytest.fixture(scope="session")
def built() -> Build:
    """The frontend of this source tree, compiled if it is missing or out of date."""
    return ensure_built(ROOT, compiled_settings(Settings()))


@pytest.fixture(scope="session")
def built_desk() -> Build:
    """The staff site of this source tree, compiled if it is missing or out of date."""
    return ensure_built(ROOT, compiled_settings(Settings()), DESK)


@pytest.fixture(scope="session")
def pages_of_build(built: Build) -> dict[str, Path]:
    """The prerendered pages by route, such as `/orders`."""
    found = {}
    for page in built.static_dir.rglob("index.html"):
        folder = page.parent.relative_to(built.static_dir).as_posix()
        found["/" if folder == "." else f"/{folder}"] = page
    return found
