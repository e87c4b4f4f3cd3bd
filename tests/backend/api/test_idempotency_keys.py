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
from tests.support.shop_records import customer

KEY = "k" * 40


@pytest.fixture
async def application(loaded_url: str, tmp_path: Path) -> AsyncIterator[Application]:
    """A provider with a key for the back office."""
    made = Application(
        Settings.model_validate({"database_url": loaded_url, "data_dir": tmp_path, "backoffice_key": KEY})
    )
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

    app = create_api(nobody, Settings.model_validate({"backoffice_key": KEY}), back_office=nobody)
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


async def test_a_repeated_record_gets_the_first_answer(office: httpx.AsyncClient) -> None:
    values = {name: value for name, value in customer(1).items() if name != "external_id"}
    for _ in range(2):
        answer = await office.put(
            "/backoffice/imports/customers/c1?source=shop", json=values, headers={"Idempotency-Key": "A1"}
        )
        assert answer.json()["data"]["created"] == 1


async def test_a_key_is_refused_for_another_body_path_or_query(office: httpx.AsyncClient) -> None:
    await send(office, "A1", customer(1))
    values = {name: value for name, value in customer(1).items() if name != "external_id"}
    others = [
        await send(office, "A1", customer(2)),
        await office.put(
            "/backoffice/imports/customers/c1?source=shop", json=values, headers={"Idempotency-Key": "A1"}
        ),
    ]
    for answer in others:
        assert (answer.status_code, answer.json()["error"]) == (422, "idempotency_key_reused")


async def test_a_body_with_its_fields_in_another_order_is_the_same(office: httpx.AsyncClient) -> None:
    first = await send(office, "A1", customer(1))
    turned = {"records": [dict(reversed(list(customer(1).items())))], "source": "shop"}
    again = await office.post("/backoffice/imports/customers", json=turned, headers={"Idempotency-Key": "A1"})
    assert again.json() == first.json()


async def test_a_malformed_key_is_refused(office: httpx.AsyncClient) -> None:
    assert (await send(office, "k" * 101, customer(1))).status_code == 422
    assert (await send(office, "a b", customer(1))).status_code == 422


async def test_without_the_key_of_the_back_office_no_answer_is_repeated(office: httpx.AsyncClient) -> None:
    await send(office, "A1", customer(1))
    assert (await send(office, "A1", customer(1), Authorization="Bearer wrong")).status_code == 401
