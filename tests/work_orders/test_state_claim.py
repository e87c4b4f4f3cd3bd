"""States of a claim: displayed values, and the error if it cannot be sent."""

from __future__ import annotations

import pytest

from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.frontend.toasts import Toasts
from portal.work_orders.flow.claim import CLAIM, PARTS_STEP
from portal.work_orders.pages.claim import ClaimDisplay
from tests.support.connections import Shop
from tests.support.entries import step_entry
from tests.support.form_versions import form_version
from tests.support.people import AMBER, NOOR
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


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


async def test_the_insurer_is_asked_for_a_bike_that_is_insured_elsewhere(tabs: Pipeline, shop: Shop) -> None:
    tab, _, _ = await _begun(tabs, shop, NOOR)
    await tab.send(FlowRun.enter, CLAIM.url(PARTS_STEP))
    assert tab.shown(FlowRun, "texts")["policy_number"] == ""
    assert "insurer" in tab.shown(FlowRun, "asked")


async def test_a_claim_that_cannot_be_sent_says_what_may_be_the_reason(tabs: Pipeline, shop: Shop) -> None:
    tab, _, draft = await _begun(tabs, shop, NOOR)
    await tab.send(FlowRun.send, CLAIM.url(CLAIM.check_step), form=form_version(draft))
    toast = tab.shown(Toasts, "items")[-1]
    assert "Claim could not be submitted." in str(toast)
    assert "There may already be an open request for this bike. Try again or contact us." in str(toast)
    assert tab.shown(FlowRun, "refusal")
