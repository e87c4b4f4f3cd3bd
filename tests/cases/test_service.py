"""The queue and the work on a case: who sees what, search, changes, two people at once, files and job cards."""

import asyncio
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from sqlmodel import col, select, update

from portal.backend.cases import CaseFacts, record
from portal.cases.api import (
    MAIN_SHOP,
    Batch,
    CaseAssignment,
    CaseFilter,
    CaseHandOver,
    CaseMove,
    CaseName,
    CaseNoteEntry,
    CasesApi,
    CaseWatch,
    ChosenCases,
    CountsFilter,
    JobCards,
    PlannedDay,
    Presence,
    QueueEntry,
    QueuePage,
    SavedViewEntry,
)
from portal.cases.models import CaseDetail, NextStep
from portal.cases.provider import content
from portal.cases.provider.content import common_steps
from portal.contract.account import LocalizedText
from portal.contract.common_api import MAX_WAIT_SECONDS
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.conversations.api import MessageEntry, StaffConversationsApi
from portal.kernel.codes import Code
from portal.kernel.days import end_of_day, in_working_days, local_day
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.staff import AuditRow, StaffRow, StaffStoreRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.cases import WORKSHOP, Asks, CaseEventType, CaseKind, CaseSort, CaseState, CaseView, due_of
from portal.vocabulary.work_orders import Actor, WorkOrderStatus
from tests.imports.test_dated import OTHER_SHOP
from tests.support.application import outcome
from tests.support.furnished import Furnished
from tests.support.invoices import codes_on
from tests.support.living import Living
from tests.support.staff import CARLA, DAAN, ESRA, FEMKE, NIENKE, TOM, staff_token
from tests.work_orders.history import mails


async def all_of(furnished: Furnished, token: str, **asked: object) -> list[QueueEntry]:
    """All pages of a list."""
    found: list[QueueEntry] = []
    page = 1
    while True:
        part = await furnished.ask(CasesApi).queue(token, QueuePage.model_validate({**asked, "page": page}))
        found += part.items
        if page >= part.pages:
            return found
        page += 1


async def utrecht(shop: Furnished) -> tuple[str, CaseDetail]:
    """Tom's session, and a new request that was given to his store."""
    tom = await shop.row(StaffRow, email=TOM)
    (store,) = await shop.rows(StaffStoreRow, staff_id=tom.id)
    row = await shop.row(CaseRow, kind=CaseKind.SERVICE, status="new")
    for table in (CaseRow, RequestRow):
        await shop.change(table, {"partner_id": store.partner_id}, reference=row.reference)
    token = await staff_token(shop, TOM)
    return token, await shop.ask(CasesApi).case(token, "service", row.reference)


async def test_views_and_counts_say_the_same(living: Living) -> None:
    token = await staff_token(living, CARLA)
    counts = await living.ask(CasesApi).counts(token, CountsFilter())
    for each in counts.views:
        assert each.count == len(await all_of(living, token, view=each.view)), each.view
    for kind in counts.kinds:
        assert kind.count == len(await all_of(living, token, kind=kind.kind)), kind.kind
    assert {each.view for each in counts.views} == set(CaseView) - {CaseView.DONE}


@pytest.mark.each_database
async def test_a_search_finds_a_case_by_everything_that_is_known_of_the_customer(furnished: Furnished) -> None:
    token = await staff_token(furnished, ESRA)
    async with furnished.context.database.session() as session:
        query = (
            select(CaseRow, CustomerRow, BikeRow, OrderRow)
            .join(CustomerRow, col(CustomerRow.id) == CaseRow.customer_id)
            .join(RequestRow, col(RequestRow.reference) == CaseRow.reference)
            .join(BikeRow, col(BikeRow.id) == RequestRow.bike_id)
            .join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
            .where(col(BikeRow.frame_number).is_not(None), col(CaseRow.kind) == CaseKind.REPAIR)
            .order_by(col(CaseRow.id))
        )
        # The databases do not agree about capitals of letters outside ASCII.
        plain = (found for found in await session.exec(query) if found[1].full_name.isascii())
        case, customer, bike, order = next(plain)
    frame = bike.frame_number or ""
    for text in (
        f"{case.reference[:4]} {case.reference[4:].lower()}",
        customer.email.upper(),
        order.order_number,
        f"{frame[:4].lower()} {frame[4:]}",
        f"{customer.post_code.replace(' ', '').lower()} {customer.house_number}",
        f"{customer.post_code} {customer.house_number}",
        customer.last_name[:3].upper(),
        customer.first_name[:3],
        customer.full_name,
    ):
        found = {entry.reference for entry in await all_of(furnished, token, search=text)}
        assert case.reference in found, text
    for text in ("qqqq", "K7M2PX4A", "%", "' OR 1=1 --", "_" * 3, "nobody@example.com", "9999 ZZ 1"):
        assert await all_of(furnished, token, search=text) == []


