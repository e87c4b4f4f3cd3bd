"""`Idempotency-Key` means the same for every call of the back office that changes something."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func
from sqlmodel import select

from portal.contract.models import PREFIX
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import CustomerRow
from tests.backend.api.conftest import let_in
from tests.support.shop_records import customer

KEY = "k" * 40


@pytest.fixture
async def application(loaded_url: str, tmp_path: Path) -> AsyncIterator[Application]:
    """A provider with a key for the back office."""
    made = Application(Settings.model_validate({"database_url": loaded_url, "data_dir": tmp_path}))
    await let_in(made, KEY)
    yield made
    await made.context.database.close()


@pytest.fixture
async def office(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    """A client of its API."""
    app = create_api(
        lambda: application.services, application.context.settings, back_office=lambda: application.back_office
    )
    transport = httpx.ASGITransport(app)
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(transport=transport, base_url=f"http://shop{PREFIX}", headers=headers) as client:
        yield client


async def send(office: httpx.AsyncClient, key: str, *records: Any, **headers: str) -> httpx.Response:
    body = {"source": "shop", "records": list(records)}
    return await office.post("/backoffice/imports/customers", json=body, headers={"Idempotency-Key": key, **headers})


async def count(application: Application, table: Any) -> int:
    async with application.context.database.session() as session:
        return (await session.exec(select(func.count()).select_from(table))).one()


def test_every_call_that_changes_something_takes_a_key() -> None:
    def nobody() -> Any:
        raise AssertionError

    app = create_api(nobody, Settings(), back_office=nobody)
    changing = {
        (method, path): [each["name"] for each in operation.get("parameters", [])]
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
        if "/backoffice/" in path and method != "get"
    }
    assert len(changing) >= 3
    assert all("Idempotency-Key" in parameters for parameters in changing.values()), changing


async def test_a_repeated_import_gets_the_first_answer(office: httpx.AsyncClient, application: Application) -> None:
    first = await send(office, "A1", customer(1), customer(2, email="x"))
    assert first.json()["data"]["created"] == 1
    before = await count(application, CustomerRow)
    again = await send(office, "A1", customer(1), customer(2, email="x"))
    assert (again.status_code, again.json()) == (200, first.json())
    assert await count(application, CustomerRow) == before
    assert (await send(office, "A2", customer(1))).json()["data"]["unchanged"] == 1


async def test_a_key_counts_for_one_body_and_path_and_is_well_formed(office: httpx.AsyncClient) -> None:
    first = await send(office, "A1", customer(1))
    turned = dict(reversed(list(customer(1).items())))
    assert (await send(office, "A1", turned)).json() == first.json(), "in whatever order its fields come"
    values = {name: value for name, value in customer(1).items() if name != "external_id"}

    async def put(key: str) -> httpx.Response:
        path, headers = "/backoffice/imports/customers/c1?source=shop", {"Idempotency-Key": key}
        return await office.put(path, json=values, headers=headers)

    for answer in (await send(office, "A1", customer(2)), await put("A1")):
        assert (answer.status_code, answer.json()["error"]) == (422, "idempotency_key_reused")
    assert (await put("B1")).json() == (await put("B1")).json()
    for key in ("k" * 101, "a b"):
        assert (await send(office, key, customer(1))).status_code == 422
    assert (await send(office, "A1", customer(1), Authorization="Bearer wrong")).status_code == 401
