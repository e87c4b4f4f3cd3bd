"""Cases for the shop's own systems: one whole, and those that changed since a moment."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.exports.provider.cases import PART
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office, open_request, send
from tests.support.people import JORIS

__all__ = ["office"]

pytestmark = pytest.mark.asyncio(loop_scope="module")
NOW = "2026-01-01 00:00:00.000000"


def imported(office: ApiShop) -> dict[str, Any]:
    """Say that an ERP brought Joris, his order and his bike; another source brought him, too."""
    with sqlite3.connect(office.data_dir / "portal.db") as connection:
        order, customer = connection.execute(
            "SELECT id, customer_id FROM orders WHERE order_number = ?", (JORIS[0],)
        ).fetchone()
        connection.execute("UPDATE customers SET source = 'erp' WHERE id = ?", (customer,))
        bike = connection.execute(
            "SELECT b.id FROM bikes b JOIN requests r ON r.bike_id = b.id WHERE r.customer_id = ? ORDER BY r.id DESC",
            (customer,),
        ).fetchone()[0]
        order = connection.execute("SELECT order_id FROM bikes WHERE id = ?", (bike,)).fetchone()[0]
        number = connection.execute("SELECT order_number FROM orders WHERE id = ?", (order,)).fetchone()[0]
        connection.executemany(
            "INSERT INTO imported (source, kind, external_id, row_id, customer_id, fingerprint,"
            """ "values", notes, imported_at) VALUES (?, ?, ?, ?, ?, '', '{}', '[]', ?)""",
            [
                ("erp", "customers", "c-7", customer, customer, NOW),
                ("crm", "customers", "771", customer, customer, NOW),
                ("erp", "orders", "o-7", order, customer, NOW),
                ("erp", "bikes", "b-7", bike, customer, NOW),
            ],
        )
    return {
        "customer": {"source": "erp", "external_id": "c-7"},
        "order": {"source": "erp", "external_id": "o-7"},
        "order_number": number,
        "order_numbers": [number],
        "bike": {"source": "erp", "external_id": "b-7"},
    }


async def get(office: ApiShop, path: str, **query: str) -> Any:
    return await office.http.get(f"/backoffice/{path}", params=query, headers=bearer())


async def test_one_case_comes_whole_by_its_reference(office: ApiShop) -> None:
    about, reference = imported(office), await open_request(office)
    await send(office, reference, "wait_for_parts", note="Besteld.")
    answer = await get(office, f"cases/repair/{reference}")
    assert answer.status_code == 200, answer.text
    case = answer.json()["data"]
    assert case["case"]["reference"] == reference
    assert (case["case"]["status"], case["turn"], case["about"]) == ("wait_for_parts", "partner", about)
    assert datetime.fromisoformat(case["due_at"]) > datetime.now(UTC)
    assert [fact["label"]["en"] for fact in case["account"]["facts"]] == ["Description"]
    assert case["account"]["money"]["total"] == "0.00"
    assert case["history"][-1]["details"]["status"] == "wait_for_parts"
    assert case["history"][0]["by"] == "customer"
    again = await get(office, f"cases/repair/{reference[:4]} {reference[4:]}")
    assert again.json()["data"]["case"] == case["case"]
    with sqlite3.connect(office.data_dir / "portal.db") as connection:
        read = "SELECT actor, action FROM audit WHERE kind = 'repair' AND reference = ?"
        assert connection.execute(read, (reference,)).fetchall() == [("fulfilment", "view_case")]


async def test_what_is_not_there_is_not_found_and_no_key_reads_nothing(office: ApiShop) -> None:
    reference = await open_request(office)
    file = f"cases/repair/{reference}/files/ABCDEFGH23"
    for path in ("cases/repair/ZZZZ9999", f"cases/claim/{reference}", file):
        assert (await get(office, path)).status_code == 404
    assert (await get(office, f"cases/nonsense/{reference}")).status_code == 422
    for path in ("cases", f"cases/repair/{reference}", file):
        assert (await office.http.get(f"/backoffice/{path}")).status_code == 401


async def test_cases_are_listed_since_a_moment_part_by_part(office: ApiShop) -> None:
    with sqlite3.connect(office.data_dir / "portal.db") as connection:
        # Many changed at the same moment: a part ends among them.
        connection.execute("UPDATE cases SET changed_at = ? WHERE id % 2", (NOW,))
        known = {f"{kind}/{name}" for kind, name in connection.execute("SELECT kind, reference FROM cases")}
    assert len(known) > PART
    found: list[tuple[str, str]] = []
    after = ""
    while True:
        answer = (await get(office, "cases", after=after)).json()["data"]
        found += [
            (each["changed_at"], f"{each['case']['kind']}/{each['case']['reference']}") for each in answer["items"]
        ]
        if not (after := answer["next"]):
            break
        assert len(answer["items"]) == PART
    moments = [datetime.fromisoformat(moment) for moment, _ in found]
    assert moments == sorted(moments)
    assert len(found) == len(known)
    assert {name for _, name in found} == known
    since = moments[-3]
    answer = (await get(office, "cases", since=since.isoformat())).json()["data"]
    assert [each["changed_at"] for each in answer["items"]] == [
        moment for moment, _ in found if datetime.fromisoformat(moment) >= since
    ]


@pytest.mark.parametrize("query", [{"since": "yesterday"}, {"since": "2026-01-01T00:00:00"}, {"after": "nonsense"}])
async def test_a_moment_without_zone_or_a_wrong_place_is_refused(office: ApiShop, query: dict[str, str]) -> None:
    assert (await get(office, "cases", **query)).status_code == 422
