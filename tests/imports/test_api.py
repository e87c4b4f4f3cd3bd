"""The import over HTTP: behind the key of the back office, many records or one."""

from __future__ import annotations

import httpx
import pytest

from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office
from tests.support.shop_records import customer, order

__all__ = ["office"]
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def post(office: ApiShop, kind: str, *records: object, source: str = "shop", key: bool = True) -> httpx.Response:
    """Send records."""
    headers = bearer() if key else {}
    body = {"source": source, "records": list(records)}
    return await office.http.post(f"/backoffice/imports/{kind}", json=body, headers=headers)


async def test_records_are_stored_and_reported(office: ApiShop) -> None:
    answer = await post(office, "customers", customer(1), customer(2, email="x"))
    assert answer.json()["data"] | {"problems": 0} == {
        "read": 2,
        "created": 1,
        "changed": 0,
        "unchanged": 0,
        "joined": 0,
        "waiting": 0,
        "left_out": 0,
        "noted": 0,
        "mismatched": 0,
        "bikes": 0,
        "rejected": 1,
        "differences": 0,
        "problems": 0,
    }
    assert answer.json()["data"]["problems"] == [
        {
            "record": 2,
            "external_id": "c2",
            "field": "email",
            "reason": "Invalid email format",
            "code": "invalid_email",
            "values": {},
        }
    ]


async def test_one_record_is_stored_under_the_id_in_the_path(office: ApiShop) -> None:
    await post(office, "customers", customer(1))
    values = {name: value for name, value in order(1).items() if name != "external_id"}
    for expected in ("created", "unchanged"):
        answer = await office.http.put("/backoffice/imports/orders/o1?source=shop", json=values, headers=bearer())
        assert answer.json()["data"][expected] == 1


async def test_an_import_without_key_or_of_an_unknown_kind_is_refused(office: ApiShop) -> None:
    assert (await post(office, "customers", customer(1), key=False)).status_code == 401
    assert (await post(office, "secrets", customer(1))).status_code == 404
    assert (await post(office, "customers", customer(1), source="../x")).status_code == 422
    assert (await office.http.get("/backoffice/imports/orders/schema")).status_code == 401


async def test_a_thousand_records_fit_in_one_request(office: ApiShop) -> None:
    answer = await post(office, "customers", *(customer(number) for number in range(1000)))
    assert answer.json()["data"]["created"] == 1000
    too_many = await post(office, "customers", *(customer(number) for number in range(1001)))
    assert too_many.status_code == 422


async def test_the_schema_of_a_kind_is_published(office: ApiShop) -> None:
    answer = await office.http.get("/backoffice/imports/orders/schema", headers=bearer())
    assert "order_number" in answer.json()["data"]["required"]
