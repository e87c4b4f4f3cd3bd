"""The operations on drafts: begin, save, continue, discard and send."""

from typing import Any

import pytest

from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.flow.api import DraftStart, FlowApi, StepEntry, Submission
from portal.kernel.codes import Code
from portal.overview.api import OverviewApi
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.repair import REPAIR
from tests.support.connections import Shop
from tests.support.entries import step_entry
from tests.support.filling import FLOW, MAINTENANCE, PARTS, TEXT, bikes_of, clear, filled, save
from tests.support.people import AMBER, JORIS, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def begun(shop: Shop, customer: tuple[str, str] = SANNE) -> tuple[FlowApi, str, list[dict[str, Any]]]:
    """The operations, the token of a customer without drafts, and the bikes of the customer."""
    token = await shop.token(*customer)
    await clear(shop, token)
    return shop.ask(FlowApi), token, await bikes_of(shop, token)


async def test_the_intro_shows_the_choices_and_why_a_bike_is_refused(shop: Shop) -> None:
    flows, token, _ = await begun(shop)
    start = await flows.flow_start(token, FLOW)
    assert [entry["name"] for entry in start.facts["bikes"]]
    assert {entry["refusal"] for entry in start.facts["bikes"]} == {""}
    assert "pin_code" not in str(start.facts)
    _, token, (busy, *_) = await begun(shop, JORIS)
    assert busy["refusal"] == Code.OPEN_WORK_ORDER_EXISTS
    requests = (await shop.ask(WorkOrdersApi).service_requests(token)).items
    (request,) = [entry for entry in requests if not entry.closed]
    assert (busy["open_request"], busy["open_kind"]) == (request.reference, request.kind.value)


async def test_answers_are_stored_in_normal_form(shop: Shop) -> None:
    flows, token, bikes = await begun(shop)
    draft = await filled(shop, token, bikes[0]["id"])
    assert draft.answers["parts"] == ["chain", "gears"]
    assert draft.answers["details_chain"] == TEXT
    assert draft.completed == ["", *(REPAIR.address(step) for step in REPAIR.steps if not step.extra)]
    assert draft.subject == bikes[0]["id"]
    assert await flows.draft(token, draft.draft_id) == draft
    again = await flows.open_draft(token, DraftStart(flow=FLOW, subject=draft.subject))
    assert again.draft_id == draft.draft_id
    ahead = {**MAINTENANCE, "maintenance_year": str(draft.expires_at.year + 1)}
    draft = await save(shop, token, draft, "maintenance", ahead)
    assert draft.warnings == {"maintenance_month": Code.DATE_IN_FUTURE}
    assert draft.answers["maintenance_year"] == ahead["maintenance_year"]


async def test_a_draft_is_on_the_dashboard_until_it_is_discarded(shop: Shop) -> None:
    flows, token, bikes = await begun(shop)
    draft = await flows.open_draft(token, DraftStart(flow=FLOW, subject=bikes[0]["id"]))
    entry = (await shop.ask(OverviewApi).dashboard(token)).drafts[0]
    assert (entry.draft_id, entry.flow, entry.name) == (draft.draft_id, FLOW, bikes[0]["name"])
    await flows.discard_draft(token, draft.draft_id)
    assert not (await shop.ask(OverviewApi).dashboard(token)).drafts
    with pytest.raises(NotFound):
        await flows.draft(token, draft.draft_id)


async def test_invalid_answers_get_a_code_by_field_and_are_not_saved(shop: Shop) -> None:
    flows, token, bikes = await begun(shop)
    draft = await flows.open_draft(token, DraftStart(flow=FLOW))
    answers = {"bike": bikes[0]["id"]}
    draft, before = await save(shop, token, draft, "bike", answers), draft
    assert await save(shop, token, before, "bike", answers) == draft, "the same answers again are no conflict"
    short = {**PARTS, "parts": "chain", "details_chain": "kapot", "evil": "x"}
    with pytest.raises(InvalidInput) as caught:
        await save(shop, token, draft, "damage", short)
    assert caught.value.fields == {"details_chain": Code.TOO_SHORT}
    assert await flows.draft(token, draft.draft_id) == draft
    draft = await save(shop, token, draft, "damage", PARTS)
    with pytest.raises(InvalidInput) as caught:
        await save(shop, token, draft, "maintenance", {**MAINTENANCE, "maintenance_month": "13"})
    assert caught.value.code is Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE
    assert caught.value.fields == {"maintenance_month": Code.INVALID_MONTH}


async def test_a_locked_or_unknown_step_cannot_be_saved(shop: Shop) -> None:
    flows, token, _ = await begun(shop)
    draft = await flows.open_draft(token, DraftStart(flow=FLOW))
    for address in ("step-2", "step-8", "pincode-step", "step-99", "confirmation", "../step-1"):
        entry = StepEntry(step=address, answers=dict(PARTS), version=draft.version)
        with pytest.raises(Refused) as caught:
            await flows.save_step(token, draft.draft_id, entry)
        assert caught.value.code is Code.STEP_NOT_OPEN


