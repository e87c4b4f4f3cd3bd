"""The queue and the page of a case, run through Reflex: filters, choosing, moving, and two people in one case."""

from dataclasses import replace

import pytest

import portal.cases.desk.case
import portal.cases.desk.queue
from portal.cases.desk.case_state import CasePage
from portal.cases.desk.queue_state import CaseQueue, FoundCases, LastList, case_counts
from portal.desk import session
from portal.desk.shell import DeskSearch
from portal.desk.state import DeskCounts
from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.tables.cases import CaseRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.conversing import CaseName, case_of_repair, staff_token
from tests.support.furnished import Furnished
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, on_duty

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.cases.desk.case
assert portal.cases.desk.queue


async def queue(tabs: Pipeline, office: Application, name: str, query: str = "") -> Tab:
    """A tab of an administrator with the queue."""
    tab = on_duty(tabs.tab(name), await staff_token(office.context, Role.ADMINISTRATOR))
    return await tab.send(CaseQueue.load, path=f"/cases{query}")


async def accepted(office: Application) -> CaseName:
    """The repair of Sanne, reported and accepted again, so that it can be moved."""
    case = await case_of_repair(office.context, SANNE[1])
    for table in (RequestRow, CaseRow):
        await Furnished(office).change(table, {"status": WorkOrderStatus.NEW.value}, reference=case.reference)
    return case


async def opened(tabs: Pipeline, office: Application, case: CaseName, name: str) -> tuple[Tab, str]:
    """A tab of a mechanic with a case, and the path of its page."""
    tab = on_duty(tabs.tab(name), await staff_token(office.context, Role.MECHANIC, case.partner_id))
    path = f"/cases/{case.kind}/{case.reference}"
    await tab.send(CasePage.load, path=path)
    assert tab.stored(CasePage).view_state == READY
    return tab, path


async def test_the_address_filters_the_queue_and_nonsense_in_it_filters_nothing(
    desk_tabs: Pipeline, office: Application
) -> None:
    tab = await queue(desk_tabs, office, "all", "?view=nothing&kind=horse&days=x&page=-1")
    every = tab.stored(CaseQueue)
    assert (every.view_state, every.page) == (READY, 1)
    assert every.total >= 2
    tab = await queue(desk_tabs, office, "repairs", "?kind=repair&person=nobody")
    repairs = tab.stored(CaseQueue)
    assert {row.kind for row in repairs.rows} == {"repair"}
    assert {row.person for row in repairs.rows} == {None}
    assert repairs.query == "kind=repair&person=nobody"
    tab = await queue(desk_tabs, office, "nowhere", "?store=ABCDEFGH23")
    assert tab.stored(CaseQueue).rows == []


async def test_another_filter_keeps_the_others_but_a_kind_no_foreign_status(
    desk_tabs: Pipeline, office: Application
) -> None:
    tab = await queue(desk_tabs, office, "narrowed", "?kind=repair")
    await tab.send(CaseQueue.narrow, path="/cases?kind=repair", name="days", value="2")
    assert "/cases?kind=repair&days=2" in repr(tab.events)
    before = len(tab.events)
    await tab.send(CaseQueue.narrow, path="/cases?kind=repair", name="admin", value="1")
    assert "admin" not in repr(tab.events[before:])
    query = "?kind=repair&status=accepted"
    tab = await queue(desk_tabs, office, "kinds", query)
    for kind, kept in (("claim", True), ("return", False), ("", False)):
        before = len(tab.events)
        await tab.send(CaseQueue.narrow, path=f"/cases{query}", name="kind", value=kind)
        assert ("status=accepted" in repr(tab.events[before:])) is kept, kind


async def test_chosen_cases_are_given_away_together(desk_tabs: Pipeline, office: Application) -> None:
    tab = await queue(desk_tabs, office, "batch", "?kind=repair")
    rows = tab.stored(CaseQueue).rows
    path = "/cases?kind=repair"
    for key in (rows[0].key, "repair/UNKNOWN1"):
        await tab.send(CaseQueue.choose, path=path, key=key, chosen=True)
    page = tab.stored(CaseQueue)
    assert page.chosen == [rows[0].key]
    people = {person.name: person.person_id for person in page.people}
    await tab.send(CaseQueue.give, path=path, form={"person": people["Hans Mulder"]})
    page = tab.stored(CaseQueue)
    assert [refused.code for refused in page.unchanged] == ["invalid_input"], "finance sees no repairs"
    assert page.chosen == [rows[0].key]
    await tab.send(CaseQueue.give, path=path, form={"person": people["Esra Yilmaz"]})
    page = tab.stored(CaseQueue)
    assert next(row.person.name for row in page.rows if row.person and row.key == rows[0].key) == "Esra Yilmaz"
    assert (page.chosen, page.unchanged) == ([], [])
    await tab.send(CaseQueue.choose, path=path, key=rows[0].key, chosen=True)
    await tab.send(CaseQueue.release, path=path)
    assert tab.stored(CaseQueue).chosen == []


