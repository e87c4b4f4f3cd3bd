"""What `/ready` and `/metrics` report, and when customers cannot work."""

from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from portal.backend import health
from portal.backend.migrations import migration_engine
from portal.contract.errors import ProviderError
from portal.contract.registry import connected
from portal.metrics import TimedProvider, served
from portal.overview.api import OverviewApi
from portal.settings import Settings
from portal.web.ready import routes
from portal.wiring import connect_provider, figures, parts
from tests.support.application import TestApplication
from tests.support.ports import free_port


async def _ask(address: str = "127.0.0.1", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(Starlette(routes=routes(parts)), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.get("/ready", headers=headers)


async def test_tables_of_this_release_are_ready(loaded_url: str) -> None:
    async with connect_provider(Settings(database_url=loaded_url, jobs=False)):
        answer = await _ask()
    assert answer.status_code == 200
    current = {"usable": True, "state": "current"}
    assert answer.json() == dict.fromkeys(("database", "codes", "jobs", "outgoing", "files", "disk"), current)


async def test_tables_that_lack_a_column_are_not_ready_and_say_so(loaded_url: str) -> None:
    with migration_engine(loaded_url).begin() as connection:
        connection.exec_driver_sql("ALTER TABLE customers DROP COLUMN first_name")
    async with connect_provider(Settings(database_url=loaded_url, jobs=False)):
        answer = await _ask()
    assert answer.status_code == 503
    assert answer.json()["database"]["state"] == "different"
    assert "no column customers.first_name" in answer.json()["database"]["reason"]


async def test_a_database_that_does_not_answer_is_not_ready() -> None:
    nowhere = Settings.model_validate({"database_url": "postgresql+psycopg://portal@127.0.0.1:9/portal", "jobs": False})
    async with connect_provider(nowhere):
        answer = await _ask()
    assert (answer.status_code, answer.json()["database"]["state"]) == (503, "unreachable")


async def test_other_machines_and_proxies_are_told_nothing() -> None:
    assert (await _ask("192.0.2.7")).status_code == 404
    assert (await _ask(**{"x-forwarded-for": "192.0.2.7"})).status_code == 404


async def test_a_store_a_redis_and_a_disk_that_fail_are_named(
    loaded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("_LOW", "_FULL"):
        monkeypatch.setattr(health, limit, 1 << 60)
    (tmp_path / "files").write_text("a file where the folder should be")
    given = {"database_url": loaded_url, "jobs": False, "data_dir": tmp_path, "redis_url": "redis://127.0.0.1:9/0"}
    async with connect_provider(Settings.model_validate(given)):
        answer = await _ask()
    found = answer.json()
    assert answer.status_code == 503
    assert {name: found[name]["state"] for name in ("files", "redis", "disk")} == {
        "files": "unreachable",
        "redis": "unreachable",
        "disk": "full",
    }
    assert str(tmp_path) in found["disk"]["reason"]


async def test_a_redis_that_answers_is_usable(loaded_url: str, redis_url: str) -> None:
    given = {"database_url": loaded_url, "jobs": False, "redis_url": redis_url}
    async with connect_provider(Settings.model_validate(given)):
        assert (await _ask()).json()["redis"] == health.CURRENT


async def test_a_code_that_waits_is_late_and_does_not_close_the_portal(application: TestApplication) -> None:
    now = application.clock()
    async with application.context.database.transaction() as session:
        for urgent in (True, False):
            more = {"give_up_at": now + timedelta(hours=1), "urgent": urgent}
            await application.context.jobs.enqueue(session, "note", 1 + urgent, **more)
    application.clock.forward(minutes=2)
    found = await health.parts(application.context)
    assert (found["codes"]["usable"], found["codes"]["state"], found["jobs"]["state"]) == (True, "late", "current")
    assert "120 s" in str(found["codes"]["reason"])


async def _figures(port: int) -> dict[tuple[str, ...], float]:
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
    families = text_string_to_metric_families(text)
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


async def test_prometheus_reads_calls_and_what_waits(loaded_url: str) -> None:
    port = free_port()
    async with connect_provider(Settings(database_url=loaded_url, jobs=False)):
        with pytest.raises(ProviderError):
            await TimedProvider(connected()).ask(OverviewApi).dashboard("nobody")
        with served("127.0.0.1", port, figures):
            found = await _figures(port)
    assert found["portal_provider_call_seconds_count", "OverviewApi.dashboard", "session_ended"] >= 1
    assert found["portal_part_usable", "database"] == 1
    assert found["portal_open_cases", "0d"] > found["portal_open_cases", "7d"] > 0
    assert found["portal_oldest_job_seconds", "urgent"] == 0


async def test_figures_say_that_the_database_is_away() -> None:
    port = free_port()
    nowhere = Settings.model_validate({"database_url": "postgresql+psycopg://portal@127.0.0.1:9/portal", "jobs": False})
    async with connect_provider(nowhere):
        with served("127.0.0.1", port, figures):
            found = await _figures(port)
    assert found["portal_part_usable", "database"] == 0
