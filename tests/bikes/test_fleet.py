"""A customer with many bikes: pages, search, and what the database decides instead of a loop over all bikes."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from portal.backend.shops import TermBook
from portal.bikes.api import BikesApi, BikeSelection, BikeSummary
from portal.bikes.flow import PAGE_OF_BIKES
from portal.bikes.provider.queries import BikeQueries, OwnedBike
from portal.bikes.provider.service import gets_work_order, work_order_refusal
from portal.contract.errors import InvalidInput, NotFound
from portal.flow.api import DraftStart, FlowApi, StepEntry, SubjectSearch
from portal.flow.journey import FLOWS
from portal.insurance.api import InsuranceApi
from portal.insurance.provider.queries import InsuranceQueries, can_be_insured, insurance_refusal
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.overview.api import OverviewApi
from portal.overview.provider.bike import bike_facts
from portal.overview.rules import decide
from portal.service_packages.provider import gets_package, package_refusal
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature
from portal.vocabulary.departures import Dependent, ends
from tests.support.fleets import Fleet, Likely, add_fleet
from tests.support.furnished import Furnished

MIXED = Likely(
    cancelled=0.2, returned=0.2, insured=0.4, asked=0.4, packaged=0.4, busy=0.4, unknown_frame=0.2, old=0.4
)  # fmt: skip
NEARLY_NOTHING_LEFT = Likely(
    cancelled=0.5, returned=0.5, insured=0.9, asked=0.6, packaged=0.9, busy=0.9, unknown_frame=0.5, old=0.8
)  # fmt: skip
BUSY = Likely(busy=0.9, asked=0.5)
ABOUT_A_BIKE = ("repair-request", "service-request", "claim-request", "insurance-request", "service-package")


async def _pages(ask: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """The entries of all pages; every page but the last is full."""
    first = await ask(1)
    pages = [first, *[await ask(number) for number in range(2, first.pages + 1)]]
    assert [page.page for page in pages] == list(range(1, first.pages + 1))
    assert all(len(page.items) == PAGE_OF_BIKES for page in pages[:-1])
    entries = [entry for page in pages for entry in page.items]
    assert len(entries) == first.total
    return entries


async def _all(shop: Furnished, fleet: Fleet) -> list[OwnedBike]:
    async with shop.context.database.session() as session:
        return await BikeQueries(session, fleet.customer_id).named(fleet.bikes)


@pytest.mark.parametrize("count", [1, 9, 10, 11, 37])
async def test_pages_together_hold_each_bike_once(furnished: Furnished, count: int) -> None:
    fleet = await add_fleet(furnished, count, MIXED)
    ask = furnished.ask(BikesApi).bikes
    kept = [
        owned.bike.public_id for owned in await _all(furnished, fleet) if not ends(owned.departure, Dependent.BIKE_LIST)
    ]
    assert [bike.bike_id for bike in await _pages(lambda page: ask(fleet.token, page))] == kept
    parts: dict[BikeSelection, list[BikeSummary]] = {}
    for selection in (BikeSelection.IN_PROGRESS, BikeSelection.OTHERS):
        parts[selection] = await _pages(lambda page, of=selection: ask(fleet.token, page, of))
    assert all(bike.open_request for bike in parts[BikeSelection.IN_PROGRESS])
    assert not any(bike.open_request for bike in parts[BikeSelection.OTHERS])
    assert sorted(bike.bike_id for part in parts.values() for bike in part) == sorted(kept)
    insured = await _pages(lambda page: furnished.ask(InsuranceApi).insurance_bikes(fleet.token, page))
    assert [bike.bike_id for bike in insured] == kept
    find = furnished.ask(FlowApi).find_subjects
    for flow in ABOUT_A_BIKE:
        found = await _pages(lambda page, name=flow: find(fleet.token, name, SubjectSearch(page=page)))
        assert [entry["id"] for entry in found] == fleet.bikes


@pytest.mark.each_database
async def test_the_database_decides_as_the_rules_do(furnished: Furnished) -> None:
    now, book = furnished.context.clock(), TermBook()
    conditions: dict[str, tuple[Any, Callable[[OwnedBike, Any], Code | None]]] = {
        "work order": (gets_work_order(), lambda owned, _: work_order_refusal(owned)),
        "package": (gets_package(), lambda owned, _: package_refusal(owned)),
        "insurance": (can_be_insured(now, book), lambda owned, last: insurance_refusal(owned, last, now)),
    }
    found: dict[str, set[bool]] = {name: set() for name in conditions}
    for seed in range(6):
        likely = NEARLY_NOTHING_LEFT if seed % 2 else MIXED
        fleet = await add_fleet(furnished, 12, likely, seed)
        bikes = await _all(furnished, fleet)
        async with furnished.context.database.session() as session:
            latest = await InsuranceQueries(session, fleet.customer_id).latest(bikes)
            for name, (choosable, refusal) in conditions.items():
                first = next((one for one in bikes if not refusal(one, latest.get(one.bike.id))), None)
                newest = await BikeQueries(session, fleet.customer_id).newest(*choosable)
                assert (newest and newest.bike.public_id) == (first and first.bike.public_id), (seed, name)
                found[name].add(first is not None)
    assert found == {name: {True, False} for name in conditions}, "one of the fleets has none that can be chosen"


@pytest.mark.each_database
async def test_the_bikes_that_decide_stand_for_all_bikes(furnished: Furnished) -> None:
    features, seen = frozenset(Feature), set()
    for seed in range(10):
        likely = NEARLY_NOTHING_LEFT if seed % 2 else MIXED
        fleet = await add_fleet(furnished, seed + 1, likely, seed)
        async with furnished.context.database.session() as session:
            deciding = await BikeQueries(session, fleet.customer_id).deciding()
        by_all, by_some = (
            decide(features, [bike_facts(owned) for owned in bikes], [], any_request=True, day=today())
            for bikes in (await _all(furnished, fleet), deciding)
        )
        assert by_some == by_all, seed
        seen |= {decision.reason for decision in by_all.values()}
    assert len(seen) > 5, "the fleets differ"


async def test_a_search_finds_by_name_frame_and_order_whatever_the_case(furnished: Furnished) -> None:
    fleet, other = await add_fleet(furnished, 23), await add_fleet(furnished, 12)
    wanted = (await _all(furnished, fleet))[17]
    frame, number = wanted.bike.frame_number or "", wanted.order.order_number

    async def found(text: str) -> list[str]:
        ask, flow = furnished.ask(FlowApi).find_subjects, ABOUT_A_BIKE[0]
        entries = await _pages(lambda page: ask(fleet.token, flow, SubjectSearch(text=text, page=page)))
        return [entry["id"] for entry in entries]

    assert await found(frame) == await found(f" {frame[:3].lower()} {frame[3:]} ") == [wanted.bike.public_id]
    assert wanted.bike.public_id in await found(number[2:])
    assert await found("hORIz") == await found("noordveld") == await found(" ") == fleet.bikes
    assert await found("%") == await found("_") == await found("\\") == await found("nothing like it") == []
    theirs = (await _all(furnished, other))[0]
    assert await found(theirs.bike.frame_number or "") == []


async def test_a_bike_of_another_page_can_be_chosen_and_that_of_another_customer_cannot(furnished: Furnished) -> None:
    fleet, other = await add_fleet(furnished, 31), await add_fleet(furnished, 31, seed=1)
    flows, last = furnished.ask(FlowApi), fleet.bikes[-1]
    for name in ABOUT_A_BIKE:
        draft = await flows.open_draft(fleet.token, DraftStart(flow=name))
        assert [entry["id"] for entry in draft.facts["bikes"]] == fleet.bikes[:PAGE_OF_BIKES]
        assert draft.facts["more_bikes"] == {"total": 31, "left": True}
        step = FLOWS[name].address("bike")
        stranger = StepEntry(step=step, answers={"bike": other.bikes[0]}, version=draft.version)
        with pytest.raises(InvalidInput):
            await flows.save_step(fleet.token, draft.draft_id, stranger)
        entry = StepEntry(step=step, answers={"bike": last}, version=draft.version)
        saved = await flows.save_step(fleet.token, draft.draft_id, entry)
        assert (saved.subject, saved.completed[-1]) == (last, step)
        read = await flows.draft(fleet.token, saved.draft_id)
        assert [entry["id"] for entry in read.facts["bikes"]] == [*fleet.bikes[:PAGE_OF_BIKES], last]
        assert read.completed == saved.completed
        begun = await flows.open_draft(fleet.token, DraftStart(flow=name, subject=last))
        assert begun.draft_id == saved.draft_id, "a link with the bike opens the draft of the bike"
        theirs = await flows.open_draft(fleet.token, DraftStart(flow=name, subject=other.bikes[-1]))
        assert theirs.subject == ""
    with pytest.raises(NotFound):
        await flows.find_subjects(fleet.token, "return-request", SubjectSearch())


async def test_a_flow_is_open_while_any_bike_can_be_chosen_on_whatever_page(furnished: Furnished) -> None:
    fleet = await add_fleet(furnished, 25, Likely(unknown_frame=1.0))
    start = furnished.ask(FlowApi).flow_start
    for name in ABOUT_A_BIKE:
        facts = (await start(fleet.token, name)).facts
        assert (facts["more_bikes"]["left"], FLOWS[name].closed(facts)) == (False, Code.FRAME_NUMBER_UNKNOWN)
    await furnished.change(BikeRow, {"frame_number": "NVH1"}, public_id=fleet.bikes[-1])
    for name in ABOUT_A_BIKE:
        assert FLOWS[name].closed((await start(fleet.token, name)).facts) is None


async def test_no_operation_asks_or_reads_more_for_more_bikes(furnished: Furnished) -> None:
    few, many = await add_fleet(furnished, 60, BUSY), await add_fleet(furnished, 110, BUSY)
    calls: dict[str, Callable[[Fleet], Awaitable[Any]]] = {
        "dashboard": lambda fleet: furnished.ask(OverviewApi).dashboard(fleet.token),
        "bikes": lambda fleet: furnished.ask(BikesApi).bikes(fleet.token),
        "insurance": lambda fleet: furnished.ask(InsuranceApi).insurance_bikes(fleet.token),
        "requests for insurance": lambda fleet: furnished.ask(InsuranceApi).insurance_requests(fleet.token),
        "premiums": lambda fleet: furnished.ask(InsuranceApi).insurance_options(fleet.token, fleet.bikes[0]),
        **{name: lambda fleet, name=name: _begun(furnished, fleet, name) for name in ABOUT_A_BIKE},
    }
    for name, call in calls.items():
        cost = [await _cost(furnished, call, fleet) for fleet in (few, many)]
        # The bike that is asked about may have a request of its own, with the link that it waits for.
        assert cost[1][0] <= cost[0][0] + 2, f"{name}: statements"
        assert cost[1][1] <= cost[0][1] + PAGE_OF_BIKES, f"{name}: rows"
        assert cost[1][2] <= cost[0][2] * 1.5 + 2000, f"{name}: characters of the answer"


async def _begun(shop: Furnished, fleet: Fleet, name: str) -> Any:
    draft = await shop.ask(FlowApi).open_draft(fleet.token, DraftStart(flow=name, anew=True))
    entry = StepEntry(step=FLOWS[name].address("bike"), answers={"bike": fleet.bikes[0]}, version=draft.version)
    try:
        return await shop.ask(FlowApi).save_step(fleet.token, draft.draft_id, entry)
    except InvalidInput:
        return draft  # its insurance has been asked for


async def _cost(shop: Furnished, call: Callable[[Fleet], Awaitable[Any]], fleet: Fleet) -> tuple[int, int, int]:
    """Statements, rows that the database returned, and characters of the answer."""
    rows = 0

    def count(_loaded: Any, _context: Any) -> None:
        nonlocal rows
        rows += 1

    tables = (BikeRow, OrderRow, RequestRow, InsuranceRequestRow)
    for table in tables:
        event.listen(table, "load", count)
    try:
        with shop.statements() as sent:
            answer = await call(fleet)
    finally:
        for table in tables:
            event.remove(table, "load", count)
    return len(sent), rows, len(json.dumps(answer.model_dump(mode="json")))
