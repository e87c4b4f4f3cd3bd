"""Live pages, through the event processor of the framework: updates, leaving a page, and other customers."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reflex_base.event import Event
from reflex_base.event.processor.future import EventFuture
from reflex_base.utils.format import format_event_handler

from portal.backend.backoffice import TransitionRequest
from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.contract.registry import ask
from portal.frontend import watch
from portal.frontend.load import READY
from portal.frontend.session import SessionState
from portal.login.api import LoginApi
from portal.overview.pages.state import DashboardPage
from portal.provider.application import Application
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.pages.requests import Maintenance, RequestPage
from portal.work_orders.pages.status import StatusOfBike
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import JORIS, MAX, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
LEFT = "reflex___state____state.reflex___state____on_load_internal_state.on_load_internal"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)


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
    return (await shop.ask(WorkOrdersApi).service_requests(await shop.token(*customer))).items


async def next_move(office: Application, reference: str, **details: Any) -> str:
    """Move a work order to where it may go, never to its end."""
    case_status = await office.back_office.current_status("work-order", reference)
    target = next(status for status in case_status.possible if status != "cancelled")
    await office.back_office.move("work-order", reference, TransitionRequest(status=target, **details))
    return target


@pytest.mark.parametrize(
    ("page", "path_of"),
    [
        (RequestPage, lambda entry: f"/maintenance/{entry.reference}"),
        (Maintenance, lambda _entry: "/maintenance"),
        (DashboardPage, lambda _entry: "/dashboard"),
        (StatusOfBike, lambda entry: f"/status/step-1?bike={entry.bike_id}"),
    ],
)
async def test_a_page_shows_changes_of_the_shop_without_a_reload(
    tabs: Pipeline, shop: Shop, office: Application, page: Any, path_of: Callable[[Any], str]
) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    path = path_of(entry)
    tab = signed_in(tabs.tab(f"live-{page.__name__}"), await shop.token(*MAX))
    await tab.send(page.load, path=path)
    watching = await begin(tab, page.watch, path)
    await asyncio.sleep(0.5)
    status = await next_move(office, entry.reference)
    moved = next(found for found in await requests_of(shop, MAX) if found.reference == entry.reference)
    await until(lambda: tab.shown(page, "news") == 1)
    assert moved.account.status.en in repr(tab.deltas)
    assert tab.shown(page, "news_at")
    assert tab.shown(page, "view_state") in (None, READY)
    tab.deltas.clear()
    await office.back_office.move(
        "work-order", entry.reference, TransitionRequest(status=status, note=f"Note for {page.__name__}.")
    )
    if page is RequestPage:
        await until(lambda: tab.shown(page, "news") == 2)
        assert "Note for RequestPage." in repr(tab.deltas)
    else:
        await asyncio.sleep(1.5)
        assert tab.shown(page, "news") in (None, 2), "what the page does not show is no news"
    watching.cancel()


async def test_a_page_does_not_show_changes_of_other_customers(tabs: Pipeline, shop: Shop, office: Application) -> None:
    tab = signed_in(tabs.tab("stranger"), await shop.token(*SANNE))
    await tab.send(Maintenance.load, path="/maintenance")
    watching = await begin(tab, Maintenance.watch, "/maintenance")
    await asyncio.sleep(0.3)
    foreign = (await requests_of(shop, JORIS))[0]
    await next_move(office, foreign.reference)
    await asyncio.sleep(2)
    assert not tab.shown(Maintenance, "news")
    assert foreign.reference not in repr(tab.deltas)
    watching.cancel()


async def test_a_page_stops_watching_when_the_customer_leaves(tabs: Pipeline, shop: Shop, office: Application) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    tab = signed_in(tabs.tab("leaving"), await shop.token(*MAX))
    await tab.send(Maintenance.load, path="/maintenance")
    watching = await begin(tab, Maintenance.watch, "/maintenance")
    await tab.send(RequestPage.load, path=f"/maintenance/{entry.reference}")
    await office.back_office.move(
        "work-order", entry.reference, TransitionRequest(status=entry.status.value, note="Gemist?")
    )
    tab.deltas.clear()
    await asyncio.sleep(2)
    assert tab.shown(Maintenance, "under_way") is None, "it puts nothing into a page that is not open"
    assert tab.shown(RequestPage, "view_state") is None, "nor does it empty the one that is"
    watching.cancel()


async def test_the_framework_ends_the_watch_when_the_tab_goes_on_or_disconnects(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("ends"), await shop.token(*MAX))
    await tab.send(SessionState.load, path="/my-data")
    for leave in (lambda: tab.send(LEFT, path="/my-data"), lambda: _disconnected(tab)):
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


async def test_the_end_of_the_session_ends_the_watch(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MAX_WAIT_SECONDS", 1)  # seconds after which the provider is asked again
    token = await shop.log_in(*JORIS)
    tab = signed_in(tabs.tab("session-end"), token)
    await tab.send(Maintenance.load, path="/maintenance")
    await begin(tab, Maintenance.watch, "/maintenance")
    await shop.ask(LoginApi).logout(token)
    await until(lambda: bool(tab.shown(SessionState, "signed_out")))
    await until(lambda: _watching(tab) == 0)


async def test_an_unavailable_provider_is_asked_again(
    tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(entry for entry in await requests_of(shop, MAX) if not entry.closed)
    path = f"/maintenance/{entry.reference}"
    tab = signed_in(tabs.tab("away"), await shop.token(*MAX))
    await tab.send(RequestPage.load, path=path)
    watching = await begin(tab, RequestPage.watch, path)
    await asyncio.sleep(0.5)
    real, failures = ask(WorkOrdersApi).service_request, []

    async def away(token: str, reference: str) -> Any:
        if len(failures) < 2:
            failures.append(reference)
            raise Unavailable
        return await real(token, reference)

    monkeypatch.setattr(registry, "_connected", [replaced(registry.connected(), service_request=away)])
    status = await next_move(office, entry.reference)
    await until(lambda: tab.shown(RequestPage, "news") == 1)
    assert len(failures) == 2
    assert tab.shown(RequestPage, "request").status == status
    assert tab.shown(RequestPage, "view_state") in (None, READY), "what was shown stayed meanwhile"
    watching.cancel()


async def test_a_request_that_ends_while_it_is_shown_stays_on_the_screen(
    tabs: Pipeline, shop: Shop, office: Application
) -> None:
    entry = next(entry for entry in await requests_of(shop, JORIS) if not entry.closed)
    path = f"/status/step-1?bike={entry.bike_id}"
    tab = signed_in(tabs.tab("ending"), await shop.token(*JORIS))
    await tab.send(StatusOfBike.load, path=path)
    watching = await begin(tab, StatusOfBike.watch, path)
    await asyncio.sleep(0.5)
    await office.back_office.move("work-order", entry.reference, TransitionRequest(status="cancelled"))
    await until(lambda: tab.shown(StatusOfBike, "news") == 1)
    assert tab.shown(StatusOfBike, "request").status == WorkOrderStatus.CANCELLED
    assert tab.shown(StatusOfBike, "view_state") in (None, READY)
    watching.cancel()
