"""The states of the order status page and of the pages for another delivery day."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from portal.backend.backoffice import TransitionRequest
from portal.contract import registry
from portal.contract.errors import Conflict, ProviderError, Refused, TooMany, Unavailable
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.pages.order_status import OrderStatusPage, order_status_view
from portal.deliveries.pages.state import DeliveryDatePage
from portal.deliveries.pages.tracking import TrackingPage
from portal.deliveries.provider.service import tracking_code
from portal.frontend import watch
from portal.frontend.load import FAILED, MISSING, READY
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.days import now
from portal.orders.pages.state import Orders
from portal.overview.pages.state import DashboardPage, OrderDetail
from portal.provider.application import Application
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from tests.deliveries.steps import (
    CONFIRMED,
    FREE,
    GONE,
    PARTED,
    PENDING,
    UNPLANNED,
    chosen,
    dates,
    empty,
    fill,
    free_day,
    lose_mail,
    opened,
)
from tests.frontend.test_live import begin
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.furnished import Furnished
from tests.support.people import BRAM, DAAN, ORDERS_OF_BRAM, SANNE
from tests.support.pipeline import Pipeline, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

FOLLOWED = next(
    number for number, status in ORDERS_OF_BRAM.items() if status is DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE
)


async def test_one_link_leads_to_the_carrier_unless_several_shipments_are_on_their_way(
    tabs: Pipeline, shop: Shop
) -> None:
    tab = await opened(tabs, shop, "followed", OrderStatusPage, f"/order-status/{FOLLOWED}", BRAM)
    shown = tab.shown(OrderStatusPage, "order")
    (part,) = shown.shipments
    assert shown.followed == part.tracking_url != ""
    assert (shown.events[0].status, shown.events[-1].status) == (shown.status, "order_being_processed")
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
    order = await Furnished(office).one(OrderRow, order_number=PARTED)
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
            number = next(entry.reference for entry in tab.shown(page, "under_way") if entry.kind == "delivery")
        watching = await begin(tab, page.watch, where)
        await asyncio.sleep(0.5)
        date_status = await office.back_office.current_status("shipment", number)
        target = next(status for status in date_status.possible if status != "order_cancelled")
        await office.back_office.move("shipment", number, TransitionRequest(status=target, note="Even geduld."))
        await until(lambda tab=tab, page=page: tab.shown(page, "news") == 1)
        assert target in repr(tab.deltas)
        watching.cancel()


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (FREE, ""),
        (PENDING, DateChangeStatus.WAITING_FOR_CUSTOMER),
        (CONFIRMED, DateChangeStatus.WAITING_FOR_RETAILER),
        (GONE, Code.ALREADY_HANDED_OVER),
        (UNPLANNED, Code.DELIVERY_NOT_PLANNED),
    ],
)
async def test_the_page_has_a_view_for_every_status(tabs: Pipeline, shop: Shop, number: str, status: str) -> None:
    for page in ("", "/choose", "/check?day=2026-06-09"):
        view = (await dates(tabs, shop, number, page=page)).shown(DeliveryDatePage, "dates")
        assert view.date_status == status
        assert bool(view.weeks) == (status == "")
        assert bool(view.change and view.change.pending) == status.startswith("waiting")


async def test_a_shop_without_days_says_when_to_try_again(tabs: Pipeline, shop: Shop) -> None:
    weeks = (await dates(tabs, shop, FREE, "none-left")).shown(DeliveryDatePage, "dates").weeks
    for week in weeks:
        for entry in week.days:
            await fill(shop, str(entry.day))
    tab = await dates(tabs, shop, FREE, "none-left-now")
    view = tab.shown(DeliveryDatePage, "dates")
    await empty(shop)
    assert view.date_status == Code.NO_DELIVERY_OPTIONS
    assert timedelta(minutes=59) < view.retry_at - datetime.now(UTC) <= timedelta(hours=1)


async def test_a_week_and_a_day_of_it_are_asked_for_by_name(tabs: Pipeline, shop: Shop) -> None:
    path = f"/delivery-date/{FREE}/choose"
    tab = await dates(tabs, shop, FREE, "choose", "/choose")
    assert not tab.shown(DeliveryDatePage, "week"), "none is chosen beforehand"
    assert not tab.shown(DeliveryDatePage, "day")
    week, day = free_day(tab)
    other, _ = free_day(tab, 0)
    for form, wrong in (
        ({}, {"wrong_week": "required"}),
        ({"week": "2020-W01"}, {"wrong_week": "required"}),
        ({"week": week}, {"wrong_day": "required"}),
        ({"week": other, f"day-{other}": day}, {"wrong_day": "delivery_day_taken"}),
        ({"week": week, f"day-{week}": "2020-01-06"}, {"wrong_day": "delivery_day_taken"}),
    ):
        await tab.send(DeliveryDatePage.choose, path=path, form=form)
        assert tab.events == []
        assert {name: tab.shown(DeliveryDatePage, name) for name in wrong} == wrong
    await tab.send(DeliveryDatePage.choose, path=path, form={"week": week, f"day-{week}": day})
    assert f"/delivery-date/{FREE}/check?day={day}" in repr(tab.events)


async def test_a_day_chosen_before_the_server_has_the_days_is_taken(tabs: Pipeline, shop: Shop) -> None:
    path = f"/delivery-date/{FREE}/choose"
    week, day = free_day(await dates(tabs, shop, FREE, "drawn", "/choose"))
    tab = signed_in(tabs.tab("pressed-early"), await shop.token(*DAAN))
    await tab.send(DeliveryDatePage.choose, path=path, form={"week": week, f"day-{week}": day})
    assert f"/delivery-date/{FREE}/check?day={day}" in repr(tab.events)
    assert not tab.stored(DeliveryDatePage).wrong_week


async def test_the_check_page_needs_a_day_that_can_be_had(tabs: Pipeline, shop: Shop) -> None:
    planned = (await dates(tabs, shop, FREE, "planned")).shown(DeliveryDatePage, "dates").scheduled.day
    for query, code in (
        ("", ""),
        ("?day=", ""),
        ("?day=%3Cscript%3E", ""),
        ("?day=2020-01-06", "delivery_day_taken"),
        (f"?day={planned}", "same_delivery_day"),
    ):
        tab = await dates(tabs, shop, FREE, f"check{query}", f"/check{query}")
        assert f"/delivery-date/{FREE}/choose" in repr(tab.events)
        assert (tab.shown(DeliveryDatePage, "wrong_week") or "") == code
        # The next page keeps the error once; loading it again clears it.
        await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
        assert tab.shown(DeliveryDatePage, "wrong_week") == (None if code else "")
        await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
        assert not tab.shown(DeliveryDatePage, "wrong_week")


@pytest_asyncio.fixture(loop_scope="module")
async def untouched(shop: Shop) -> AsyncIterator[None]:
    """Delete the requests for the free order after the test."""
    yield
    query = "DELETE FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"
    await shop.alter(query, FREE)


@pytest.mark.usefixtures("untouched")
async def test_a_day_is_asked_for_once_and_waits_for_the_mail(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "ask")
    path = f"/delivery-date/{FREE}/check?day={day}"
    assert (tab.shown(DeliveryDatePage, "day"), tab.events) == (day, [])
    view = tab.shown(DeliveryDatePage, "dates")
    assert view.new_window == ["17:30", "20:00"], "an evening stays an evening"
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    view = tab.shown(DeliveryDatePage, "dates")
    assert view.date_status == "waiting_for_customer"
    assert "17:30" in view.change.account.handover.when.nl
    assert view.change.email == DAAN[1], "the customer has to find the mail"
    assert f"/delivery-date/{FREE}" in repr(tab.events)
    # A second press, such as in another tab, makes no second request; the page shows that one is pending.
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == Code.DATE_CHANGE_PENDING
    order = await opened(tabs, shop, "asked", OrderStatusPage, f"/order-status/{FREE}")
    shown = order.shown(OrderStatusPage, "order")
    assert (shown.change_refusal, shown.change.status) == (Code.DATE_CHANGE_PENDING, "waiting_for_customer")

    mails = len(shop.mailbox.mails_to(DAAN[1]))
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "resent") is True
    await asyncio.to_thread(shop.mailbox.wait_for, DAAN[1], after=mails)
    await tab.send(DeliveryDatePage.withdraw, path=f"/delivery-date/{FREE}")
    view = tab.shown(DeliveryDatePage, "dates")
    assert (view.date_status, view.change.status) == ("", "cancelled")
    assert tab.shown(DeliveryDatePage, "withdrawn") == 1
    assert "Je aanvraag is geannuleerd" in repr(tab.shown(Toasts, "items"))


async def test_a_day_that_was_taken_meanwhile_is_reported_where_another_can_be_chosen(
    tabs: Pipeline, shop: Shop
) -> None:
    tab, day = await chosen(tabs, shop, "taken")
    path = f"/delivery-date/{FREE}/check?day={day}"
    await fill(shop, day)
    await tab.send(DeliveryDatePage.send, path=path, form={"day": day})
    assert f"/delivery-date/{FREE}/choose" in repr(tab.events)
    assert "De bezorgdag kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}/choose")
    assert tab.shown(DeliveryDatePage, "wrong_week") is None, "what was found wrong is kept for this page"
    assert {entry.free for week in tab.shown(DeliveryDatePage, "dates").weeks for entry in week.days} == {True, False}
    await empty(shop)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (Unavailable(), Code.GENERAL_ERROR),
        (TooMany(Code.MAIL_SENT_RECENTLY, retry_at=datetime(2026, 6, 3, tzinfo=UTC)), Code.MAIL_SENT_RECENTLY),
        (Refused(Code.ALREADY_HANDED_OVER), Code.ALREADY_HANDED_OVER),
        (Conflict(Code.DATE_CHANGE_PENDING), Code.DATE_CHANGE_PENDING),
    ],
)
async def test_why_a_day_could_not_be_asked_for_is_reported_in_the_page_and_in_the_corner(
    tabs: Pipeline, shop: Shop, monkeypatch: pytest.MonkeyPatch, error: ProviderError, failure: Code
) -> None:
    tab, day = await chosen(tabs, shop, f"refused-{failure}")

    async def refuse(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(registry, "_connected", [replaced(shop.provider, request_delivery_date=refuse)])
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    assert tab.shown(DeliveryDatePage, "failure") == failure
    assert tab.shown(DeliveryDatePage, "attempt") == 1
    assert bool(tab.shown(DeliveryDatePage, "retry_at")) == (failure is Code.MAIL_SENT_RECENTLY)
    assert bool(tab.events) == isinstance(error, (Refused, Conflict)), "the first page shows a rule"
    assert MESSAGES[Code.DATE_CHANGE_FAILED] in repr(tab.shown(Toasts, "items"))
    assert "De bezorgdag kon niet worden gewijzigd." in repr(tab.shown(Toasts, "items"))


async def test_what_no_longer_waits_is_shown_as_it_stands(tabs: Pipeline, shop: Shop) -> None:
    tab = await dates(tabs, shop, FREE, "nothing-waits")
    for handler in (DeliveryDatePage.resend, DeliveryDatePage.withdraw):
        await tab.send(handler, path=f"/delivery-date/{FREE}")
        assert tab.shown(DeliveryDatePage, "failure") in (None, "")
        assert tab.shown(DeliveryDatePage, "resent") is not True


@pytest.mark.usefixtures("untouched")
async def test_a_mail_that_was_given_up_is_reported(tabs: Pipeline, shop: Shop) -> None:
    tab, day = await chosen(tabs, shop, "lost-mail")
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
    await lose_mail(shop)
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "dates").change.email_failed
