"""States of the request page and the status pages, run through Reflex."""

from __future__ import annotations

from typing import Any

import pytest

from portal.frontend.load import MISSING, READY
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.pages.requests import RequestPage
from portal.work_orders.pages.status import StatusBikes, StatusOfBike
from tests.support.connections import Shop
from tests.support.people import EVA, JORIS, MAX, SANNE
from tests.support.pipeline import Pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def requests_of(shop: Shop, customer: tuple[str, str]) -> list[Any]:
    return (await shop.ask(WorkOrdersApi).service_requests(await shop.token(*customer))).items


async def test_a_request_is_shown_whole(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("whole"), await shop.token(*MAX))
    requests = await requests_of(shop, MAX)
    assert requests
    for entry in requests:
        await tab.send(RequestPage.load, path=f"/maintenance/{entry.reference}")
        assert tab.shown(RequestPage, "view_state") == READY
        view = tab.shown(RequestPage, "request")
        assert (view.reference, view.status, view.title) == (entry.reference, entry.status, entry.title)
        assert view.events[0].label == view.account.status == entry.account.status
        assert view.account.next_steps == entry.account.next_steps
        assert bool(view.partner and view.partner.route) == bool(entry.partner_name)


@pytest.mark.parametrize("reference", ["S00000000", "x", "..%2f..", "1' OR '1'='1"])
async def test_what_is_not_there_is_not_found(tabs: Pipeline, shop: Shop, reference: str) -> None:
    tab = signed_in(tabs.tab(f"missing-{reference}"), await shop.token(*SANNE))
    await tab.send(RequestPage.load, path=f"/maintenance/{reference}")
    assert tab.shown(RequestPage, "view_state") == MISSING


async def test_a_request_of_somebody_else_is_not_found(tabs: Pipeline, shop: Shop) -> None:
    foreign = (await requests_of(shop, JORIS))[0]
    tab = signed_in(tabs.tab("foreign-request"), await shop.token(*SANNE))
    await tab.send(RequestPage.load, path=f"/maintenance/{foreign.reference}")
    assert tab.shown(RequestPage, "view_state") == MISSING
    assert foreign.bike_id not in repr(tab.deltas)


async def test_the_status_flow_offers_bikes_with_something_going_on(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("status-bikes"), await shop.token(*JORIS))
    await tab.send(StatusBikes.load, path="/status")
    [bike] = tab.shown(StatusBikes, "open")
    await tab.send(StatusBikes.choose, path="/status", form={})
    assert tab.shown(StatusBikes, "missing") == "required"
    assert tab.shown(StatusBikes, "attempt") == 1
    assert tab.events == []
    await tab.send(StatusBikes.choose, path="/status", form={"bike": "SOMEBODY22"})
    assert tab.events == []
    await tab.send(StatusBikes.choose, path="/status", form={"bike": bike.bike_id})
    assert f"/status/step-1?bike={bike.bike_id}" in repr(tab.events)


async def test_a_bike_chosen_before_the_server_has_the_bikes_is_taken(tabs: Pipeline, shop: Shop) -> None:
    drawn = signed_in(tabs.tab("status-drawn"), await shop.token(*JORIS))
    await drawn.send(StatusBikes.load, path="/status")
    [bike] = drawn.shown(StatusBikes, "open")
    tab = signed_in(tabs.tab("status-early"), await shop.token(*JORIS))
    await tab.send(StatusBikes.choose, path="/status", form={"bike": bike.bike_id})
    assert f"/status/step-1?bike={bike.bike_id}" in repr(tab.events)


async def test_nothing_to_see_is_an_empty_flow(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("status-nothing"), await shop.token(*EVA))
    await tab.send(StatusBikes.load, path="/status")
    assert tab.shown(StatusBikes, "view_state") == READY
    assert tab.shown(StatusBikes, "open") in (None, [])


@pytest.mark.parametrize("query", ["", "?bike=", "?bike=ABCDEFGH23", "?bike=..%2f", "?bike={foreign}"])
async def test_the_second_step_opens_only_for_a_bike_that_was_chosen(tabs: Pipeline, shop: Shop, query: str) -> None:
    foreign = (await requests_of(shop, JORIS))[0].bike_id
    path = f"/status/step-1{query.format(foreign=foreign)}"
    tab = signed_in(tabs.tab(f"guard-{query}"), await shop.token(*SANNE))
    await tab.send(StatusOfBike.load, path=path)
    assert tab.shown(StatusOfBike, "request") is None
    assert [event for event in tab.events if "/status" in repr(event)], "back to choosing"