async def found(tabs: Pipeline, office: Application, case: CaseName, name: str) -> tuple[Tab, str]:
    """A tab of the service desk in which a case was found and chosen, with its steps; and its key."""
    key = f"{case.kind}/{case.reference}"
    tab = on_duty(tabs.tab(name), await staff_token(office.context, Role.SERVICE_DESK))
    await tab.send(DeskSearch.find, path="/cases", form={"text": case.reference})
    await tab.send(FoundCases.load, path="/search")
    await tab.send(FoundCases.choose, path="/search", key=key, chosen=True)
    await tab.send(FoundCases.find_targets, path="/search")
    return tab, key


async def test_chosen_cases_take_the_step_that_was_picked(desk_tabs: Pipeline, office: Application) -> None:
    case = await accepted(office)
    tab, key = await found(desk_tabs, office, case, "batch move")
    targets = tab.stored(FoundCases).common.steps
    assert [step.status for step in targets] == ["accepted", "cancelled"]
    assert all(step.sentence.nl for step in targets)
    for status, picked in (("done", None), ("accepted", targets[0])):
        await tab.send(FoundCases.pick, path="/search", status=status)
        assert tab.stored(FoundCases).target == picked
    await tab.send(FoundCases.move, path="/search", form={"status": "accepted"})
    page = tab.stored(FoundCases)
    assert next(row.status_label.nl for row in page.rows if row.key == key) == "Geaccepteerd"
    assert (page.chosen, page.common.steps, page.unchanged) == ([], [], [])


async def test_a_case_that_somebody_else_changed_stays_chosen_and_is_named(
    desk_tabs: Pipeline, office: Application
) -> None:
    case = await accepted(office)
    tab, key = await found(desk_tabs, office, case, "batch late")
    await tab.send(FoundCases.pick, path="/search", status="cancelled")
    first, path = await opened(desk_tabs, office, case, "meanwhile")
    await first.send(CasePage.move, path=path, form={})
    await tab.send(FoundCases.move, path="/search", form={"status": "cancelled"})
    page = tab.stored(FoundCases)
    [refused] = page.unchanged
    assert (refused.kind, refused.code) == ("repair", Code.STATUS_CHANGED)
    assert refused.reference == case.reference
    assert page.chosen == [key]
    assert "accepted" not in {step.status for step in page.common.steps}, "they are those of the case as it is now"
    assert page.target is None


async def test_a_view_is_saved_under_a_name_and_removed(
    desk_tabs: Pipeline, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = replace(session.sources(), counts=case_counts)
    monkeypatch.setattr(session, "_connected", [connected])
    path = "/cases?view=open&status=new&kind=repair"
    tab = await queue(desk_tabs, office, "views", path.removeprefix("/cases"))
    for name, code in ((" ", Code.REQUIRED), ("x" * 61, Code.TOO_LONG)):
        await tab.send(CaseQueue.keep, path=path, form={"view-name": name})
        assert tab.stored(CaseQueue).errors == {"view-name": code}
    await tab.send(CaseQueue.keep, path=path, form={"view-name": "Nieuwe reparaties"})
    await tab.send(DeskCounts.count, path=path)
    (saved,) = tab.stored(DeskCounts).saved
    assert (saved.name, saved.path) == ("Nieuwe reparaties", f"/cases?{tab.stored(CaseQueue).query}")
    await tab.send(CaseQueue.forget, path=path)
    await tab.send(DeskCounts.count, path=path)
    assert tab.stored(DeskCounts).saved == []


async def test_a_search_is_kept_out_of_the_address_and_shows_its_results(
    desk_tabs: Pipeline, office: Application
) -> None:
    case = await case_of_repair(office.context, SANNE[1])
    tab = on_duty(desk_tabs.tab("search"), await staff_token(office.context, Role.SERVICE_DESK))
    await tab.send(DeskSearch.find, path="/cases", form={"text": SANNE[1]})
    await tab.send(FoundCases.load, path="/search")
    found = tab.stored(FoundCases)
    assert f"{case.kind}/{case.reference}" in {row.key for row in found.rows}
    assert SANNE[1] not in repr(tab.events)
    await tab.send(DeskSearch.find, path="/search", form={"text": "nobody@example.org"})
    await tab.send(FoundCases.load, path="/search")
    assert tab.stored(FoundCases).rows == []


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/cases?view=new&kind=repair&page=2", "/cases?kind=repair&page=2&view=new"),
        ("/cases?page=1", "/cases"),
        ("/cases?next=//elsewhere.example", "/cases"),
        ("/search?page=2", "/search?page=2"),
        ("//elsewhere.example", "/cases"),
    ],
)
async def test_a_case_leads_back_to_the_list_that_was_open_last(
    desk_tabs: Pipeline, office: Application, path: str, address: str
) -> None:
    tab = on_duty(desk_tabs.tab(f"last {path}"), await staff_token(office.context, Role.MECHANIC))
    last = (await tab.send(LastList.remember, path=path)).stored(LastList)
    assert (last.address, last.searched) == (address, address.startswith("/search"))


