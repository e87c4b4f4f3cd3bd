"""The page with waiting time, opening hours and vacation of a store, in Reflex's event pipeline."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.master_data.desk.state import STORE_HOURS, StoreHoursPage
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.pipeline import Pipeline, Tab, on_duty

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATER = str(today() + timedelta(days=9))


def own_store(shop: Shop, place: int = 0) -> tuple[int, str]:
    """Primary key and public id of one of the retailer's stores."""
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        rows: list[tuple[int, str]] = connection.execute(
            "SELECT id, public_id FROM partners WHERE location_type = 'own_store' ORDER BY id"
        ).fetchall()
    return rows[place]


async def opened(tabs: Pipeline, shop: Shop, name: str, role: Role = Role.STORE_MANAGER, path: str = "") -> Tab:
    """Open the page as somebody of the first store."""
    tab = on_duty(tabs.tab(name), await hire(shop, role, stores=[own_store(shop)[0]]))
    await tab.send(StoreHoursPage.load, path=STORE_HOURS + path)
    return tab


async def test_a_manager_changes_the_waiting_time_of_the_own_store(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "weeks")
    assert tab.shown(StoreHoursPage, "view_state") == READY
    assert tab.shown(StoreHoursPage, "store").store_id == own_store(shop)[1]
    form = {"waiting-waiting_weeks": "6", "waiting-valid_from": str(today())}
    await tab.send(StoreHoursPage.change_waiting_time, form=form)
    assert tab.shown(StoreHoursPage, "waiting_weeks") == 6
    assert tab.shown(StoreHoursPage, "made")[0].waiting_weeks == "6"


async def test_an_announced_vacation_is_listed_and_taken_back(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "vacation")
    form = {"vacation-vacation_from": LATER, "vacation-vacation_until": LATER, "vacation-valid_from": LATER}
    await tab.send(StoreHoursPage.change_vacation, form=form)
    (announced,) = tab.shown(StoreHoursPage, "announced")
    assert (announced.valid_from, announced.vacation, announced.vacation_from) == (LATER, True, LATER)
    await tab.send(StoreHoursPage.withdraw, valid_from=LATER)
    assert tab.shown(StoreHoursPage, "announced") == []


async def test_opening_hours_of_the_week_are_changed(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "hours")
    week = {f"hours-{day}-{end}": time for day in range(1, 6) for end, time in (("opens", "9"), ("closes", "17.30"))}
    await tab.send(StoreHoursPage.change_opening_hours, form={**week, "hours-valid_from": str(today())})
    (line,) = tab.shown(StoreHoursPage, "hours")
    assert (line.first, line.last, line.opens, line.closes) == ("1", "5", "09:00", "17:30")
    assert tab.shown(StoreHoursPage, "opens") == ["09:00"] * 5 + ["", ""]
    broken = {**week, "hours-3-closes": "", "hours-valid_from": str(today())}
    await tab.send(StoreHoursPage.change_opening_hours, form=broken)
    assert tab.shown(StoreHoursPage, "errors") == {"hours-3": Code.REQUIRED}


async def test_errors_stand_beside_the_fields_of_their_form_until_it_is_right(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "errors")
    form = {"waiting-waiting_weeks": "soon", "waiting-valid_from": "2020-01-01"}
    await tab.send(StoreHoursPage.change_waiting_time, form=form)
    assert tab.shown(StoreHoursPage, "errors") == {"waiting-waiting_weeks": Code.INVALID_NUMBER}
    await tab.send(StoreHoursPage.change_waiting_time, form={**form, "waiting-waiting_weeks": "2"})
    assert tab.shown(StoreHoursPage, "errors") == {"waiting-valid_from": Code.INVALID_CHOICE}
    await tab.send(
        StoreHoursPage.change_waiting_time, form={"waiting-waiting_weeks": "2", "waiting-valid_from": str(today())}
    )
    assert (tab.shown(StoreHoursPage, "errors"), tab.shown(StoreHoursPage, "waiting_weeks")) == ({}, 2)


async def test_a_change_that_is_gone_is_refused_without_losing_the_page(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "gone")
    await tab.send(StoreHoursPage.withdraw, valid_from=LATER)
    assert (tab.shown(StoreHoursPage, "refusal"), tab.shown(StoreHoursPage, "refused")) == (
        Code.NOT_FOUND, "withdrawal",
    )  # fmt: skip
    assert tab.stored(StoreHoursPage).view_state == READY


@pytest.mark.parametrize("role", [Role.MECHANIC, Role.SERVICE_DESK, Role.FINANCE])
async def test_without_the_right_the_page_has_nothing(desk_tabs: Pipeline, shop: Shop, role: Role) -> None:
    tab = await opened(desk_tabs, shop, f"as-{role}", role)
    assert tab.shown(StoreHoursPage, "view_state") == MISSING
    assert tab.stored(StoreHoursPage).stores == []


async def test_the_store_of_somebody_else_has_no_page(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "elsewhere", path=f"/{own_store(shop, 1)[1]}")
    assert tab.shown(StoreHoursPage, "view_state") == MISSING


async def test_the_administrator_chooses_among_all_stores(desk_tabs: Pipeline, shop: Shop) -> None:
    store_id = own_store(shop, 1)[1]
    tab = await opened(desk_tabs, shop, "all", Role.ADMINISTRATOR, f"/{store_id}")
    assert len(tab.shown(StoreHoursPage, "stores")) > 1
    assert tab.shown(StoreHoursPage, "store").store_id == store_id
