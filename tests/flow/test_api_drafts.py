"""The operations on drafts, with the same results for every kind of provider."""

from __future__ import annotations

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
from tests.support.people import AMBER, EVA, JORIS, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_intro_shows_the_choices(shop_each_way: Shop) -> None:
    start = await shop_each_way.ask(FlowApi).flow_start(await shop_each_way.token(*SANNE), FLOW)
    assert [entry["name"] for entry in start.facts["bikes"]]
    assert {entry["refusal"] for entry in start.facts["bikes"]} == {""}
    assert "pin_code" not in str(start.facts)
    busy = (await bikes_of(shop_each_way, await shop_each_way.token(*JORIS)))[0]
    assert busy["refusal"] == Code.OPEN_WORK_ORDER_EXISTS
    (request,) = [
        entry
        for entry in (await shop_each_way.ask(WorkOrdersApi).service_requests(await shop_each_way.token(*JORIS))).items
        if not entry.closed
    ]
    assert (busy["open_request"], busy["open_kind"]) == (request.reference, request.kind.value)


async def test_a_flow_without_a_bike_to_choose_does_not_begin(shop_each_way: Shop) -> None:
    for customer, code in ((JORIS, Code.OPEN_WORK_ORDER_EXISTS), (EVA, Code.REPAIR_REQUEST_LINE_NOT_FOUND)):
        with pytest.raises(Refused) as caught:
            await shop_each_way.ask(FlowApi).open_draft(await shop_each_way.token(*customer), DraftStart(flow=FLOW))
        assert caught.value.code is code


async def test_answers_are_stored_in_normal_form(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    bike = (await bikes_of(shop_each_way, token))[0]["id"]
    draft = await filled(shop_each_way, token, bike)
    assert draft.answers["parts"] == ["chain", "gears"]
    assert draft.answers["details_chain"] == TEXT
    assert draft.answers["maintenance_month"] == MAINTENANCE["maintenance_month"]
    assert draft.completed == ["", *(REPAIR.address(step) for step in REPAIR.steps if not step.extra)]
    assert draft.subject == bike
    again = await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)
    assert again == draft
    assert (
        await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=bike))
    ).draft_id == draft.draft_id


async def test_a_draft_is_on_the_dashboard_until_it_is_discarded(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    bike = (await bikes_of(shop_each_way, token))[0]
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=bike["id"]))
    entry = (await shop_each_way.ask(OverviewApi).dashboard(token)).drafts[0]
    assert (entry.draft_id, entry.flow, entry.name) == (draft.draft_id, FLOW, bike["name"])
    await shop_each_way.ask(FlowApi).discard_draft(token, draft.draft_id)
    assert not (await shop_each_way.ask(OverviewApi).dashboard(token)).drafts
    with pytest.raises(NotFound):
        await shop_each_way.ask(FlowApi).discard_draft(token, draft.draft_id)
    with pytest.raises(NotFound):
        await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)


async def test_invalid_answers_get_a_code_by_field_and_are_not_saved(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    draft = await save(shop_each_way, token, draft, "bike", {"bike": (await bikes_of(shop_each_way, token))[0]["id"]})
    with pytest.raises(InvalidInput) as caught:
        await save(
            shop_each_way, token, draft, "damage", {**PARTS, "parts": "chain", "details_chain": "kapot", "evil": "x"}
        )
    assert caught.value.fields == {"details_chain": Code.TOO_SHORT}
    assert await shop_each_way.ask(FlowApi).draft(token, draft.draft_id) == draft
    draft = await save(shop_each_way, token, draft, "damage", PARTS)
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, token, draft, "maintenance", {**MAINTENANCE, "maintenance_month": "13"})
    assert caught.value.code is Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE
    assert caught.value.fields == {"maintenance_month": Code.INVALID_MONTH}


