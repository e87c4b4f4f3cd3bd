"""The state of the order status page, through the framework's own pipeline."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlmodel import select

from portal.backend.backoffice import TransitionRequest
from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.pages.order_status import OrderStatusPage, order_status_view
from portal.deliveries.pages.state import DeliveryDatePage
from portal.deliveries.pages.tracking import TrackingPage
from portal.deliveries.provider.service import tracking_code
from portal.frontend import watch
from portal.frontend.load import FAILED, MISSING, READY
from portal.kernel.days import now
from portal.orders.pages.state import Orders
from portal.overview.pages.state import DashboardPage, OrderDetail
from portal.provider.application import Application
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from tests.deliveries.steps import FREE, PARTED, UNPLANNED, opened
from tests.frontend.test_live import begin
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.people import BRAM, ORDERS_OF_BRAM, SANNE
from tests.support.pipeline import Pipeline
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
FOLLOWED = next(
    number for number, status in ORDERS_OF_BRAM.items() if status is DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE
)


@pytest.mark.parametrize(("number", "status"), ORDERS_OF_BRAM.items())
async def test_each_status_is_shown_with_its_history(
    tabs: Pipeline, shop: Shop, number: str, status: DeliveryStatus
) -> None:
    tab = await opened(tabs, shop, "status", OrderStatusPage, f"/order-status/{number}", BRAM)
    order = tab.shown(OrderStatusPage, "order")
    assert (tab.shown(OrderStatusPage, "view_state"), order.status) == (READY, status.value)
    assert order.events[0].status == order.status
    assert order.events[-1].status == "order_being_processed"
    assert [item.name for item in order.unshipped] or order.shipments[0].items, "its contents are always shown"


async def test_an_order_in_parts_is_shown_part_by_part(tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(tabs, shop, "parts", OrderStatusPage, f"/order-status/{PARTED}")
    order = tab.shown(OrderStatusPage, "order")
    bike, rest = order.shipments
    assert (bike.status, bool(bike.account.handover.when), rest.status) == ("order_assembled", True, "order_delivered")
    assert rest.tracking_url.startswith("https://")
    assert [(item.quantity, item.name) for item in order.unshipped] == [(1, "Kettingslot ART 3, 110 cm")]
    assert order.partly_shipped


async def test_one_link_leads_to_the_carrier_unless_several_shipments_are_on_their_way(
    tabs: Pipeline, shop: Shop
) -> None:
    tab = await opened(tabs, shop, "followed", OrderStatusPage, f"/order-status/{FOLLOWED}", BRAM)
    (part,) = tab.shown(OrderStatusPage, "order").shipments
    assert tab.shown(OrderStatusPage, "order").followed == part.tracking_url != ""
    order = await shop.ask(DeliveriesApi).order_status(await shop.token(*BRAM), FOLLOWED)
    (first,) = order.shipments
    second = first.model_copy(update={"part": 2, "tracking_url": f"{first.tracking_url}/2"})
    assert order_status_view(order.model_copy(update={"shipments": [first, second]})).followed == ""
    arrived = second.model_copy(update={"delivered_at": now()})
    assert order_status_view(order.model_copy(update={"shipments": [first, arrived]})).followed == part.tracking_url
    assert order_status_view(order.model_copy(update={"shipments": [arrived]})).followed == ""


@pytest.mark.parametrize("number", [FREE, "900009999", "x", "..%2f.."])
async def test_the_order_of_somebody_else_is_not_found(tabs: Pipeline, shop: Shop, number: str) -> None:
    for page, path in ((OrderStatusPage, "order-status"), (DeliveryDatePage, "delivery-date")):
        tab = await opened(tabs, shop, "foreign", page, f"/{path}/{number}", SANNE)
        assert tab.shown(page, "view_state") == MISSING


async def test_a_link_without_a_login_shows_the_delivery_and_another_one_says_so(
    tabs: Pipeline, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office.context.database.session() as session:
        order = (await session.exec(select(OrderRow).where(OrderRow.order_number == PARTED))).one()
    path = f"/track/{tracking_code(office.context.settings, order, now())}"
    tab = tabs.tab("tracked")
    await tab.send(TrackingPage.load, path=path)
    shown = tab.shown(TrackingPage, "shown")
    assert (tab.shown(TrackingPage, "view_state"), len(shown.parts), shown.status.nl) == (READY, 2, "Gemonteerd")
    await tab.send(TrackingPage.load, path="/track/nonsense")
    assert tab.shown(TrackingPage, "view_state") == MISSING
    assert tab.shown(TrackingPage, "shown").parts == []

    async def away(*_: Any) -> Any:
        raise Unavailable

    monkeypatch.setattr(registry, "_connected", [replaced(registry.connected(), tracking=away)])
    await tab.send(TrackingPage.load, path=path)
    assert tab.shown(TrackingPage, "view_state") == FAILED


async def test_what_cannot_be_loaded_says_so_and_is_asked_again(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> Any:
        raise Unavailable

    for page, path, asked in (
        (OrderStatusPage, f"/order-status/{FREE}", "order_status"),
        (DeliveryDatePage, f"/delivery-date/{FREE}", "delivery_dates"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(registry, "_connected", [replaced(registry.connected(), **{asked: away})])
            tab = await opened(tabs, shop, "away", page, path)
            assert tab.shown(page, "view_state") == FAILED
        await tab.send(page.load, path=path)
        assert tab.shown(page, "view_state") == READY


async def test_whatever_shows_an_order_follows_its_delivery(
    tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    number = UNPLANNED
    for page, where in (
        (OrderStatusPage, f"/order-status/{number}"),
        (OrderDetail, f"/orders/{number}"),
        (Orders, "/orders"),
        (DashboardPage, "/dashboard"),
    ):
        tab = await opened(tabs, shop, "live", page, where)
        if page is DashboardPage:
            number = next(entry.reference for entry in tab.shown(page, "going_on") if entry.kind == "delivery")
        watching = await begin(tab, page.watch, where)
        await asyncio.sleep(0.5)
        date_status = await office.back_office.current_status("shipment", number)
        target = next(status for status in date_status.possible if status != "order_cancelled")
        await office.back_office.move("shipment", number, TransitionRequest(status=target, note="Even geduld."))
        await until(lambda tab=tab, page=page: tab.shown(page, "news") == 1)
        assert target in repr(tab.deltas)
        watching.cancel()
