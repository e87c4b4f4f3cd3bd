"""Work orders moved by the back office, and what a repair under warranty adds."""

import asyncio
from datetime import date

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import delete, select

from portal.backend.backoffice import NotAllowed, Transition, TransitionRequest
from portal.backend.mail import Template, render
from portal.bikes.api import BikesApi
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.kernel.days import add_months
from portal.kernel.terms import ShopTerms
from portal.provider.application import Application
from portal.setting_groups import OwnText
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.work_orders import MAILED_STATUSES, WORK_ORDERS, Actor, RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.provider.warranty import repair_or_replacement
from tests.support.customers import JORIS, MAX, NOOR, SANNE
from tests.support.entries import step_entry
from tests.support.filling import MAINTENANCE, TEXT, photographed, placed
from tests.support.furnished import Furnished
from tests.work_orders.history import events, mails, reference_of

FROM_REPAIR = ("wait_for_parts", "wait_for_repair_after_in_repair", "wait_for_customer", "cancelled")


async def move(shop: Furnished, reference: str, status: str, **change: object) -> Transition:
    return await shop.application.back_office.move(
        "work-order", reference, TransitionRequest.model_validate({"status": status, **change})
    )


async def test_a_transition_is_stored_with_its_history_and_shown_to_the_customer(furnished: Furnished) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    before = await events(furnished, reference)
    moved = await move(
        furnished, reference, "wait_for_parts", note="De cassette is besteld.", planned_date=date(2027, 1, 4)
    )
    assert (moved.before, moved.status, moved.changed) == ("in_repair", "wait_for_parts", True)
    assert "repair_continued" in moved.possible
    kept = await furnished.one(RequestRow, reference=reference)
    assert (kept.status, kept.planned_date) == (WorkOrderStatus.WAIT_FOR_PARTS, date(2027, 1, 4))
    new = (await events(furnished, reference))[len(before) :]
    assert [(event.status, event.actor, event.note) for event in new] == [
        (WorkOrderStatus.WAIT_FOR_PARTS, Actor.BACK_OFFICE, "De cassette is besteld.")
    ]
    [mail] = await mails(furnished)
    assert (mail.recipient, mail.locale) == (JORIS[1], "nl")
    assert mail.details["subject"] == "We wachten op onderdelen: Duinroos Zilt Comfort"
    assert mail.details["handover"]["when"] == "", "the bike is in the workshop"
    assert mail.details["partner"] == "Bovenbuis Amsterdam"


async def test_the_mail_speaks_the_language_of_the_customer(furnished: Furnished) -> None:
    await furnished.change(CustomerRow, {"locale": "en"}, email=JORIS[1])
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await move(furnished, reference, "wait_for_customer", note="Bring <b>both</b> {keys}.")
    [mail] = await mails(furnished)
    written = render(Template.WORK_ORDER_STATUS, "en", Settings(), mail.details)
    assert written.subject == "Your bike is repaired: Duinroos Zilt Comfort"
    for part in (written.text, written.html):
        assert "Your bike is repaired: ready for pick-up or scheduled for delivery." in part
        assert f"/maintenance/{reference}" in part
        assert "Message from the workshop" in part
        assert "frame number ending in" in part
    assert "Bring &lt;b&gt;both&lt;/b&gt; {keys}." in written.html
    assert "Bring <b>both</b> {keys}." in written.text


async def test_only_statuses_that_a_customer_waits_for_are_mailed(furnished: Furnished) -> None:
    reference = await reference_of(furnished, MAX, status=WorkOrderStatus.NEW)
    told = 0
    for status in ("accepted", "wait_for_object", "in_repair", "wait_for_customer", "repair_continued", "completed"):
        if not WORK_ORDERS[RequestKind.SERVICE].allows(
            (await furnished.one(RequestRow, reference=reference)).status, WorkOrderStatus(status)
        ):
            continue
        await move(furnished, reference, status)
        told += status in MAILED_STATUSES
        assert len(await mails(furnished)) == told
    assert (await furnished.one(RequestRow, reference=reference)).status is WorkOrderStatus.COMPLETED


@pytest.mark.parametrize(
    "target", sorted(WORK_ORDERS[RequestKind.REPAIR].statuses - {WorkOrderStatus.IN_REPAIR, *FROM_REPAIR})
)
async def test_what_the_graph_does_not_have_changes_nothing(furnished: Furnished, target: WorkOrderStatus) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    history = len(await events(furnished, reference))
    with pytest.raises(NotAllowed) as refusal:
        await move(furnished, reference, target.value)
    assert refusal.value.code is Code.STATUS_NOT_ALLOWED
    assert refusal.value.possible == list(FROM_REPAIR)
    assert (await furnished.one(RequestRow, reference=reference)).status is WorkOrderStatus.IN_REPAIR
    assert len(await events(furnished, reference)) == history
    assert await mails(furnished) == []