async def test_each_bike_has_a_draft_of_its_own(shop: Shop) -> None:
    flows, token, (first, second, *_) = await begun(shop)
    of_first = await filled(shop, token, first["id"])
    blank = await flows.open_draft(token, DraftStart(flow=FLOW))
    assert blank.draft_id != of_first.draft_id
    assert blank.answers == {}
    assert (await save(shop, token, blank, "bike", {"bike": first["id"]})).draft_id == of_first.draft_id
    drafts = (await flows.flow_start(token, FLOW)).drafts
    assert [entry.draft_id for entry in drafts] == [of_first.draft_id], "the empty one is deleted"
    blank = await flows.open_draft(token, DraftStart(flow=FLOW))
    of_second = await save(shop, token, blank, "bike", {"bike": second["id"]})
    assert of_second.answers == {"bike": second["id"]}
    # Choosing the bike of a draft that was begun before continues that draft.
    back = await save(shop, token, of_second, "bike", {"bike": first["id"]})
    assert (back.draft_id, back.answers) == (of_first.draft_id, of_first.answers)
    drafts = (await flows.flow_start(token, FLOW)).drafts
    assert {entry.draft_id for entry in drafts} == {of_first.draft_id, of_second.draft_id}
    anew = await flows.open_draft(token, DraftStart(flow=FLOW, subject=first["id"], anew=True))
    assert anew.draft_id != of_first.draft_id
    assert (anew.answers, anew.completed) == ({"bike": first["id"]}, [""])


async def test_a_link_to_a_bike_answers_the_first_question_if_the_bike_can_be_chosen(shop: Shop) -> None:
    flows, token, bikes = await begun(shop)
    draft = await flows.open_draft(token, DraftStart(flow=FLOW, subject=bikes[0]["id"]))
    assert (draft.answers, draft.completed) == ({"bike": bikes[0]["id"]}, ["", REPAIR.address("bike")])
    flows, token, bikes = await begun(shop, AMBER)
    refused = next(entry["id"] for entry in bikes if entry["refusal"])
    for subject in (refused, "ABCDEFGH23", ""):
        draft = await flows.open_draft(token, DraftStart(flow=FLOW, subject=subject))
        assert (draft.answers, draft.completed) == ({}, [""])


async def test_a_bike_with_a_pin_code_asks_for_the_right_one(shop: Shop) -> None:
    flows, token, bikes = await begun(shop, AMBER)
    locked = next(entry for entry in bikes if entry["pin"] and not entry["refusal"])
    draft = await flows.open_draft(token, DraftStart(flow=FLOW))
    draft = await save(shop, token, draft, "bike", {"bike": locked["id"]})
    with pytest.raises(Refused):
        await save(shop, token, draft, "damage", PARTS)
    with pytest.raises(InvalidInput) as caught:
        await save(shop, token, draft, "pincode", {"pin_known": "known", "pin_code": "000000"})
    assert caught.value.fields == {"pin_code": Code.WRONG_PIN_CODE}
    draft = await save(shop, token, draft, "pincode", {"pin_known": "unknown"})
    assert REPAIR.address("pincode") in draft.completed


async def test_the_draft_of_another_customer_is_not_found(shop: Shop) -> None:
    flows, sanne, (bike, *_) = await begun(shop)
    noor = await shop.token(*NOOR)
    draft = await filled(shop, sanne, bike["id"])
    entry = step_entry(draft, "maintenance", MAINTENANCE, version=4)
    for attempt in (
        flows.draft(noor, draft.draft_id),
        flows.discard_draft(noor, draft.draft_id),
        flows.save_step(noor, draft.draft_id, entry),
        flows.submit_draft(noor, draft.draft_id, Submission(key=draft.key)),
    ):
        with pytest.raises(NotFound):
            await attempt
    own = await flows.open_draft(noor, DraftStart(flow=FLOW, subject=bike["id"]))
    assert own.answers == {}
    with pytest.raises(InvalidInput) as caught:
        await save(shop, noor, own, "bike", {"bike": bike["id"]})
    assert caught.value.fields == {"bike": Code.REPAIR_REQUEST_LINE_NOT_FOUND}


@pytest.mark.parametrize("name", ["", "A" * 400, "../1", "ABCDEFGH23", "\x00"])
async def test_an_unknown_draft_or_flow_is_not_found(shop: Shop, name: str) -> None:
    token, flows = await shop.token(*SANNE), shop.ask(FlowApi)
    for attempt in (
        flows.flow_start(token, name),
        flows.draft(token, name),
        flows.discard_draft(token, name),
        flows.save_step(token, name, StepEntry(step=REPAIR.address("bike"), version=1)),
        flows.submit_draft(token, name, Submission(key="x")),
    ):
        with pytest.raises(NotFound):
            await attempt


async def test_a_draft_that_was_sent_has_a_receipt_and_can_no_longer_be_changed(shop: Shop) -> None:
    flows, token, bikes = await begun(shop, NOOR)
    bike = next(entry["id"] for entry in bikes if not entry["refusal"] and not entry["pin"])
    draft = await filled(shop, token, bike)
    receipt = await flows.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert receipt.summary["bike_id"] == bike
    after = await flows.draft(token, draft.draft_id)
    assert (after.receipt, after.answers) == (receipt, {})
    assert (await flows.flow_start(token, FLOW)).receipt == receipt
    with pytest.raises(Conflict) as caught:
        await save(shop, token, draft, "maintenance", MAINTENANCE)
    assert caught.value.code is Code.REPAIR_REQUEST_INVALID_STATUS
    with pytest.raises(NotFound):
        await flows.discard_draft(token, draft.draft_id)
