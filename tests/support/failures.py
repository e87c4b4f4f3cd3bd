"""The list of failed tests that `script/test` shows at its very end: each with the first line of its error."""

import os
from pathlib import Path
from typing import Any

import pytest


class Failures:
    """Writes a line for each test that failed, as soon as it did: a run that is stopped has its list too."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed test, or what failed before or after it."""
        if report.failed:
            self._write(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be loaded."""
        if report.failed:
            self._write(report)

    def _write(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        with self._path.open("a") as failures:
            failures.write(f"{report.nodeid} - {_first_line(report.longrepr)}\n")


def _first_line(error: Any) -> str:
    """The first line of an error; where there is only its whole text, the first line that pytest marks in it."""
    crash = getattr(error, "reprcrash", None)
    lines = (crash.message if crash else str(error)).splitlines() or [""]
    marked = (line.removeprefix("E").strip() for line in lines if line.startswith("E  "))
    return next(marked, lines[0])


def pytest_configure(config: pytest.Config) -> None:
    """Keep the list where `FAILED_TESTS` names a file; of several processes only the first one keeps it."""
    if (path := os.environ.get("FAILED_TESTS")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(Path(path)))
