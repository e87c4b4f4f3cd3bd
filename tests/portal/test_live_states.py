"""Pages that change by themselves, through the framework's own pipeline: watched, left, and never anybody else's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from reflex_base.event import Event
from reflex_base.event.processor.future import EventFuture
from reflex_base.utils.format import format_event_handler

from portal.contract.errors import Unavailable
from portal.contract.street import provider
from portal.domain.statuses import WorkOrderStatus
from portal.provider.backoffice.moves import Wish
from portal.provider.house import House
from portal.settings import Settings
from portal.states import live
from portal.states.dashboard import Dashboard
from portal.states.maintenance import Maintenance
from portal.states.page import MISSING, READY
from portal.states.request import RequestPage
from portal.states.session import Session
from portal.states.status import StatusBikes, StatusOfBike
from portal.states.views.requests import RequestView
from tests.contract.people import EVA, JORIS, MAX, SANNE
from tests.portal.conftest import signed_in
from tests.support.pipeline import Pipeline, Tab
from tests.support.ways import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")
LEFT = "reflex___state____state.reflex___state____on_load_internal_state.on_load_internal"


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop: Shop) -> AsyncIterator[House]:
    """The back office, as a process of its own would be."""
    house = House(Settings.model_validate({"data_dir": shop.data_dir}))
    yield house
    await house.context.database.close()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SETTLED_SECONDS", 0.05)


async def until(shown: Callable[[], bool], seconds: float = 5) -> None:
    """Wait for what should come by itself."""
    async with asyncio.timeout(seconds):
        while not shown():
            await asyncio.sleep(0.05)


async def begin(tab: Tab, handler: Any, path: str) -> EventFuture:
    """Let a page watch, as long as it is open."""
    name = format_event_handler(handler)
    router = {
        "pathname": path.partition("?")[0],
        "asPath": path,
        "query": {},
        "token": tab.token,
        "sid": f"socket-of-{tab.token}",
        "headers": {"cookie": tab.cookie, "host": "localhost:8000", "origin": "http://localhost:8000"},
    }
    future = await tab._processor.enqueue(tab.token, Event(name=name, payload={}, router_data=router))
    tab.deltas.clear()
    return future


async def requests_of(shop: Shop, customer: tuple[str, str]) -> list[Any]:
    return (await shop.provider.service_requests(await shop.token(*customer))).items


async def next_move(office: House, reference: str, **wish: Any) -> str:
    """Move a work order to where it may go, never to its end."""
    standing = await office.back_office.stand("work-order", reference)
    target = next(status for status in standing.possible if status != "cancelled")
    await office.back_office.move("work-order", reference, Wish(status=target, **wish))
    return target


async def test_a_request_is_shown_whole(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("whole"), await shop.token(*MAX))
    for entry in await requests_of(shop, MAX):
        await tab.send(RequestPage.load, path=f"/maintenance/{entry.reference}")
        assert tab.shown(RequestPage, "face") == READY
        view = tab.shown(RequestPage, "request")
        assert (view.reference, view.status, view.bike_name) == (entry.reference, entry.status, entry.bike_name)
        assert view.events[0].status == entry.status
        assert view.events[-1].by_customer
        assert bool(view.partner.route) == bool(entry.partner_name)


@pytest.mark.parametrize("reference", ["S00000000", "x", "..%2f..", "1' OR '1'='1"])
async def test_what_is_not_there_is_not_found(tabs: Pipeline, shop: Shop, reference: str) -> None:
    tab = signed_in(tabs.tab(f"missing-{reference}"), await shop.token(*SANNE))
    await tab.send(RequestPage.load, path=f"/maintenance/{reference}")
    assert tab.shown(RequestPage, "face") == MISSING


async def test_a_request_of_somebody_else_is_not_found(tabs: Pipeline, shop: Shop) -> None:
    foreign = (await requests_of(shop, JORIS))[0]
    tab = signed_in(tabs.tab("foreign-request"), await shop.token(*SANNE))
    await tab.send(RequestPage.load, path=f"/maintenance/{foreign.reference}")
    assert tab.shown(RequestPage, "face") == MISSING
    assert foreign.bike_name not in repr(tab.deltas)


@pytest.mark.parametrize(
    ("page", "path_of"),
    [
        (RequestPage, lambda entry: f"/maintenance/{entry.reference}"),
        (Maintenance, lambda _entry: "/maintenance"),
        (Dashboard, lambda _entry: "/dashboard"),
        (StatusOfBike, lambda entry: f"/status/step-1?bike={entry.bike_id}"),
    ],
)
async def test_a_page_shows_by_itself_what_the_shop_changes(
    tabs: Pipeline, shop: Shop, office: House, page: Any, path_of: Callable[[Any], str]
) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    path = path_of(entry)
    tab = signed_in(tabs.tab(f"live-{page.__name__}"), await shop.token(*MAX))
    await tab.send(page.load, path=path)
    watching = await begin(tab, page.watch, path)
    await asyncio.sleep(0.5)
    status = await next_move(office, entry.reference)
    await until(lambda: tab.shown(page, "news") == 1, 2.5)
    assert status in repr(tab.deltas)
    assert tab.shown(page, "news_at")
    assert tab.shown(page, "face") in (None, READY)
    tab.deltas.clear()
    await office.back_office.move("work-order", entry.reference, Wish(status=status, note=f"Note for {page.__name__}."))
    if page is RequestPage:
        await until(lambda: tab.shown(page, "news") == 2, 2.5)
        assert "Note for RequestPage." in repr(tab.deltas)
    else:
        await asyncio.sleep(1.5)
        assert tab.shown(page, "news") in (None, 2), "what the page does not show is no news"
    watching.cancel()


async def test_nobody_sees_what_happens_to_others(tabs: Pipeline, shop: Shop, office: House) -> None:
    tab = signed_in(tabs.tab("stranger"), await shop.token(*SANNE))
    await tab.send(Maintenance.load, path="/maintenance")
    watching = await begin(tab, Maintenance.watch, "/maintenance")
    await asyncio.sleep(0.3)
    foreign = (await requests_of(shop, JORIS))[0]
    await next_move(office, foreign.reference)
    await asyncio.sleep(2)
    assert tab.deltas == []
    watching.cancel()


async def test_a_page_that_was_left_is_watched_no_longer(tabs: Pipeline, shop: Shop, office: House) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    tab = signed_in(tabs.tab("leaving"), await shop.token(*MAX))
    await tab.send(Maintenance.load, path="/maintenance")
    watching = await begin(tab, Maintenance.watch, "/maintenance")
    await tab.send(RequestPage.load, path=f"/maintenance/{entry.reference}")
    await office.back_office.move("work-order", entry.reference, Wish(status=entry.status.value, note="Gemist?"))
    tab.deltas.clear()
    await asyncio.sleep(2)
    assert tab.shown(Maintenance, "going_on") is None, "it puts nothing into a page that is not open"
    assert tab.shown(RequestPage, "face") is None, "nor does it empty the one that is"
    watching.cancel()


async def test_the_framework_ends_the_watch_when_the_tab_goes_on_or_disconnects(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("ends"), await shop.token(*MAX))
    await tab.send(Session.load, path="/contact")
    for leave in (lambda: tab.send(LEFT, path="/contact"), lambda: _disconnected(tab)):
        opening = asyncio.create_task(tab.send(LEFT, path="/maintenance"))
        await until(lambda: _watching(tab) == 1)
        await leave()
        await until(lambda: _watching(tab) == 0)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)


async def _disconnected(tab: Tab) -> None:
    tab._processor._on_disconnect(tab.token)


def _watching(tab: Tab) -> int:
    """How many pages of this tab are watched."""
    futures = tab._processor._futures.values()
    return sum(tab._processor.watches(future) and not future.done() for future in futures)


async def test_the_end_of_the_session_ends_the_watch(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*JORIS)
    tab = signed_in(tabs.tab("session-end"), token)
    await tab.send(Maintenance.load, path="/maintenance")
    await begin(tab, Maintenance.watch, "/maintenance")
    await shop.provider.logout(token)
    await until(lambda: bool(tab.shown(Session, "signed_out")))
    await until(lambda: _watching(tab) == 0)


async def test_a_provider_that_is_away_for_a_while_is_asked_again(
    tabs: Pipeline, shop: Shop, office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    path = f"/maintenance/{entry.reference}"
    tab = signed_in(tabs.tab("away"), await shop.token(*MAX))
    await tab.send(RequestPage.load, path=path)
    watching = await begin(tab, RequestPage.watch, path)
    await asyncio.sleep(0.5)
    real, failures = provider().service_request, []

    async def away(token: str, reference: str) -> Any:
        if len(failures) < 2:
            failures.append(reference)
            raise Unavailable
        return await real(token, reference)

    monkeypatch.setattr(provider(), "service_request", away)
    status = await next_move(office, entry.reference)
    await until(lambda: tab.shown(RequestPage, "news") == 1, 8)
    assert len(failures) == 2
    assert tab.shown(RequestPage, "request").status == status
    assert tab.shown(RequestPage, "face") in (None, READY), "what was shown stayed meanwhile"
    watching.cancel()


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


async def test_nothing_to_see_is_an_empty_flow(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("status-nothing"), await shop.token(*EVA))
    await tab.send(StatusBikes.load, path="/status")
    assert tab.shown(StatusBikes, "face") == READY
    assert tab.shown(StatusBikes, "open") in (None, [])


@pytest.mark.parametrize("query", ["", "?bike=", "?bike=ABCDEFGH23", "?bike=..%2f", "?bike={foreign}"])
async def test_the_second_step_opens_only_for_a_bike_that_was_chosen(tabs: Pipeline, shop: Shop, query: str) -> None:
    foreign = (await requests_of(shop, JORIS))[0].bike_id
    path = f"/status/step-1{query.format(foreign=foreign)}"
    tab = signed_in(tabs.tab(f"guard-{query}"), await shop.token(*SANNE))
    await tab.send(StatusOfBike.load, path=path)
    assert tab.shown(StatusOfBike, "request") in (None, RequestView())
    assert [event for event in tab.events if "/status" in repr(event)], "back to choosing"


async def test_a_request_that_ends_while_it_is_shown_stays_on_the_screen(
    tabs: Pipeline, shop: Shop, office: House
) -> None:
    entry = next(entry for entry in await requests_of(shop, JORIS) if not entry.closed)
    path = f"/status/step-1?bike={entry.bike_id}"
    tab = signed_in(tabs.tab("ending"), await shop.token(*JORIS))
    await tab.send(StatusOfBike.load, path=path)
    watching = await begin(tab, StatusOfBike.watch, path)
    await asyncio.sleep(0.5)
    await office.back_office.move("work-order", entry.reference, Wish(status="cancelled"))
    await until(lambda: tab.shown(StatusOfBike, "news") == 1, 2.5)
    assert tab.shown(StatusOfBike, "request").status == WorkOrderStatus.CANCELLED
    assert tab.shown(StatusOfBike, "face") in (None, READY)
    watching.cancel()