async def test_a_search_and_a_view_of_a_case_are_audited(living: Living) -> None:
    token, case = await utrecht(living)
    for _ in range(2):
        await living.ask(CasesApi).case(token, "service", case.reference)
    living.clock.forward(minutes=61)
    await living.ask(CasesApi).case(token, "service", case.reference)
    await all_of(living, token, search="Dijkstra")
    rows = await living.rows(AuditRow)
    viewed = ("view_case", case.reference)
    assert [(row.action, row.reference) for row in rows] == [viewed, viewed, ("search_cases", "")]
    assert "dijkstra" not in str(rows[-1].details).lower()


@pytest.mark.each_database
async def test_a_case_has_the_whole_history_of_its_bike(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_OTHER_CASES", 1)
    token, case = await utrecht(furnished)
    row = await furnished.row(CaseRow, reference=case.reference)
    bike_id = (await furnished.row(RequestRow, reference=case.reference)).bike_id
    repairs = (await furnished.rows(CaseRow, kind=CaseKind.REPAIR))[:3]
    for days, each in enumerate(repairs, 1):
        theirs = {"customer_id": row.customer_id, "partner_id": row.partner_id}
        await furnished.change(CaseRow, {**theirs, "opened_at": row.opened_at - timedelta(days=days)}, id=each.id)
    for each in repairs[1:]:
        values = {"bike_id": bike_id, "status": WorkOrderStatus.DONE}
        await furnished.change(RequestRow, values, reference=each.reference)
    case = await furnished.ask(CasesApi).case(token, "service", case.reference)
    assert case.bike
    assert [link.reference for link in case.bike.history] == [each.reference for each in repairs[1:]]
    assert [link.reference for link in case.others] == [repairs[0].reference], "no more than the newest"


@pytest.mark.parametrize("planned", [False, True])
async def test_a_step_does_what_its_sentence_says(furnished: Furnished, planned: bool) -> None:
    token, case = await utrecht(furnished)
    step = case.steps[0]
    assert step.status == "accepted"
    day = local_day(case.now) + timedelta(days=3) if planned else None
    moved = await furnished.ask(CasesApi).move_case(
        token,
        "service",
        case.reference,
        CaseMove(status=step.status, note="Tot dan!", planned_date=day, seen=case.version),
    )
    assert (moved.status, moved.planned_date, moved.state) == ("accepted", day, CaseState.OPEN)
    assert moved.account.meaning == (step.with_day if planned else step.sentence)
    due = due_of(CaseKind.SERVICE, "accepted")
    assert due
    assert moved.promised_at == (end_of_day(day) if day else in_working_days(case.now, due.days))
    newest = moved.events[-1]
    assert (newest.who, newest.by_customer, newest.type) == ("Tom Verhoeven", False, CaseEventType.STATUS_CHANGED)
    assert newest.text.nl.startswith("Geaccepteerd")
    assert [event.message for event in moved.events if event.message] == [newest.message] == ["Tot dan!"]
    [mail] = await mails(furnished)
    assert mail.details["note"] == "Tot dan!"
    (audited,) = await furnished.rows(AuditRow, action="move_case")
    assert (audited.actor, audited.reference) == ("Tom Verhoeven", case.reference)


@pytest.mark.each_database
async def test_of_two_changes_at_once_one_is_made(furnished: Furnished) -> None:
    tom, case = await utrecht(furnished)
    femke = await staff_token(furnished, FEMKE)
    outcomes = await asyncio.gather(
        *(
            furnished.ask(CasesApi).move_case(
                token, "service", case.reference, CaseMove(status=status, seen=case.version)
            )
            for token, status in ((tom, "accepted"), (femke, "cancelled"))
        ),
        return_exceptions=True,
    )
    made = [each for each in outcomes if isinstance(each, CaseDetail)]
    refused = [each for each in outcomes if isinstance(each, Conflict)]
    assert (len(made), len(refused)) == (1, 1)
    assert refused[0].code is Code.STATUS_CHANGED


async def test_a_day_is_planned_and_a_day_that_is_over_is_not(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    day = local_day(case.now)
    with pytest.raises(InvalidInput) as refused:
        await furnished.ask(CasesApi).plan_case(
            token, "service", case.reference, PlannedDay(day=day - timedelta(days=1), seen=case.version)
        )
    assert refused.value.fields == {"day": Code.INVALID_CHOICE}
    planned = await furnished.ask(CasesApi).plan_case(
        token, "service", case.reference, PlannedDay(day=day, seen=case.version)
    )
    assert (planned.planned_date, planned.events[-1].type) == (day, CaseEventType.PLANNED)
    assert case.reference in {entry.reference for entry in await all_of(furnished, token, view=CaseView.TODAY)}


async def test_a_case_is_given_only_to_somebody_who_sees_it(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    people = {person.name: person.person_id for person in (await furnished.ask(CasesApi).case_choices(token)).people}
    mine = {entry.reference for entry in await all_of(furnished, token, view=CaseView.MINE)}
    assert case.reference not in mine
    given = await furnished.ask(CasesApi).assign_case(
        token, "service", case.reference, CaseAssignment(person=people["Tom Verhoeven"], seen=case.version)
    )
    assert given.person
    assert (given.person.name, given.state) == ("Tom Verhoeven", CaseState.OPEN)
    now_mine = {entry.reference for entry in await all_of(furnished, token, view=CaseView.MINE)}
    assert now_mine == {*mine, case.reference}
    strangers = [(await furnished.row(StaffRow, email=email)).public_id for email in (DAAN, NIENKE)]
    for person in (*strangers, "ABCDEFGH23"):
        with pytest.raises(InvalidInput) as refused:
            await furnished.ask(CasesApi).assign_case(
                token, "service", case.reference, CaseAssignment(person=person, seen=given.version)
            )
        assert refused.value.fields == {"person": Code.NOT_FOUND}


async def test_a_case_handed_over_is_new_in_the_other_store(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    amsterdam = await furnished.row(PartnerRow, name="Bovenbuis Amsterdam")
    entry = CaseHandOver(store=amsterdam.public_id, note="Jullie hebben het onderdeel.", seen=case.version)
    await furnished.ask(CasesApi).hand_over(token, "service", case.reference, entry)
    with pytest.raises(NotFound):
        await furnished.ask(CasesApi).case(token, "service", case.reference)
    there = await staff_token(furnished, DAAN)
    arrived = await furnished.ask(CasesApi).case(there, "service", case.reference)
    assert (arrived.state, arrived.person, arrived.notes[0].text) == (CaseState.NEW, None, entry.note)
    newest = arrived.events[-1]
    assert (newest.type, newest.text.nl) == (CaseEventType.MOVED_TO_STORE, amsterdam.name)


async def test_a_message_from_before_the_case_is_on_its_timeline(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    (row,) = await furnished.rows(RequestRow, reference=case.reference)
    written_at = case.events[0].happened_at - timedelta(hours=1)
    async with furnished.context.database.transaction() as session:
        session.add(
            WorkOrderEventRow(
                request_id=row.id, status=row.status, actor=Actor.BACK_OFFICE, note="Welkom!", happened_at=written_at
            )
        )
    first, *others = (await furnished.ask(CasesApi).case(token, "service", case.reference)).events
    assert (first.type, first.message, first.happened_at) == (CaseEventType.MESSAGE_FROM_STAFF, "Welkom!", written_at)
    assert others == case.events


async def test_a_note_stays_in_the_house_and_needs_words(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    noted = await furnished.ask(CasesApi).add_note(
        token, "service", case.reference, CaseNoteEntry(text=" Zelfde klacht\nin juni ")
    )
    assert [(note.who, note.text) for note in noted.notes] == [("Tom Verhoeven", "Zelfde klacht\nin juni")]
    assert noted.version == case.version, "a note refuses nobody"
    assert await mails(furnished) == []
    with pytest.raises(InvalidInput) as refused:
        await furnished.ask(CasesApi).add_note(token, "service", case.reference, CaseNoteEntry(text="  "))
    assert refused.value.fields == {"text": Code.REQUIRED}


async def test_two_people_in_a_case_see_each_other_until_one_leaves(living: Living) -> None:
    tom, case = await utrecht(living)
    femke = await staff_token(living, FEMKE)
    cases = living.ask(CasesApi)
    assert await cases.presence(tom, "service", case.reference, Presence()) == []
    [other] = await cases.presence(femke, "service", case.reference, Presence())
    assert other.name == "Tom Verhoeven"
    [other] = await cases.presence(tom, "service", case.reference, Presence())
    assert other.name == "Femke Dijkstra"
    await cases.presence(femke, "service", case.reference, Presence(here=False))
    assert (await cases.case(tom, "service", case.reference)).also_here == []
    await cases.presence(femke, "service", case.reference, Presence())
    living.clock.forward(seconds=61)
    assert (await cases.case(tom, "service", case.reference)).also_here == []


async def test_a_batch_changes_each_case_by_itself_and_names_what_was_refused(furnished: Furnished) -> None:
    token = await staff_token(furnished, CARLA)
    entries = [entry for entry in await all_of(furnished, token) if entry.kind in WORKSHOP][:3]
    names = [CaseName(kind=entry.kind, reference=entry.reference, seen=entry.version) for entry in entries]
    names[1] = names[1].model_copy(update={"seen": names[1].seen + 1})
    carla = await furnished.row(StaffRow, email=CARLA)
    results = await furnished.ask(CasesApi).change_cases(token, Batch(cases=names, person=carla.public_id))
    assert [result.code for result in results] == [None, Code.STATUS_CHANGED, None]
    mine = {entry.reference for entry in await all_of(furnished, token, view=CaseView.MINE)}
    assert mine == {entries[0].reference, entries[2].reference}
    again = names[0].model_copy(update={"seen": names[0].seen + 1})
    moved = await furnished.ask(CasesApi).change_cases(token, Batch(cases=[again], status="no-such-status"))
    assert moved[0].code is Code.INVALID_INPUT


async def test_cases_are_moved_together_by_the_steps_that_all_can_take(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    [other, *_] = [
        entry for entry in await all_of(furnished, token, kind=CaseKind.SERVICE) if entry.status == "accepted"
    ]
    cases = furnished.ask(CasesApi)

    async def common(*names: tuple[CaseKind, str], by: str = token) -> list[NextStep]:
        chosen = [CaseName(kind=kind, reference=reference, seen=1) for kind, reference in names]
        return (await cases.common_choices(by, ChosenCases(cases=chosen))).steps

    own, another = (case.kind, case.reference), (other.kind, other.reference)
    assert await common(own) == case.steps
    shared = {step.status for step in await common(own, another)}
    there = await cases.case(token, "service", other.reference)
    assert shared == {step.status for step in case.steps} & {step.status for step in there.steps}
    assert shared < {step.status for step in case.steps}
    [repair, *_] = await all_of(furnished, token, kind=CaseKind.REPAIR)
    assert await common(own, (CaseKind.REPAIR, repair.reference)) == []
    assert await outcome(common(own, by=await staff_token(furnished, DAAN))) == "not_found"


async def test_the_queue_narrows_to_a_shop_where_there_are_several(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await staff_token(furnished, CARLA)
    cases, settings = furnished.ask(CasesApi), furnished.context.settings
    assert (await cases.case_choices(token)).shops == []
    assert {entry.shop for entry in await all_of(furnished, token)} == {""}
    async with furnished.context.database.transaction() as session:
        case = (await session.exec(select(CaseRow).where(CaseRow.kind == CaseKind.REPAIR))).first()
        assert case
        await session.exec(update(CustomerRow).where(col(CustomerRow.id) == case.customer_id).values(source="other"))
        facts = CaseFacts(case.kind, case.reference, case.customer_id, case.status, partner_id=case.partner_id)
        await record(session, facts, CaseEventType.CORRECTED, furnished.context.clock())
    monkeypatch.setattr(settings, "shops", {"other": OTHER_SHOP})
    names = {choice.shop: choice.name for choice in (await cases.case_choices(token)).shops}
    assert names == {MAIN_SHOP: settings.brand.name, "other": OTHER_SHOP.brand.name}
    for shop, name in names.items():
        assert {entry.shop for entry in await all_of(furnished, token, shop=shop)} == {name}
    entry = SavedViewEntry(name="Other", filter=CaseFilter(shop="other", kind=case.kind))
    await cases.save_view(token, entry)
    [view] = (await cases.counts(token, CountsFilter())).saved
    assert view.count == len(await all_of(furnished, token, shop="other", kind=case.kind)) > 0


async def test_a_saved_view_is_counted_and_belongs_to_one_person(furnished: Furnished) -> None:
    token, other = await staff_token(furnished, CARLA), await staff_token(furnished, ESRA)
    entry = SavedViewEntry(name=" Repairs ", filter=CaseFilter(kind=CaseKind.REPAIR))
    saved = await furnished.ask(CasesApi).save_view(token, entry)
    again = await furnished.ask(CasesApi).save_view(token, entry)
    assert saved.view_id == again.view_id
    [view] = (await furnished.ask(CasesApi).counts(token, CountsFilter())).saved
    assert (view.name, view.count) == ("Repairs", len(await all_of(furnished, token, kind=CaseKind.REPAIR)))
    assert (await furnished.ask(CasesApi).counts(other, CountsFilter())).saved == []
    await furnished.ask(CasesApi).delete_view(other, view.view_id)
    assert (await furnished.ask(CasesApi).counts(token, CountsFilter())).saved
    await furnished.ask(CasesApi).delete_view(token, view.view_id)
    assert (await furnished.ask(CasesApi).counts(token, CountsFilter())).saved == []


async def test_a_change_wakes_those_who_see_the_case(furnished: Furnished) -> None:
    tom, case = await utrecht(furnished)
    femke, stranger = await staff_token(furnished, FEMKE), await staff_token(furnished, DAAN)
    cases = furnished.ask(CasesApi)
    mark = (await cases.case_changes(femke, CaseWatch())).mark
    waiting = asyncio.create_task(cases.case_changes(femke, CaseWatch(since=mark, wait_seconds=MAX_WAIT_SECONDS)))
    elsewhere = asyncio.create_task(cases.case_changes(stranger, CaseWatch(since=mark, wait_seconds=3)))
    await asyncio.sleep(0.2)
    await cases.add_note(tom, "service", case.reference, CaseNoteEntry(text="Gebeld"))
    assert (await waiting).mark > mark
    assert (await elsewhere).mark == mark


async def test_job_cards_have_a_page_and_a_code_a_case(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    name = f"service/{case.reference}"
    card = await furnished.ask(CasesApi).job_cards(token, JobCards(cases=f"{name},{name}", locale="nl"))
    pages = PdfReader(BytesIO(card.content)).pages
    assert len(pages) == 2
    assert case.customer
    assert codes_on(card.content) == [f"{furnished.context.settings.desk_address}/cases/{name}"]
    text = pages[0].extract_text()
    assert case.reference in text.replace(" ", "")
    assert case.customer.name in text
    for wrong in ("service", "service/ABCD2345", f"repair/{case.reference}", "x/y,z"):
        with pytest.raises(NotFound):
            await furnished.ask(CasesApi).job_cards(token, JobCards(cases=wrong))


async def test_a_case_offers_only_people_who_can_take_it_further(furnished: Furnished) -> None:
    _, case = await utrecht(furnished)
    names = {person.name for person in case.people}
    assert {"Femke Dijkstra", "Tom Verhoeven", "Esra Yilmaz"} <= names
    # Another store, and roles that see no services or cannot work on them.
    assert not names & {"Klaas Wiersma", "Nienke Postma", "Hans Mulder"}
    [elsewhere, *_] = [
        entry
        for entry in await all_of(furnished, await staff_token(furnished, CARLA), kind=CaseKind.SERVICE)
        if entry.store and entry.store.name == "Bovenbuis Groningen"
    ]
    chosen = [CaseName(kind=each.kind, reference=each.reference, seen=1) for each in (case, elsewhere)]
    both = await furnished.ask(CasesApi).common_choices(await staff_token(furnished, CARLA), ChosenCases(cases=chosen))
    assert "Esra Yilmaz" in {person.name for person in both.people}
    assert not {person.name for person in both.people} & {"Femke Dijkstra", "Klaas Wiersma"}


async def test_a_step_ends_an_open_question_for_the_customer_too(furnished: Furnished) -> None:
    token, case = await utrecht(furnished)
    staff = furnished.ask(StaffConversationsApi)
    entry = MessageEntry(text="Welke maat?", asks=Asks.ANSWER, key="question-of-a-step-22")
    await staff.send_message(token, "service", case.reference, entry)
    asked = await furnished.ask(CasesApi).case(token, "service", case.reference)
    assert asked.state is CaseState.WAITING
    name = CaseName(kind=CaseKind.SERVICE, reference=case.reference, seen=asked.version)
    assert (await furnished.ask(CasesApi).common_choices(token, ChosenCases(cases=[name]))).questions == 1
    moved = await furnished.ask(CasesApi).move_case(
        token, "service", case.reference, CaseMove(status=asked.steps[0].status, seen=asked.version)
    )
    assert moved.state is CaseState.OPEN
    talk = await staff.case_conversation(token, "service", case.reference)
    assert (talk.asks, talk.messages[-1].answered) == (Asks.NOTHING, True)
    assert (await furnished.ask(CasesApi).common_choices(token, ChosenCases(cases=[name]))).questions == 0


@pytest.mark.parametrize("sort", CaseSort)
async def test_the_queue_is_sorted_as_asked_and_urgent_cases_stay_on_top(furnished: Furnished, sort: CaseSort) -> None:
    rows = await all_of(furnished, await staff_token(furnished, CARLA), sort=sort)
    urgent = [row.urgent for row in rows]
    assert urgent == sorted(urgent, reverse=True)
    usual = [row for row in rows if not row.urgent]
    kinds = list(CaseKind)
    keys: dict[CaseSort, list[Any]] = {
        CaseSort.AGE: [row.opened_at for row in usual],
        CaseSort.NEWEST: [-row.opened_at.timestamp() for row in usual],
        CaseSort.STATUS: [kinds.index(row.kind) for row in usual],
        CaseSort.PROMISE: [row.state is CaseState.WAITING for row in usual],
    }
    assert keys[sort] == sorted(keys[sort])
    assert len({str(key) for key in keys[sort]}) > 1


def step(status: str, sentence: str = "We begin.", **asks: bool) -> NextStep:
    label, text = LocalizedText.same(status), LocalizedText.same(sentence)
    return NextStep.model_validate({"status": status, "label": label, "sentence": text, **asks})


def test_a_step_that_asks_something_about_one_case_is_none_of_many() -> None:
    plain, policy = [step("finished")], [step("finished", asks_policy=True)]
    battery = [step("finished", asks_battery=True)]
    for each in ([policy], [plain, policy], [policy, plain], [battery, plain]):
        assert common_steps(each) == []


def test_what_customers_read_is_shown_where_they_read_the_same() -> None:
    here, there = [step("ready", "Collect it in Utrecht.")], [step("ready", "Collect it in Gent.")]
    assert common_steps([here, here])[0].sentence == here[0].sentence
    assert common_steps([here, there])[0].sentence == LocalizedText()
