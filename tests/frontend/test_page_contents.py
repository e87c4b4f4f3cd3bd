"""The contents of the account pages for customers of the demonstration shop."""

import pytest

from portal.frontend.load import READY
from portal.frontend.registry import pages_of
from portal.orders.pages.state import Invoices
from portal.overview.pages.state import BikeDetail, DashboardPage, OrderDetail
from portal.subjects import MODULES
from portal.work_orders.pages.requests import Maintenance
from tests.frontend.test_pages import first_bike, tab_of
from tests.support.connections import Shop
from tests.support.people import AMBER, EVA, JORIS, MAX, NOOR, PIETER, SANNE
from tests.support.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_dashboard_greets_and_lists_current_requests_before_actions(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, JORIS, "dashboard")
    await tab.send(DashboardPage.load, path="/dashboard")
    assert tab.shown(DashboardPage, "first_name") == "Joris"
    first = tab.shown(DashboardPage, "under_way")[0]
    assert (first.kind, first.href) == ("request", f"/maintenance/{first.reference}")
    assert first.partner
    tiles = tab.shown(DashboardPage, "tiles")
    assert sum(1 + len(tile.others) for tile in tiles) == 6
    assert len(tab.shown(DashboardPage, "buttons")) == 5
    opened = [tile.opening == "open" for tile in tiles]
    assert opened == sorted(opened, reverse=True), "what can be started comes first"
    assert tiles[0].feature == "status"
    repair = next(tile for tile in tiles if tile.feature == "repair")
    assert (repair.feature, repair.opening, repair.reason or "") == ("repair", "closed", "request_open")
    assert repair.href == ""
    assert repair.contact == "/contact?topic=repair"


async def test_the_first_tile_has_the_picture_of_a_bike_if_there_is_one(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "lead")
    await tab.send(DashboardPage.load, path="/dashboard")
    first, shown = tab.shown(DashboardPage, "tiles")[0], tab.shown(DashboardPage, "lead_picture")
    await tab.send(BikeDetail.load, path=f"/bikes/{(await first_bike(shop, SANNE)).bike_id}")
    assert (first.feature, shown) == ("repair", tab.shown(BikeDetail, "bike").picture)
    without = await tab_of(tabs, shop, PIETER, "no-lead")
    await without.send(DashboardPage.load, path="/dashboard")
    assert without.stored(DashboardPage).lead_picture is None


async def test_every_open_action_leads_somewhere(tabs: Pipeline, shop: Shop) -> None:
    known = {"/" + page.route.split("/")[0] for page in pages_of(MODULES)}
    for customer in (SANNE, JORIS, AMBER, PIETER, NOOR, MAX):
        tab = await tab_of(tabs, shop, customer, "targets")
        await tab.send(DashboardPage.load, path="/dashboard")
        actions = [*tab.shown(DashboardPage, "tiles"), *tab.shown(DashboardPage, "buttons")]
        if customer == PIETER:  # A sentence says what comes with the first bike.
            assert all(action.opening == "open" for action in actions)
        else:
            assert sum(1 + len(action.others) for action in actions) == 11
        for action in actions:
            assert bool(action.href) == (action.opening == "open")
            assert not action.href or "/" + action.href.split("/")[1].split("?")[0] in known
            assert action.opening == "open" or action.reason
        targets = {action.feature: action.href for action in actions if action.href}
        assert targets.get("insurance", "/insurance-package") == "/insurance-package"
        assert targets.get("service_package", "/service-package") == "/service-package"


async def test_an_order_without_actions_explains_this(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, EVA, "without-features")
    await tab.send(DashboardPage.load, path="/dashboard")
    assert tab.shown(DashboardPage, "has_features") is False


async def test_a_long_list_is_paginated(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, MAX, "pages")
    await tab.send(Invoices.load, path="/invoices")
    assert len(tab.shown(Invoices, "items")) == 25
    assert (tab.shown(Invoices, "pages"), tab.shown(Invoices, "total")) == (2, 40)
    await tab.send(Invoices.load, path="/invoices?page=2")
    assert len(tab.shown(Invoices, "items")) == 15
    assert tab.shown(Invoices, "page") == 2


@pytest.mark.parametrize("asked", ["0", "-1", "x", "", "9" * 30, "１", "1.5"])
async def test_an_invalid_page_number_shows_the_nearest_page(tabs: Pipeline, shop: Shop, asked: str) -> None:
    tab = await tab_of(tabs, shop, MAX, f"nonsense-{asked}")
    await tab.send(Invoices.load, path=f"/invoices?page={asked}")
    assert tab.shown(Invoices, "view_state") == READY
    assert tab.shown(Invoices, "items")


async def test_an_order_shows_all_its_data(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, SANNE, "order")
    await tab.send(OrderDetail.load, path="/orders/900000001")
    order = tab.shown(OrderDetail, "order")
    assert (order.order_number, order.phase) == ("900000001", 5)
    assert len({line.picture for line in order.lines}) >= 3
    assert order.due == 0
    assert len(order.invoices) == 2
    assert tab.shown(OrderDetail, "subject") == "900000001"


async def test_current_requests_come_before_earlier_ones(tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(tabs, shop, JORIS, "maintenance")
    await tab.send(Maintenance.load, path="/maintenance")
    assert tab.shown(Maintenance, "under_way")
    assert not any(row.closed for row in tab.shown(Maintenance, "under_way"))
