"""What `/ready` reports to the machine, and when customers cannot work."""

from __future__ import annotations

import httpx
from starlette.applications import Starlette

from portal.backend.migrations import migration_engine
from portal.routes import Part
from portal.routes import ready_routes as routes
from portal.settings import Settings
from portal.wiring import connect_provider, database_report


async def _report() -> dict[str, Part]:
    return {"database": await database_report() or {}}


async def _ask(address: str = "127.0.0.1", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(Starlette(routes=routes(_report)), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.get("/ready", headers=headers)


async def test_tables_of_this_release_are_ready(loaded_url: str) -> None:
    async with connect_provider(Settings(database_url=loaded_url, jobs=False)):
        answer = await _ask()
    assert (answer.status_code, answer.json()) == (200, {"database": {"usable": True, "state": "current"}})


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