async def test_the_next_step_is_chosen_and_sent(desk_tabs: Pipeline, office: Application) -> None:
    case = await accepted(office)
    tab, path = await opened(desk_tabs, office, case, "moves")
    step = tab.held(CasePage, "step")
    assert step.status == "accepted"
    assert step.sentence.nl.endswith("De monteur neemt contact met je op om een dag af te spreken.")
    assert step.with_day.nl == "Je aanvraag is geaccepteerd en ingepland."
    await tab.send(CasePage.choose, path=path, status="cancelled")
    assert tab.held(CasePage, "step").status == "cancelled"
    await tab.send(CasePage.choose, path=path, status="no-such-status")
    assert tab.held(CasePage, "step").status == "cancelled"
    await tab.send(CasePage.choose, path=path, status="accepted")
    await tab.send(CasePage.move, path=path, form={"move-note": "Tot dan", "move-day": "not a day"})
    page = tab.stored(CasePage)
    assert (page.errors, page.attempt, page.sent) == ({"move-day": "invalid_choice"}, 1, 0)
    await tab.send(CasePage.move, path=path, form={"move-note": "Tot dan", "move-day": ""})
    page = tab.stored(CasePage)
    assert (page.sent, page.errors, tab.held(CasePage, "case").account.status.nl) == (1, {}, "Geaccepteerd")
    assert tab.held(CasePage, "case").events[-1].who


async def test_who_acts_on_an_old_state_is_told_who_changed_what(desk_tabs: Pipeline, office: Application) -> None:
    case = await accepted(office)
    first, path = await opened(desk_tabs, office, case, "first")
    second, _ = await opened(desk_tabs, office, case, "second")
    await first.send(CasePage.move, path=path, form={})
    await second.send(CasePage.move, path=path, form={"move-note": "Ook"})
    page = second.stored(CasePage)
    assert (page.refusal, page.refused, page.sent) == ("status_changed", "move", 0)
    assert [event.label.nl for event in page.changed] == ["Status gewijzigd"]
    assert page.changed[0].who
    assert second.held(CasePage, "case").account.status.nl == "Geaccepteerd"
    await second.send(CasePage.give, path=path, form={"give-person": ""})
    assert (second.stored(CasePage).refusal, second.stored(CasePage).changed) == ("", [])


async def test_a_case_that_the_person_may_not_see_is_not_found(desk_tabs: Pipeline, office: Application) -> None:
    case = await accepted(office)
    tab = on_duty(desk_tabs.tab("stranger"), await staff_token(office.context, Role.MECHANIC))
    for path in (f"/cases/{case.kind}/{case.reference}", "/cases/repair/ABCD2345", "/cases/horse/ABCD2345"):
        await tab.send(CasePage.load, path=path)
        assert tab.stored(CasePage).view_state == MISSING


async def test_a_list_that_is_opened_again_has_its_choice_and_a_case_leads_to_its_neighbours(
    desk_tabs: Pipeline, office: Application
) -> None:
    tab = await queue(desk_tabs, office, "place", "?sort=age")
    path = "/cases?sort=age"
    await tab.send(LastList.remember, path=path)
    await tab.send(CaseQueue.load, path=path)
    keys, total = [row.key for row in tab.stored(CaseQueue).rows], tab.stored(CaseQueue).total
    assert len(keys) > 2
    await tab.send(CaseQueue.choose_all, path=path, chosen=True)
    assert tab.stored(CaseQueue).chosen == keys
    await tab.send(CaseQueue.choose, path=path, key=keys[1], chosen=False)
    await tab.send(CasePage.load, path=f"/cases/{keys[1]}")
    around = tab.stored(CasePage).around
    assert (around.previous, around.place, around.total) == (f"/cases/{keys[0]}", 2, total)
    assert around.following == f"/cases/{keys[2]}"
    await tab.send(LastList.remember, path=path)
    await tab.send(CaseQueue.load, path=path)
    assert tab.stored(CaseQueue).chosen == [key for key in keys if key != keys[1]]
    await tab.send(LastList.remember, path="/cases")
    await tab.send(CaseQueue.load, path="/cases")
    assert tab.stored(CaseQueue).chosen == []
