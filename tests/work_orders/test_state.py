"""States of the request page and the status pages, run through Reflex."""

from typing import Any

import pytest

from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.frontend.load import MISSING, READY
from portal.frontend.toasts import Toasts
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.claim import CLAIM, PARTS_STEP
from portal.work_orders.pages.claim import ClaimDisplay
from portal.work_orders.pages.requests import RequestPage
from portal.work_orders.pages.status import StatusBikes, StatusOfBike
from tests.support.connections import Shop
from tests.support.entries import step_entry
from tests.support.form_versions import form_version
from tests.support.people import AMBER, EVA, JORIS, MAX, NOOR, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

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


async def _begun(tabs: Pipeline, shop: Shop, customer: tuple[str, str]) -> tuple[Tab, str, Draft]:
    """Return a tab, its token and a claim for the first bike that can be chosen."""
    token = await shop.token(*customer)
    for entry in (await shop.ask(FlowApi).flow_start(token, CLAIM.name)).drafts:
        await shop.ask(FlowApi).discard_draft(token, entry.draft_id)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=CLAIM.name))
    bike = next(bike["id"] for bike in draft.facts["bikes"] if not bike["refusal"])
    draft = await shop.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, "bike", {"bike": bike}))
    return signed_in(tabs.tab(f"claim of {customer[1]}"), token), token, draft


async def test_the_policy_of_a_bike_that_is_insured_with_us_is_proposed(tabs: Pipeline, shop: Shop) -> None:
    tab, _, draft = await _begun(tabs, shop, AMBER)
    await tab.send(FlowRun.enter, CLAIM.url(PARTS_STEP))
    policy = tab.shown(FlowRun, "texts")["policy_number"]
    assert policy.startswith("P")
    assert policy == next(bike["policy_number"] for bike in draft.facts["bikes"] if bike["policy_number"])
    assert tab.shown(ClaimDisplay, "holder") == "Amber de Wolters"
    assert "insurer" not in tab.shown(FlowRun, "asked")


async def test_a_claim_that_cannot_be_sent_says_what_may_be_the_reason(tabs: Pipeline, shop: Shop) -> None:
    tab, _, draft = await _begun(tabs, shop, NOOR)
    await tab.send(FlowRun.send, CLAIM.url(CLAIM.check_step), form=form_version(draft))
    toast = tab.shown(Toasts, "items")[-1]
    assert "Claim could not be submitted." in str(toast)
    assert "There may already be an open request for this bike. Try again or contact us." in str(toast)
    assert tab.shown(FlowRun, "refusal")
