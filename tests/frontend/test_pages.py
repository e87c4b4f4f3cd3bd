"""The account pages of the demonstration shop, through the event processor of the framework."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import reflex as rx

from portal.account.pages.state import MyData
from portal.bikes.api import BikesApi, BikeSummary
from portal.bikes.pages.bikes import Bikes
from portal.contract.errors import NotFound, Unavailable
from portal.contracts.pages.state import Contracts
from portal.deliveries.pages.order_status import OrderStatusPage
from portal.flow.api import DraftStart, FlowApi
from portal.frontend.load import FAILED, LOADING, MISSING, READY
from portal.frontend.session import SessionState
from portal.frontend.toasts import Toasts
from portal.frontend.watch import _OF_LOADING
from portal.insurance.pages.insurances import InsurancePackages
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.orders.pages.state import Invoices, Orders
from portal.overview.api import OverviewApi
from portal.overview.pages.state import BikeDetail, DashboardPage, OrderDetail
from portal.reflex_adapter.state import FIELD_MARKER
from portal.returns.pages.state import Returns
from portal.web.session import SessionStatus, checks
from portal.work_orders.pages.requests import Maintenance
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.doubles import answering
from tests.support.people import JORIS, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

LISTS: list[tuple[type[Any], str]] = [
    (DashboardPage, "/dashboard"),
    (MyData, "/my-data"),
    (Orders, "/orders"),
    (Invoices, "/invoices"),
    (Bikes, "/bikes"),
    (Maintenance, "/maintenance"),
]


async def tab_of(tabs: Pipeline, shop: Shop, customer: tuple[str, str], name: str) -> Tab:
    """A tab in which somebody is logged in."""
    return signed_in(tabs.tab(f"{name}-{customer[0]}"), await shop.token(*customer))


@asynccontextmanager
async def provider_is_down(shop: Shop) -> AsyncIterator[None]:
    """Let nobody answer for a while."""
    async with nobody_answers(shop):
        yield
    checks._answers.clear()


@pytest.mark.parametrize(("state", "path"), LISTS)
async def test_an_unavailable_provider_is_reported_and_a_retry_works(
    tabs: Pipeline, shop: Shop, state: type[Any], path: str
) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"down-{path}")
    await tab.send(SessionState.load)
    async with provider_is_down(shop):
        await tab.send(state.load, path=path)
        assert tab.shown(state, "view_state") == FAILED
        assert tab.shown(state, "problem")
    await tab.send(state.load, path=path)
    assert tab.shown(state, "view_state") == READY
    assert tab.shown(state, "problem") == ""


@pytest.mark.parametrize(("state", "path"), [(DashboardPage, "/dashboard"), (MyData, "/my-data")])
async def test_a_failure_to_load_customer_data_is_also_a_notification(
    tabs: Pipeline, shop: Shop, state: type[Any], path: str
) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"corner-{path}")
    await tab.send(SessionState.load)
    async with provider_is_down(shop):
        await tab.send(state.load, path=path)
    toast = tab.shown(Toasts, "items")[0]
    assert toast["title"]["nl"] == "Klant gegevens konden niet worden geladen."
    assert toast["kind"] == "error"
    assert toast["timeout"] == 4000
    assert toast["quiet"], "the page announces it"
    assert tab.shown(state, "view_state") == FAILED


async def test_a_draft_that_cannot_be_deleted_is_announced(tabs: Pipeline, shop: Shop) -> None:
    async def refuse(*_: object) -> None:
        raise Unavailable(Code.GENERAL_ERROR)

    tab = await tab_of(tabs, shop, SANNE, "not-deleted")
    with answering(discard_draft=refuse):
        await tab.send(DashboardPage.discard, path="/dashboard", draft_id="any")
    (toast,) = tab.shown(Toasts, "items")
    assert (toast["kind"], toast["quiet"]) == ("error", False), "nothing else tells it"


async def test_a_draft_that_was_deleted_stays_away_when_older_data_arrive(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "deleted")
    draft = await shop.ask(FlowApi).open_draft(await shop.token(*SANNE), DraftStart(flow="repair-request"))
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token: str) -> Any:
        board = await shop.ask(OverviewApi).dashboard(token)
        asked.set()
        await go_on.wait()
        return board

    with answering(dashboard=slow):
        waiting = asyncio.create_task(tab.send(DashboardPage.load, path="/dashboard"))
        await asked.wait()
    await tab.send(DashboardPage.discard, path="/dashboard", draft_id=draft.draft_id)
    go_on.set()
    await waiting
    assert tab.stored(DashboardPage).view_state == READY
    assert draft.draft_id not in {card.draft_id for card in tab.stored(DashboardPage).drafts}


@pytest.mark.parametrize("number", ["900000002", "999999999", "x", "..%2f..%2fetc", "1' OR '1'='1"])
async def test_an_order_of_another_customer_is_not_found(tabs: Pipeline, shop: Shop, number: str) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"foreign-{number}")
    await tab.send(OrderDetail.load, path=f"/orders/{number}")
    assert tab.shown(OrderDetail, "view_state") == MISSING
    assert tab.shown(OrderDetail, "order") is None


async def test_a_bike_of_another_customer_is_not_found(tabs: Pipeline, shop: Shop) -> None:
    foreign = await first_bike(shop, JORIS)
    tab = await tab_of(tabs, shop, SANNE, "foreign-bike")
    await tab.send(BikeDetail.load, path=f"/bikes/{foreign.bike_id}")
    assert tab.shown(BikeDetail, "view_state") == MISSING
    assert foreign.name not in repr(tab.deltas)


async def test_only_one_page_state_has_data(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "memory")
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "items")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    assert tab.stored(Orders).items == []
    await tab.send(Bikes.load, path="/bikes")
    assert tab.stored(OrderDetail).order is None


async def test_the_browser_keeps_a_list_until_the_new_data_arrive(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "kept")
    await tab.send(Orders.load, path="/orders")
    await tab.send(Bikes.load, path="/bikes")
    assert (tab.shown(Orders, "items"), tab.shown(Orders, "view_state")) == (None, None)
    await tab.send(Orders.load, path="/orders")
    updates = [delta[Orders.get_full_name()] for delta in tab.deltas if Orders.get_full_name() in delta]
    assert LOADING not in [values.get(f"view_state{FIELD_MARKER}") for values in updates]
    assert tab.shown(Orders, "items")


async def test_the_browser_keeps_only_variables_that_loading_sets(tabs: Pipeline, shop: Shop) -> None:
    others = [
        (Returns, "/returns"),
        (OrderDetail, "/orders/900000001"),
        (OrderStatusPage, "/order-status/900000001"),
        (BikeDetail, f"/bikes/{(await first_bike(shop, SANNE)).bike_id}"),
        (InsurancePackages, "/insurance-package"),
        (Contracts, "/contracts"),
    ]
    for state, path in [*LISTS, *others]:
        tab = await tab_of(tabs, shop, SANNE, f"keeps-{path}")
        await tab.send(state.load, path=path)  # the first event of a session tells everything
        await tab.send(state.load, path=path)
        updates = {name for delta in tab.deltas for name in delta.get(state.get_full_name(), {})}
        brought = {name.removesuffix(FIELD_MARKER) for name in updates} - _OF_LOADING
        assert not state._browser_keeps or {*state._browser_keeps} == brought


async def test_the_browser_keeps_an_order_until_its_new_data_arrive(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "kept-order")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    await tab.send(OrderStatusPage.load, path="/order-status/900000001")
    assert tab.shown(OrderDetail, "view_state") is None
    await tab.send(OrderDetail.load, path="/orders/900000001")
    updates = [delta[OrderDetail.get_full_name()] for delta in tab.deltas if OrderDetail.get_full_name() in delta]
    assert LOADING not in [values.get(f"view_state{FIELD_MARKER}") for values in updates]
    assert tab.shown(OrderDetail, "order").order_number == "900000001"


async def test_an_order_that_the_browser_keeps_is_not_shown_for_another(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "kept-other")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    await tab.send(Orders.load, path="/orders")
    await tab.send(OrderDetail.load, path="/orders/900000021")
    first = next(delta[OrderDetail.get_full_name()] for delta in tab.deltas if OrderDetail.get_full_name() in delta)
    assert first[f"view_state{FIELD_MARKER}"] == LOADING
    assert first[f"order{FIELD_MARKER}"] is None
    assert tab.shown(OrderDetail, "order").order_number == "900000021"


async def test_a_list_in_the_browser_is_removed_when_another_customer_logs_in(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "kept-of-sanne")
    await tab.send(Orders.load, path="/orders")
    await tab.send(Bikes.load, path="/bikes")
    signed_in(tab, await shop.token(*JORIS))
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "items") == []
    assert tab.shown(Orders, "view_state") == LOADING


async def test_data_that_arrive_after_the_customer_left_are_ignored(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "late")
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token: str, page: int = 1, *_filters: Any) -> Any:
        asked.set()
        await go_on.wait()
        return await shop.ask(OrdersApi).orders(token, page)

    with answering(orders=slow):
        waiting = asyncio.create_task(tab.send(Orders.load, path="/orders"))
        await asked.wait()
        await tab.send(Bikes.load, path="/bikes")
        assert tab.shown(Bikes, "view_state") == READY
        go_on.set()
        await waiting
    assert not tab.shown(Orders, "items")
    await tab.send(f"{rx.State.get_full_name()}.hydrate")
    assert tab.shown(Orders, "view_state") == LOADING
    assert tab.shown(Bikes, "view_state") == READY


async def test_a_session_that_has_ended_sends_the_customer_to_the_login(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    tab = signed_in(tabs.tab("ended"), token)
    await tab.send(Orders.load, path="/orders")
    # The guard still remembers the session for a moment; the provider does not.
    await shop.ask(LoginApi).logout(token)
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(SessionState, "signed_out") is True
    # The document that the browser loads next is the login.
    assert (await checks.check(token)).state is SessionStatus.ENDED


async def first_bike(shop: Shop, customer: tuple[str, str], *, unknown_frame: bool = False) -> BikeSummary:
    """A bike of a customer."""
    for bike in (await shop.ask(BikesApi).bikes(await shop.token(*customer))).items:
        if bool(bike.frame_number) != unknown_frame:
            return bike
    raise NotFound