async def test_what_cannot_be_meant_is_refused(furnished: Furnished) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    for name in ("", "S00000000", "../etc", "' OR 1=1 --", "é", "x" * 400):
        with pytest.raises(NotFound):
            await move(furnished, name, "accepted")
    for status in ("unknown", "repaired", "NEW"):
        with pytest.raises(InvalidInput) as refusal:
            await move(furnished, reference, status)
        assert refusal.value.fields == {"status": Code.INVALID_CHOICE}
    with pytest.raises(InvalidInput) as refusal:
        await move(furnished, reference, "wait_for_parts", partner="Nobody")
    assert refusal.value.fields == {"partner": Code.NOT_FOUND}
    assert await mails(furnished) == []


@pytest.mark.each_database
async def test_a_partner_is_assigned_by_id_or_by_name(furnished: Furnished) -> None:
    reference = await reference_of(furnished, MAX, status=WorkOrderStatus.NEW)
    async with furnished.context.database.session() as session:
        one, other = (await session.exec(select(PartnerRow).limit(2))).all()
    await move(furnished, reference, "accepted", partner=one.public_id)
    assert (await furnished.one(RequestRow, reference=reference)).partner_id == one.id
    await move(furnished, reference, "accepted", partner=other.name)
    assert (await furnished.one(RequestRow, reference=reference)).partner_id == other.id
    assert [mail.details["partner"] for mail in await mails(furnished)] == [one.name, other.name]


async def test_a_change_that_is_already_made_is_not_made_again(furnished: Furnished) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    change = {"note": "Even geduld.", "planned_date": date(2027, 1, 4)}
    assert (await move(furnished, reference, "wait_for_parts", **change)).changed
    history = len(await events(furnished, reference))
    assert not (await move(furnished, reference, "wait_for_parts", **change)).changed
    assert not (await move(furnished, reference, "wait_for_parts")).changed
    assert len(await events(furnished, reference)) == history
    assert (await move(furnished, reference, "wait_for_parts", planned_date=date(2027, 1, 11))).changed
    assert len(await mails(furnished)) == 2


@pytest.mark.each_database
async def test_of_movers_who_saw_the_same_status_only_one_wins(furnished: Furnished, loaded_url: str) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    history = len(await events(furnished, reference))
    applications = [Application(Settings(database_url=loaded_url)) for _ in range(4)]
    targets = ["wait_for_parts", "wait_for_repair_after_in_repair", "wait_for_customer", "cancelled"]
    changes = [TransitionRequest(status=target, seen="in_repair") for target in targets]
    outcomes = await asyncio.gather(
        *[
            application.back_office.move("work-order", reference, change)
            for change, application in zip(changes * 3, applications * 3, strict=True)
        ],
        return_exceptions=True,
    )
    for application in applications:
        await application.context.database.close()
    won = [outcome for outcome in outcomes if isinstance(outcome, Transition)]
    lost = [outcome for outcome in outcomes if not isinstance(outcome, Transition)]
    assert sum(outcome.changed for outcome in won) == 1
    assert all(isinstance(outcome, Conflict) and outcome.code is Code.STATUS_CHANGED for outcome in lost)
    assert {outcome.status for outcome in won} == {(await furnished.one(RequestRow, reference=reference)).status.value}
    assert len(await events(furnished, reference)) == history + 1
    assert len(await mails(furnished)) == 1


@pytest.mark.each_database
async def test_a_second_open_work_order_is_refused_by_the_database(furnished: Furnished) -> None:
    reference = await reference_of(furnished, SANNE, status=WorkOrderStatus.DONE)
    done = await furnished.one(RequestRow, reference=reference)

    async def insert(number: int) -> bool:
        try:
            async with furnished.context.database.transaction() as session:
                session.add(
                    RequestRow(
                        reference=f"PARALL{number:02}",
                        customer_id=done.customer_id,
                        bike_id=done.bike_id,
                        kind=list(WORK_ORDERS)[number % 3],
                        title="Rem",
                    )
                )
        except IntegrityError:
            return False
        return True

    assert sum(await asyncio.gather(*[insert(number) for number in range(12)])) == 1
    [one] = await furnished.rows(RequestRow, bike_id=done.bike_id, status="new")
    assert [event.status for event in await events(furnished, one.reference)] == [WorkOrderStatus.NEW]
    # Once the open work order is closed, the bike can have a new one.
    await move(furnished, one.reference, "cancelled")
    assert await insert(50)


async def test_a_request_that_was_imported_without_history_is_shown_all_the_same(furnished: Furnished) -> None:
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    async with furnished.context.database.transaction() as session:
        await session.exec(delete(WorkOrderEventRow))
    whole = await furnished.ask(WorkOrdersApi).service_request(await furnished.log_in(JORIS), reference)
    assert [(event.status, event.happened_at) for event in whole.events] == [
        (WorkOrderStatus.IN_REPAIR, whole.created_at)
    ]
    assert (await move(furnished, reference, "wait_for_parts")).changed


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
    told = draft.facts["warranty"]
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
