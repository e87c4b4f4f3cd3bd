"""What every test has at hand. The fixtures stand in `tests/support`, one subject a module."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pytest
from hypothesis import settings

from portal.flows import FLOWS
from portal.subjects import ALL_FLOWS
from tests.support.order import place

# How long one example takes says more about the machine than about the code.
settings.register_profile("portal", deadline=None, max_examples=50)
settings.load_profile("portal")

# Before anything reads the settings: no test touches the data of the working tree.
os.environ["PORTAL_DATA_DIR"] = tempfile.mkdtemp(prefix="portal-tests-")
os.environ["REFLEX_TELEMETRY_ENABLED"] = "false"
os.environ["REFLEX_PERF_MODE"] = "raise"

# Tests look flows up by their names, also where no app was made.
FLOWS.register(ALL_FLOWS)

pytest_plugins = [
    "tests.support.built",
    "tests.support.gallery",
    "tests.support.demonstration",
    "tests.support.pipeline",
    "tests.support.postgres",
    "tests.support.redis",
    "tests.support.server",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests and run them last: their event loop would be in the way of asynchronous tests.

    Of either kind the long files come first.
    """
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: (item.get_closest_marker("browser") is not None, place(item)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say why a test was tried again: what fails now and then is to be understood, not to be forgotten."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"why {report.nodeid} was tried again")
        terminalreporter.write_line(report.longreprtext[-4000:])
