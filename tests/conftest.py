"""What every test has at hand. The fixtures stand in `tests/support`, one subject a module."""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import sys
import tempfile
from typing import Any

import pytest
import uvloop
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from portal.flow.journey import FLOWS
from portal.subjects import ALL_FLOWS

# Imports leave no garbage.
gc.disable()

# Each run tries the same examples: a failure belongs to the change that was made. `--hypothesis-profile=search` tries
# others. How long one takes says more about the machine than about the code.
settings.register_profile(
    "portal",
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("search", settings.get_profile("portal"), derandomize=False, max_examples=500)
settings.load_profile("portal")

# The event loop of the server, with which tests take a twelfth of their processor time less.
asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())

# Before anything reads the settings: no test touches the data of the working tree.
_DATA = tempfile.TemporaryDirectory(prefix="portal-tests-")
atexit.register(_DATA.cleanup)
os.environ["PORTAL_DATA_DIR"] = _DATA.name
os.environ["REFLEX_TELEMETRY_ENABLED"] = "false"
os.environ["REFLEX_PERF_MODE"] = "raise"

# Tests look flows up by their names, also where no app was made.
FLOWS.register(ALL_FLOWS)


def _say_what_matters(found: sys.UnraisableHookArgs) -> None:
    """Leave out what Reflex says of every cached property that is deleted after its cache, when the process ends."""
    if "cached_property" not in repr(found.object):
        sys.__unraisablehook__(found)


atexit.register(setattr, sys, "unraisablehook", _say_what_matters)

pytest_plugins = [
    "tests.support.failures",
    "tests.support.postgres",
    "tests.support.built",
    "tests.support.gallery",
    "tests.support.openid",
    "tests.support.demonstration",
    "tests.support.pipeline",
    "tests.support.smtp",
    "tests.support.receiver",
    "tests.support.redis",
    "tests.support.refusals",
    "tests.support.retailer",
    "tests.support.server",
    "tests.support.shops",
    "tests.support.statements",
    "tests.support.desk",
    "tests.support.text_gateway",
]


class EachOnce(LoadFileScheduling):
    """Gives the files to the workers. A test that ended its worker has failed and is not run again.

    The scheduler of pytest-xdist gives such a test to each worker that replaces the last one: a test that waits until
    its time limit would hold up the run as often as a worker may be replaced.
    """

    def remove_node(self, node: Any) -> str | None:
        waiting = {
            file: {name: False for name, ended in tests.items() if not ended}
            for file, tests in self.assigned_work.pop(node).items()
            if not all(tests.values())
        }
        if not waiting:
            return None
        file, tests = next(iter(waiting.items()))
        running = next(iter(tests))
        del tests[running]
        if not tests:
            del waiting[file]
        self.workqueue.update(waiting)
        for other in self.assigned_work:
            self._reschedule(other)
        return running

    def _reschedule(self, node: Any) -> None:
        # A worker that replaces another one names its tests first.
        if node in self.registered_collections:
            super()._reschedule(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return EachOnce(config, log)


def pytest_collection_finish() -> None:
    """Leave what is loaded to live as long as the process, as the server does: an eighth of the time of the tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs built pages, and the browser tests, and run these last: their event loop is in the way of others.

    Of either kind the long files come first.
    """
    for item in items:
        if "tests/journeys/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
        if isinstance(item, pytest.Function) and {"built", "built_desk"} & set(item.fixturenames):
            item.add_marker(pytest.mark.built)
            # The first of them compiles both sites, for which the others wait: minutes on a busy machine.
            limit = item.get_closest_marker("timeout")
            given = limit.args if limit else ()
            # An exception amid a call of the browser would leave its driver waiting for ever.
            ends = {"method": "thread"} if item.get_closest_marker("browser") else {}
            item.add_marker(pytest.mark.timeout(*given, func_only=True, **ends), append=False)
    # The bundles compile the two sites, for which others would wait.
    items.sort(
        key=lambda item: (
            item.get_closest_marker("browser") is not None,
            "bundle" not in item.path.name,
            -item.path.stat().st_size,
        )
    )
