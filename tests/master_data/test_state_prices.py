"""The pages with prices, in Reflex's event pipeline."""

import sqlite3
from datetime import timedelta

import pytest

from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.master_data.desk.price_state import PRICES, WITHDRAWAL, PricePage, PricesPage
from portal.master_data.desk.store_hours import STORE_HOURS, StoreHoursPage
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.pipeline import Pipeline, Tab, on_duty

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATER = str(today() + timedelta(days=9))
TARIFF = "/tariffs/kettingzeker~theft~e_bike"


async def opened(tabs: Pipeline, shop: Shop, name: str, path: str, role: Role = Role.ADMINISTRATOR) -> Tab:
    tab = on_duty(tabs.tab(name), await hire(shop, role))
    await tab.send(PricePage.load if path.count("/") > 1 else PricesPage.load, path=PRICES + path)
    return tab


async def test_services_are_listed_with_what_they_cost_now(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "services", "/service-products")
    assert (tab.shown(PricesPage, "view_state"), tab.shown(PricesPage, "kind")) == (READY, "service-products")
    first = tab.shown(PricesPage, "lines")[0]
    assert (first.key, first.parts) == ("1~bike~false", ["1", "bike", "false"])
    assert first.now.texts["price"]
    assert tab.shown(PricesPage, "shops") == []


async def test_a_tariff_is_announced_and_taken_back(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "tariff", TARIFF)
    before = tab.shown(PricePage, "line").now
    form = {"per_mille": "48,25", "minimum": "4,5", "valid_from": LATER}
    await tab.send(PricePage.change, form=form)
    (announced,) = tab.shown(PricePage, "line").announced
    assert (str(announced.valid_from), announced.texts) == (LATER, {"per_mille": "48.25", "minimum": "4.5"})
    assert tab.shown(PricePage, "line").now == before
    await tab.send(PricePage.withdraw, valid_from=LATER)
    assert tab.shown(PricePage, "line").announced == []
    await tab.send(PricePage.withdraw, valid_from=LATER)
    assert (tab.shown(PricePage, "refusal"), tab.shown(PricePage, "refused")) == (Code.NOT_FOUND, WITHDRAWAL)


async def test_one_checked_box_and_many_are_read_alike(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "boxes", "/service-packages/service11")
    form = {"monthly": "5", "includes": "tyres", "half_price_jobs": ["1", "2"], "valid_from": LATER}
    await tab.send(PricePage.change, form=form)
    (announced,) = tab.shown(PricePage, "line").announced
    assert announced.lists == {"includes": ["tyres"], "half_price_jobs": ["1", "2"], "covers": []}
    assert announced.texts["most_chosen"] == ""


async def test_errors_stand_beside_their_fields_until_they_are_right(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "errors", "/delivery-places/nl~6")
    await tab.send(PricePage.change, form={"places": "many", "valid_from": "2020-01-01"})
    assert tab.shown(PricePage, "errors") == {"places": Code.INVALID_NUMBER, "valid_from": Code.INVALID_CHOICE}
    await tab.send(PricePage.change, form={"places": "3", "valid_from": str(today())})
    assert (tab.shown(PricePage, "errors"), tab.shown(PricePage, "line").now.texts) == ({}, {"places": "3"})


@pytest.mark.parametrize("path", ["/", "/customers", "/tariffs/nobody~theft~e_bike"])
async def test_what_does_not_exist_has_no_page(desk_tabs: Pipeline, shop: Shop, path: str) -> None:
    tab = await opened(desk_tabs, shop, f"missing{path}", path)
    assert tab.shown(PricePage if path.count("/") > 1 else PricesPage, "view_state") == MISSING


def own_store(shop: Shop, place: int = 0) -> tuple[int, str]:
    """Primary key and public id of one of the retailer's stores."""
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        rows: list[tuple[int, str]] = connection.execute(
            "SELECT id, public_id FROM partners WHERE location_type = 'own_store' ORDER BY id"
        ).fetchall()
    return rows[place]