async def test_a_future_month_is_warned_about_and_saved(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await filled(shop_each_way, token, (await bikes_of(shop_each_way, token))[0]["id"])
    ahead = {**MAINTENANCE, "maintenance_year": str(draft.expires_at.year + 1)}
    draft = await save(shop_each_way, token, draft, "maintenance", ahead)
    assert draft.warnings == {"maintenance_month": Code.DATE_IN_FUTURE}
    assert draft.answers["maintenance_year"] == ahead["maintenance_year"]


async def test_a_locked_or_unknown_step_cannot_be_saved(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    for address in ("step-2", "step-3", "step-8", "pincode-step", "step-99", "confirmation", "../step-1"):
        entry = StepEntry(step=address, answers=dict(PARTS), version=draft.version)
        with pytest.raises(Refused) as caught:
            await shop_each_way.ask(FlowApi).save_step(token, draft.draft_id, entry)
        assert caught.value.code is Code.STEP_NOT_OPEN


async def test_the_second_of_two_tabs_gets_a_conflict_before_it_overwrites(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await filled(shop_each_way, token, (await bikes_of(shop_each_way, token))[0]["id"])
    first = await save(shop_each_way, token, draft, "damage", {**PARTS, "parts": "saddle", "details_saddle": TEXT})
    frame = {**PARTS, "parts": "frame", "details_frame": TEXT}
    with pytest.raises(Conflict) as caught:
        await save(shop_each_way, token, draft, "damage", frame)
    assert caught.value.code is Code.DRAFT_CHANGED
    assert (await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)).answers["parts"] == ["saddle"]
    assert (await save(shop_each_way, token, first, "damage", frame)).version > first.version


async def test_the_same_answers_again_are_no_conflict(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    answers = {"bike": (await bikes_of(shop_each_way, token))[0]["id"]}
    once = await save(shop_each_way, token, draft, "bike", answers)
    assert await save(shop_each_way, token, draft, "bike", answers) == once


async def test_each_bike_has_a_draft_of_its_own(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    first, second = [entry["id"] for entry in await bikes_of(shop_each_way, token)][:2]
    of_first = await filled(shop_each_way, token, first)
    blank = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    assert blank.draft_id != of_first.draft_id
    assert blank.answers == {}
    of_second = await save(shop_each_way, token, blank, "bike", {"bike": second})
    assert of_second.answers == {"bike": second}
    # Choosing the bike of a draft that was begun before is going on with that one.
    back = await save(shop_each_way, token, of_second, "bike", {"bike": first})
    assert back.draft_id == of_first.draft_id
    assert back.answers == of_first.answers
    drafts = (await shop_each_way.ask(FlowApi).flow_start(token, FLOW)).drafts
    assert {entry.draft_id for entry in drafts} == {of_first.draft_id, of_second.draft_id}


async def test_an_empty_draft_is_deleted_when_the_customer_continues_an_older_one(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    bike = (await bikes_of(shop_each_way, token))[0]["id"]
    older = await filled(shop_each_way, token, bike)
    blank = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    assert (await save(shop_each_way, token, blank, "bike", {"bike": bike})).draft_id == older.draft_id
    assert [entry.draft_id for entry in (await shop_each_way.ask(FlowApi).flow_start(token, FLOW)).drafts] == [
        older.draft_id
    ]


async def test_a_link_to_a_bike_answers_the_first_question(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    bike = (await bikes_of(shop_each_way, token))[0]["id"]
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=bike))
    assert (draft.answers, draft.completed) == ({"bike": bike}, ["", REPAIR.address("bike")])
    draft = await save(shop_each_way, token, draft, "damage", PARTS)
    assert REPAIR.address("damage") in draft.completed


async def test_a_link_to_a_bike_that_cannot_be_chosen_asks_for_one(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*AMBER)
    await clear(shop_each_way, token)
    unknown = next(entry["id"] for entry in await bikes_of(shop_each_way, token) if entry["refusal"])
    for subject in (unknown, "ABCDEFGH23", ""):
        draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=subject))
        assert (draft.answers, draft.completed) == ({}, [""])


async def test_beginning_anew_discards_the_old_answers(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    bike = (await bikes_of(shop_each_way, token))[0]["id"]
    older = await filled(shop_each_way, token, bike)
    fresh = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=bike, anew=True))
    assert fresh.draft_id != older.draft_id
    assert fresh.answers == {"bike": bike}
    assert fresh.completed == [""]


async def test_a_bike_with_a_pin_code_asks_for_the_right_one(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*AMBER)
    await clear(shop_each_way, token)
    locked = next(entry for entry in await bikes_of(shop_each_way, token) if entry["pin"] and not entry["refusal"])
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    draft = await save(shop_each_way, token, draft, "bike", {"bike": locked["id"]})
    with pytest.raises(Refused):
        await save(shop_each_way, token, draft, "damage", PARTS)
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, token, draft, "pincode", {"pin_known": "known", "pin_code": "000000"})
    assert caught.value.fields == {"pin_code": Code.WRONG_PIN_CODE}
    draft = await save(shop_each_way, token, draft, "pincode", {"pin_known": "unknown"})
    assert REPAIR.address("pincode") in draft.completed


async def test_the_draft_of_another_customer_is_not_found(shop_each_way: Shop) -> None:
    sanne, noor = await shop_each_way.token(*SANNE), await shop_each_way.token(*NOOR)
    await clear(shop_each_way, sanne)
    bike = (await bikes_of(shop_each_way, sanne))[0]["id"]
    draft = await filled(shop_each_way, sanne, bike)
    provider = shop_each_way.provider
    for attempt in (
        provider.ask(FlowApi).draft(noor, draft.draft_id),
        provider.ask(FlowApi).discard_draft(noor, draft.draft_id),
        provider.ask(FlowApi).save_step(noor, draft.draft_id, step_entry(draft, "maintenance", MAINTENANCE, version=4)),
        provider.ask(FlowApi).submit_draft(noor, draft.draft_id, Submission(key=draft.key)),
    ):
        with pytest.raises(NotFound):
            await attempt
    own = await provider.ask(FlowApi).open_draft(noor, DraftStart(flow=FLOW, subject=bike))
    assert own.answers == {}
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, noor, own, "bike", {"bike": bike})
    assert caught.value.fields == {"bike": Code.REPAIR_REQUEST_LINE_NOT_FOUND}
    await clear(shop_each_way, noor)


@pytest.mark.parametrize("name", ["", "x", "A" * 400, "../1", "ABCDEFGH23", "\x00"])
async def test_an_unknown_draft_or_flow_is_not_found(shop_each_way: Shop, name: str) -> None:
    token = await shop_each_way.token(*SANNE)
    entry = StepEntry(step=REPAIR.address("bike"), answers={}, version=1)
    provider = shop_each_way.provider
    for attempt in (
        provider.ask(FlowApi).flow_start(token, name),
        provider.ask(FlowApi).draft(token, name),
        provider.ask(FlowApi).discard_draft(token, name),
        provider.ask(FlowApi).save_step(token, name, entry),
        provider.ask(FlowApi).submit_draft(token, name, Submission(key="x")),
    ):
        with pytest.raises(NotFound):
            await attempt
