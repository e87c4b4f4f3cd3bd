"""The process of the staff site: it is started beside that of the customers, and ends with it."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.reflex_adapter.build import Build
from portal.settings import Settings
from portal.wiring import connect_provider
from tests.support.polling import fetch
from tests.support.server import DeskServer
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def _server(
    built: Build, built_desk: Build, served_shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DeskServer]:
    assert built
    assert built_desk
    server = DeskServer(tmp_path_factory.mktemp("desk"), {}, served_shop)
    yield server
    server.stop()


@pytest.fixture
def server(_server: DeskServer) -> DeskServer:
    """A portal with its staff site; both are served, whatever became of them in the test before."""
    if not (_server.runs and _server.desk_answers()):
        _server.stop()
        _server.start()
    return _server


def _lives(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_only_the_customers_site_runs_jobs(server: DeskServer) -> None:
    environment = Path(f"/proc/{server.desk_pid()}/environ").read_text().split("\0")
    assert "PORTAL_JOBS=false" in environment


def test_a_staff_site_that_was_killed_is_started_again_and_customers_do_not_notice(server: DeskServer) -> None:
    killed = server.desk_pid()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: not _lives(killed), 20)
    assert fetch(server.base_url, timeout=60).status_code == 200
    wait_until(server.desk_answers)


@pytest.mark.parametrize("killed", [False, True])
def test_nothing_outlives_the_process_that_was_started(server: DeskServer, *, killed: bool) -> None:
    started = server.children()
    assert len(started) == 2, "the staff site, and what draws documents"
    assert server._process
    if killed:
        server._process.kill()
        server._process.wait()
    else:
        server.stop()
    wait_until(lambda: not any(map(_lives, started)), 20)


@pytest.mark.parametrize("jobs", [True, False])
async def test_a_process_runs_jobs_only_where_it_is_told_to(tmp_path: Path, *, jobs: bool) -> None:
    options = Settings.model_validate({"data_dir": tmp_path, "jobs": jobs})
    async with connect_provider(options):
        running = {task.get_name() for task in asyncio.all_tasks()}
    assert ("jobs" in running) is jobs
