"""What the pages of the account show, asked through the framework's own pipeline from the demonstration shop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import reflex as rx

from portal.client.provider import HttpProvider
from portal.contract import street
from portal.contract.bikes import BikeSummary
from portal.contract.errors import NotFound
from portal.states.bike import BikeDetail
from portal.states.bikes import Bikes
from portal.states.dashboard import Dashboard
from portal.states.invoices import Invoices
from portal.states.maintenance import Maintenance
from portal.states.my_data import MyData
from portal.states.order import OrderDetail
from portal.states.orders import Orders
from portal.states.page import FAILED, LOADING, MISSING, READY
from portal.states.session import Session
from portal.states.session_checks import checks
from portal.states.toasts import Toasts
from portal.states.views.order import OrderView
from tests.contract.people import AMBER, EVA, JORIS, MAX, NOOR, PIETER, SANNE
from tests.portal.conftest import signed_in
from tests.support.pipeline import Pipeline, Tab
from tests.support.ports import free_port
from tests.support.ways import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

LISTS: list[tuple[type[Any], str]] = [
    (Dashboard, "/dashboard"),
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
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    street.connect(down)
    try:
        yield
    finally:
        street.connect(shop.provider)
        checks._answers.clear()
        await down.close()


@pytest.mark.parametrize(("state", "path"), LISTS)
async def test_every_page_of_the_account_is_shown(tabs: Pipeline, shop: Shop, state: type[Any], path: str) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"shown-{path}")
    await tab.send(state.load, path=path)
    assert tab.shown(state, "face") == READY


@pytest.mark.parametrize(("state", "path"), LISTS)
async def test_a_provider_that_is_down_is_told_and_trying_again_works(
    tabs: Pipeline, shop: Shop, state: type[Any], path: str
) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"down-{path}")
    await tab.send(Session.load)
    async with provider_is_down(shop):
        await tab.send(state.load, path=path)
        assert tab.shown(state, "face") == FAILED
        assert tab.shown(state, "problem")
    await tab.send(state.load, path=path)
    assert tab.shown(state, "face") == READY
    assert tab.shown(state, "problem") == ""


@pytest.mark.parametrize(("state", "path"), [(Dashboard, "/dashboard"), (MyData, "/my-data")])
async def test_customer_data_that_cannot_be_loaded_is_also_said_in_the_corner(
    tabs: Pipeline, shop: Shop, state: type[Any], path: str
) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"corner-{path}")
    await tab.send(Session.load)
    async with provider_is_down(shop):
        await tab.send(state.load, path=path)
    said = tab.shown(Toasts, "items")[0]
    assert said["title"]["nl"] == "Klant gegevens konden niet worden geladen."
    assert said["kind"] == "error"
    assert said["timeout"] == 4000


async def test_the_dashboard_greets_and_says_what_is_going_on_before_what_can_be_started(
    tabs: Pipeline, shop: Shop
) -> None:
    tab = await tab_of(tabs, shop, JORIS, "dashboard")
    await tab.send(Dashboard.load, path="/dashboard")
    assert tab.shown(Dashboard, "first_name") == "Joris"
    first = tab.shown(Dashboard, "going_on")[0]
    assert (first.kind, first.href) == ("request", "/maintenance")
    assert first.partner
    assert len(tab.shown(Dashboard, "tiles")) == 6
    assert len(tab.shown(Dashboard, "buttons")) == 5
    repair = tab.shown(Dashboard, "tiles")[0]
    assert (repair.feature, repair.opening, repair.reason) == ("repair", "closed", "request_open")
    assert repair.href == ""
    assert repair.contact == "/contact?topic=repair"


async def test_every_open_action_leads_somewhere(tabs: Pipeline, shop: Shop) -> None:
    known = {"/contact", "/maintenance", "/orders"}
    for customer in (SANNE, JORIS, AMBER, PIETER, NOOR, MAX):
        tab = await tab_of(tabs, shop, customer, "targets")
        await tab.send(Dashboard.load, path="/dashboard")
        actions = [*tab.shown(Dashboard, "tiles"), *tab.shown(Dashboard, "buttons")]
        assert len(actions) == 11
        for action in actions:
            assert bool(action.href) == (action.opening == "open")
            assert not action.href or "/" + action.href.split("/")[1].split("?")[0] in known
            assert action.opening == "open" or action.reason


async def test_order_status_leads_to_the_order_that_is_under_way(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, PIETER, "order-status")
    await tab.send(Dashboard.load, path="/dashboard")
    targets = {action.feature: action.href for action in tab.shown(Dashboard, "buttons")}
    assert targets["order_status"] == "/orders/900000004"


async def test_an_order_without_features_says_so(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, EVA, "without-features")
    await tab.send(Dashboard.load, path="/dashboard")
    assert tab.shown(Dashboard, "has_features") is False


async def test_a_long_list_comes_a_page_at_a_time(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, MAX, "pages")
    await tab.send(Invoices.load, path="/invoices")
    assert len(tab.shown(Invoices, "rows")) == 25
    assert (tab.shown(Invoices, "pages"), tab.shown(Invoices, "total")) == (2, 40)
    await tab.send(Invoices.load, path="/invoices?page=2")
    assert len(tab.shown(Invoices, "rows")) == 15
    assert tab.shown(Invoices, "page") == 2


@pytest.mark.parametrize("asked", ["0", "-1", "x", "", "9" * 30, "１", "1.5"])
async def test_a_page_number_that_makes_no_sense_is_the_nearest_page(tabs: Pipeline, shop: Shop, asked: str) -> None:
    tab = await tab_of(tabs, shop, MAX, f"nonsense-{asked}")
    await tab.send(Invoices.load, path=f"/invoices?page={asked}")
    assert tab.shown(Invoices, "face") == READY
    assert tab.shown(Invoices, "rows")


async def test_orders_tell_payment_only_when_there_is_something_to_tell(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, PIETER, "payment")
    await tab.send(Orders.load, path="/orders")
    rows = {row.number: row for row in tab.shown(Orders, "rows")}
    assert rows["900000004"].payment == "partly_paid"
    tab = await tab_of(tabs, shop, SANNE, "payment")
    await tab.send(Orders.load, path="/orders")
    assert [row.payment for row in tab.shown(Orders, "rows") if row.number == "900000001"] == [""]


async def test_an_order_is_shown_whole(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "order")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    order = tab.shown(OrderDetail, "order")
    assert (order.number, order.phase) == ("900000001", 5)
    assert {line.kind for line in order.lines} >= {"e_bike", "city_bike", "accessory"}
    assert order.amounts[0].key == "subtotal"
    assert order.due == ""
    assert len(order.invoices) == 2
    assert all(parcel.url.startswith("https://") for parcel in order.shipments if parcel.url)
    assert tab.shown(OrderDetail, "subject") == "900000001"


@pytest.mark.parametrize("number", ["900000002", "999999999", "x", "..%2f..%2fetc", "1' OR '1'='1"])
async def test_an_order_of_somebody_else_is_not_there(tabs: Pipeline, shop: Shop, number: str) -> None:
    tab = await tab_of(tabs, shop, SANNE, f"foreign-{number}")
    await tab.send(OrderDetail.load, path=f"/orders/{number}")
    assert tab.shown(OrderDetail, "face") == MISSING
    assert tab.shown(OrderDetail, "order") in (None, OrderView())


async def test_a_bike_of_somebody_else_is_not_there(tabs: Pipeline, shop: Shop) -> None:
    foreign = await first_bike(shop, JORIS)
    tab = await tab_of(tabs, shop, SANNE, "foreign-bike")
    await tab.send(BikeDetail.load, path=f"/bikes/{foreign.bike_id}")
    assert tab.shown(BikeDetail, "face") == MISSING
    assert foreign.name not in repr(tab.deltas)


async def test_a_bike_says_for_itself_what_can_be_started(tabs: Pipeline, shop: Shop) -> None:
    for customer, opening, reason in (
        (SANNE, "open", ""),
        (JORIS, "closed", "request_open"),
        (AMBER, "closed", "frame_number_unknown"),
    ):
        bike = await first_bike(shop, customer, unknown_frame=reason == "frame_number_unknown")
        tab = await tab_of(tabs, shop, customer, "bike")
        await tab.send(BikeDetail.load, path=f"/bikes/{bike.bike_id}")
        repair = tab.shown(BikeDetail, "actions")[0]
        assert (repair.feature, repair.opening, repair.reason) == ("repair", opening, reason)
        assert tab.shown(BikeDetail, "bike").frame_known is (reason != "frame_number_unknown")


async def test_what_is_going_on_stands_before_what_was(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, JORIS, "maintenance")
    await tab.send(Maintenance.load, path="/maintenance")
    assert tab.shown(Maintenance, "going_on")
    assert not any(row.closed for row in tab.shown(Maintenance, "going_on"))


async def test_only_one_page_holds_data(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "memory")
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "rows")
    await tab.send(Bikes.load, path="/bikes")
    assert tab.shown(Orders, "rows") == []
    assert tab.shown(Orders, "face") == LOADING
    await tab.send(OrderDetail.load, path="/orders/900000001")
    assert tab.shown(Bikes, "cards") == []


async def test_another_order_starts_with_an_empty_page(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "another-order")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    await tab.send(OrderDetail.load, path="/orders/900000002")
    assert tab.shown(OrderDetail, "order").number == ""
    assert tab.shown(OrderDetail, "face") == MISSING


class _Slow:
    """The provider, but its orders come when they are let go."""

    def __init__(self, shop: Shop) -> None:
        self._provider = shop.provider
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def orders(self, token: str, page: int = 1) -> Any:
        self.asked.set()
        await self.go.wait()
        return await self._provider.orders(token, page)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)


async def test_an_answer_that_comes_after_the_customer_left_is_dropped(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "late")
    slow = _Slow(shop)
    street.connect(slow)  # type: ignore[arg-type]
    try:
        waiting = asyncio.create_task(tab.send(Orders.load, path="/orders"))
        await slow.asked.wait()
        await tab.send(Bikes.load, path="/bikes")
        assert tab.shown(Bikes, "face") == READY
        slow.go.set()
        await waiting
    finally:
        street.connect(shop.provider)
    assert not tab.shown(Orders, "rows")
    await tab.send(f"{rx.State.get_full_name()}.hydrate")
    assert tab.shown(Orders, "face") == LOADING
    assert tab.shown(Bikes, "face") == READY


async def test_a_session_that_has_ended_sends_the_customer_to_the_login(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    tab = signed_in(tabs.tab("ended"), token)
    await tab.send(Orders.load, path="/orders")
    # The guard still remembers the session for a moment; the provider does not.
    await shop.provider.logout(token)
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Session, "signed_out") is True


async def first_bike(shop: Shop, customer: tuple[str, str], *, unknown_frame: bool = False) -> BikeSummary:
    """A bike of a customer."""
    for bike in await shop.provider.bikes(await shop.token(*customer)):
        if bool(bike.frame_number) != unknown_frame:
            return bike
    raise NotFound
