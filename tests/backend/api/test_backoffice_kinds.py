"""Deliveries, returns, requests for another day and insurances are moved by the API of the back office."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from portal.contract.registry import Provider
from portal.deliveries.api import DeliveriesApi
from portal.insurance.api import InsuranceApi
from portal.provider.cases import STATUSES, back_office_cases
from portal.returns.api import ReturnsApi
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import OFFICE_KEY, bearer, office
from tests.support.people import DAAN, FLEUR, ROOS

__all__ = ["office"]

pytestmark = pytest.mark.asyncio(loop_scope="module")
OF_ORDER = "SELECT reference FROM {} WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"


@dataclass(frozen=True)
class KindCase:
    """Something of the demonstration that goes from `before` to `to` but never to `never`; its customer sees it."""

    kind: str
    thing: tuple[str, str] | str  # its reference, or a query and its value that find it
    customer: tuple[str, str]
    before: str
    to: str
    never: str
    seen: Callable[[Provider, str, str], Awaitable[str]]
    more: dict[str, Any] = field(default_factory=dict)


async def _order(shop: Provider, token: str, reference: str) -> str:
    return (await shop.ask(DeliveriesApi).order_status(token, reference)).status or ""


async def _part(shop: Provider, token: str, reference: str) -> str:
    number, _, part = reference.partition("-")
    return (await shop.ask(DeliveriesApi).order_status(token, number)).shipments[int(part) - 1].status


async def _return(shop: Provider, token: str, reference: str) -> str:
    return next(
        entry.status for entry in (await shop.ask(ReturnsApi).returns(token)).items if entry.reference == reference
    )


async def _date(shop: Provider, token: str, reference: str) -> str:
    change = (await shop.ask(DeliveriesApi).delivery_dates(token, "900000073")).change
    assert change
    assert change.reference == reference
    return change.status


async def _insurance(shop: Provider, token: str, reference: str) -> str:
    requests = [bike.request for bike in (await shop.ask(InsuranceApi).insurance_bikes(token)).items]
    return next(request.status for request in requests if request and request.reference == reference)


CASES = (
    KindCase("shipments", "900000071", DAAN, "order_assembled", "ready_for_transport", "order_delivered", _order),
    KindCase("shipments", "900000078-1", DAAN, "order_assembled", "ready_for_transport", "order_picked_up", _part),
    KindCase(
        "returns",
        (
            "SELECT reference FROM returns WHERE status = 'pickup_confirmed_to_customer' AND order_number = ?",
            "900000724",
        ),
        ROOS,
        "pickup_confirmed_to_customer", "RMA_order_received_at_DC", "request_received", _return,
    ),
    KindCase(
        "date-changes", (OF_ORDER.format("date_changes"), "900000073"), DAAN,
        "waiting_for_retailer", "accepted", "refused", _date,
    ),
    KindCase(
        "insurances",
        (
            "SELECT reference FROM insurance_requests WHERE bike_id ="
            " (SELECT bikes.id FROM bikes JOIN orders ON orders.id = order_id WHERE order_number = ?)",
            "900000083",
        ),
        FLEUR, "created", "finished", "cancelled", _insurance, {"policy_number": "P123456789"},
    ),
)  # fmt: skip


def reference_of(office: ApiShop, case: KindCase) -> str:
    if isinstance(case.thing, str):
        return case.thing
    with sqlite3.connect(office.data_dir / "portal.db") as connection:
        [(reference,)] = connection.execute(case.thing[0], case.thing[1:]).fetchall()
    return reference


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}-{case.to}")
async def test_it_moves_with_the_key_along_its_graph_and_its_customer_sees_it(office: ApiShop, case: KindCase) -> None:
    path = f"/backoffice/{case.kind}/{reference_of(office, case)}"
    token = await office.log_in(*case.customer)

    async def move(status: str, key: str = OFFICE_KEY) -> httpx.Response:
        return await office.http.post(f"{path}/status", json={"status": status, **case.more}, headers=bearer(key))

    for wrong in ("wrong", token):
        assert (await office.http.get(path, headers=bearer(wrong))).status_code == 401
        assert (await move(case.to, wrong)).status_code == 401
    current = (await office.http.get(path, headers=bearer())).json()["data"]
    assert current["status"] == case.before
    assert case.to in current["possible"]
    moved = await move(case.to)
    assert moved.status_code == 200, moved.text
    result = moved.json()["data"]
    assert (result["before"], result["status"], result["changed"]) == (case.before, case.to, True)
    assert await case.seen(office.provider, token, current["reference"]) == case.to
    assert not (await move(case.to)).json()["data"]["changed"]
    never = await move(case.never)
    assert (never.status_code, never.json()["error"]) == (409, "status_not_allowed")
    assert await case.seen(office.provider, token, current["reference"]) == case.to


async def test_everything_that_can_be_moved_is_tried_and_has_the_statuses_of_its_subject() -> None:
    elsewhere = {"work-order", "withdrawal", "contract-end"}  # in the tests of their subjects
    tried = {case.kind.removesuffix("s") for case in CASES} | elsewhere
    assert tried == {*STATUSES}
    assert {case.name: case.statuses for case in back_office_cases()} == STATUSES
