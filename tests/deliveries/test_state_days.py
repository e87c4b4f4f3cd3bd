"""The state of the pages for another delivery day: the choice, through the framework's own pipeline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.deliveries.pages.state import DeliveryDatePage
from portal.kernel.codes import Code
from portal.vocabulary.deliveries import DateChangeStatus
from tests.deliveries.steps import CONFIRMED, FREE, GONE, PENDING, UNPLANNED, dates, empty, fill, free_day, rows
from tests.support.connections import Shop
from tests.support.people import DAAN
from tests.support.pipeline import Pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (FREE, ""),
        (PENDING, DateChangeStatus.WAITING_FOR_CUSTOMER),
        (CONFIRMED, DateChangeStatus.WAITING_FOR_RETAILER),
        ("900000074", ""),
        ("900000075", ""),
        ("900000076", ""),
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


async def test_an_order_without_the_feature_and_a_shop_without_days_say_so(tabs: Pipeline, shop: Shop) -> None:
    number = "900000076"
    features = "UPDATE orders SET features = ? WHERE order_number = ?"
    [kept] = [row for row in await rows(shop, "SELECT features FROM orders WHERE order_number = ?", number)]
    await shop.alter(features, "[]", number)
    view = (await dates(tabs, shop, number, "feature")).shown(DeliveryDatePage, "dates")
    assert view.date_status == Code.DATE_CHANGE_NOT_OFFERED
    await shop.alter(features, kept, number)
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