async def opened_hours(tabs: Pipeline, shop: Shop, name: str, role: Role = Role.STORE_MANAGER, path: str = "") -> Tab:
    tab = on_duty(tabs.tab(name), await hire(shop, role, stores=[own_store(shop)[0]]))
    await tab.send(StoreHoursPage.load, path=STORE_HOURS + path)
    return tab


async def test_a_manager_changes_the_waiting_time_of_the_own_store(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "weeks")
    assert tab.shown(StoreHoursPage, "view_state") == READY
    assert tab.held(StoreHoursPage, "now").store.store_id == own_store(shop)[1]
    form = {"waiting-waiting_weeks": "6", "waiting-valid_from": str(today())}
    await tab.send(StoreHoursPage.change_waiting_time, form=form)
    assert tab.held(StoreHoursPage, "now").waiting_weeks == 6
    assert tab.shown(StoreHoursPage, "made")[0].weeks == "6"


async def test_an_announced_vacation_is_listed_and_taken_back(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "vacation")
    form = {"vacation-vacation_from": LATER, "vacation-vacation_until": LATER, "vacation-valid_from": LATER}
    await tab.send(StoreHoursPage.change_vacation, form=form)
    (announced,) = tab.shown(StoreHoursPage, "announced")
    assert (str(announced.valid_from), announced.vacation) == (LATER, [LATER, LATER])
    await tab.send(StoreHoursPage.withdraw, valid_from=LATER)
    assert tab.shown(StoreHoursPage, "announced") == []


async def test_opening_hours_of_the_week_are_changed(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "hours")
    week = {f"hours-{day}-{end}": time for day in range(1, 6) for end, time in (("opens", "9"), ("closes", "17.30"))}
    await tab.send(StoreHoursPage.change_opening_hours, form={**week, "hours-valid_from": str(today())})
    ((first, last),) = tab.shown(StoreHoursPage, "hours")
    assert (first.weekday, last.weekday, first.opens, first.closes) == (1, 5, "09:00", "17:30")
    assert tab.shown(StoreHoursPage, "opens") == ["09:00"] * 5 + ["", ""]
    broken = {**week, "hours-3-closes": "", "hours-valid_from": str(today())}
    await tab.send(StoreHoursPage.change_opening_hours, form=broken)
    assert tab.shown(StoreHoursPage, "errors") == {"hours-3": Code.REQUIRED}


async def test_errors_stand_beside_the_fields_of_their_form_until_it_is_right(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "errors")
    form = {"waiting-waiting_weeks": "soon", "waiting-valid_from": "2020-01-01"}
    await tab.send(StoreHoursPage.change_waiting_time, form=form)
    assert tab.shown(StoreHoursPage, "errors") == {"waiting-waiting_weeks": Code.INVALID_NUMBER}
    await tab.send(StoreHoursPage.change_waiting_time, form={**form, "waiting-waiting_weeks": "2"})
    assert tab.shown(StoreHoursPage, "errors") == {"waiting-valid_from": Code.INVALID_CHOICE}
    await tab.send(
        StoreHoursPage.change_waiting_time, form={"waiting-waiting_weeks": "2", "waiting-valid_from": str(today())}
    )
    assert (tab.shown(StoreHoursPage, "errors"), tab.held(StoreHoursPage, "now").waiting_weeks) == ({}, 2)


async def test_a_change_that_is_gone_is_refused_without_losing_the_page(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "gone")
    await tab.send(StoreHoursPage.withdraw, valid_from=LATER)
    assert (tab.shown(StoreHoursPage, "refusal"), tab.shown(StoreHoursPage, "refused")) == (
        Code.NOT_FOUND, "withdrawal",
    )  # fmt: skip
    assert tab.stored(StoreHoursPage).view_state == READY


async def test_the_store_of_somebody_else_has_no_page(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened_hours(desk_tabs, shop, "elsewhere", path=f"/{own_store(shop, 1)[1]}")
    assert tab.shown(StoreHoursPage, "view_state") == MISSING
