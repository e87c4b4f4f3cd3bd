"""A repair under warranty: what is said before it is sent, and the months that it adds."""

from __future__ import annotations

from datetime import date

import pytest

from portal.bikes.api import BikesApi
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.kernel.days import add_months
from portal.kernel.terms import ShopTerms
from portal.settings import OwnText, Settings
from portal.tables.bikes import BikeRow
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.repair import WARRANTY
from portal.work_orders.provider.warranty import repair_or_replacement
from tests.support.customers import JORIS, NOOR
from tests.support.entries import step_entry
from tests.support.filling import MAINTENANCE, TEXT, photographed, placed
from tests.support.furnished import Furnished
from tests.work_orders.history import events, mails, reference_of
from tests.work_orders.test_backoffice import move


async def _damaged(shop: Furnished, token: str, parts: list[str]) -> Draft:
    """A repair draft with bike and damage."""
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))
    bike = next(entry["id"] for entry in draft.facts["bikes"] if not entry["refusal"] and not entry["pin"])
    damage = {"parts": parts, **{f"details_{part}": TEXT for part in parts}}
    for step, answers in (("bike", {"bike": bike}), ("damage", damage)):
        draft = await shop.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, step, answers))
    return draft


@pytest.mark.parametrize(
    ("until", "parts", "cost"),
    [("2040-05-06", ["frame"], "free"), ("2040-05-06", ["chain"], "wear"), ("2020-05-06", ["frame"], "expired")],
)
async def test_what_a_repair_probably_costs_is_said_with_its_rule_before_sending_and_after(
    furnished: Furnished, until: str, parts: list[str], cost: str
) -> None:
    token = await furnished.log_in(NOOR)
    for bike in (await furnished.ask(BikesApi).bikes(token)).items:
        await furnished.change(BikeRow, {"warranty_until": date.fromisoformat(until)}, public_id=bike.bike_id)
    draft = await _damaged(furnished, token, parts)
    told = draft.facts[WARRANTY]
    assert (told["cost"], told["until"]) == (cost, until)
    assert until[:4] in told["rule"]["nl"]
    assert ("12 maanden" in told["choice"]["nl"]) == (cost != "expired")
    entry = step_entry(draft, "maintenance", MAINTENANCE)
    draft = await furnished.ask(FlowApi).save_step(token, draft.draft_id, entry)
    draft = await placed(furnished.provider, token, await photographed(furnished.provider, token, draft))
    sent = await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert sent.account
    [fact] = [fact for fact in sent.account.facts if fact.label.en == "Warranty"]
    assert [line.model_dump() for line in fact.lines] == [told["title"], told["rule"]]


def test_the_text_about_repair_or_replacement_can_be_the_shops_own() -> None:
    longer = ShopTerms(warranty_repair_months=18)
    standard = repair_or_replacement(Settings(), longer)
    own = repair_or_replacement(Settings(warranty_choice=OwnText(nl="Onze eigen tekst.")), longer)
    assert (own.nl, own.en) == ("Onze eigen tekst.", standard.en)
    assert "18 months" in standard.en


async def _covered(shop: Furnished, token: str, bike_id: str) -> date:
    return (await shop.ask(BikesApi).bike(token, bike_id)).warranty_until


async def test_covered_until_moves_by_twelve_months_after_a_repair_under_warranty_and_only_once(
    furnished: Furnished,
) -> None:
    token = await furnished.log_in(JORIS)
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    bike = (await furnished.ask(WorkOrdersApi).service_request(token, reference)).bike_id
    before = await _covered(furnished, token, bike)
    await move(furnished, reference, "wait_for_customer", under_warranty=True)
    assert await _covered(furnished, token, bike) == before
    await move(furnished, reference, "done")
    after = await _covered(furnished, token, bike)
    assert after == add_months(before, 12)
    *_, first, last = await mails(furnished)
    assert "garantie" in first.details["covered"]
    assert str(after.year) in last.details["covered"]
    request = await furnished.ask(WorkOrdersApi).service_request(token, reference)
    assert last.details["covered"] in [line.nl for fact in request.account.facts for line in fact.lines]


async def test_a_mark_about_the_warranty_alone_adds_no_entry_to_the_history(furnished: Furnished) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    before = await events(furnished, reference)
    assert (await move(furnished, reference, "in_repair", under_warranty=True)).changed
    assert await events(furnished, reference) == before
    [mail] = await mails(furnished)
    assert "garantie" in mail.details["covered"]
    await move(furnished, reference, "in_repair", under_warranty=False, note="Toch slijtage.")
    assert [event.note for event in (await events(furnished, reference))[len(before) :]] == ["Toch slijtage."]


async def test_a_repair_that_is_not_under_warranty_moves_nothing(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    bike = (await furnished.ask(WorkOrdersApi).service_request(token, reference)).bike_id
    before = await _covered(furnished, token, bike)
    await move(furnished, reference, "wait_for_customer", under_warranty=True)
    await move(furnished, reference, "done", under_warranty=False)
    assert await _covered(furnished, token, bike) == before
    *_, last = await mails(furnished)
    assert last.details["covered"] == ""
