"""The pages with prices, in Reflex's event pipeline."""

from __future__ import annotations

from datetime import timedelta

import pytest

from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.master_data.desk.price_state import PRICES, WITHDRAWAL, PricePage, PricesPage
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.pipeline import Pipeline, Tab, on_duty

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATER = str(today() + timedelta(days=9))
TARIFF = "/tariffs/kettingzeker~theft~e_bike"


async def opened(tabs: Pipeline, shop: Shop, name: str, path: str, role: Role = Role.ADMINISTRATOR) -> Tab:
    """Open the list of a kind, or one price."""
    tab = on_duty(tabs.tab(name), await hire(shop, role))
    await tab.send(PricePage.load if path.count("/") > 1 else PricesPage.load, path=PRICES + path)
    return tab


async def test_services_are_listed_with_what_they_cost_now(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "services", "/service-products")
    assert (tab.shown(PricesPage, "view_state"), tab.shown(PricesPage, "kind")) == (READY, "service-products")
    first = tab.shown(PricesPage, "lines")[0]
    assert (first.key, first.about) == ("1~bike~false", ["1", "bike", "false"])
    assert first.now.texts["price"]
    assert tab.shown(PricesPage, "shops") == []


async def test_packages_are_listed_with_what_they_contain(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "packages", "/service-packages")
    lines = {line.key: line for line in tab.shown(PricesPage, "lines")}
    assert lines["service31"].now.lists["includes"]
    assert {line.now.texts.get("most_chosen") for line in lines.values()} >= {"yes", ""}


async def test_a_tariff_is_announced_and_taken_back(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "tariff", TARIFF)
    before = tab.shown(PricePage, "line").now
    form = {"per_mille": "48,25", "minimum": "4,5", "valid_from": LATER}
    await tab.send(PricePage.change, form=form)
    (announced,) = tab.shown(PricePage, "announced")
    assert (announced.valid_from, announced.texts) == (LATER, {"per_mille": "48.25", "minimum": "4.5"})
    assert tab.shown(PricePage, "line").now == before
    await tab.send(PricePage.withdraw, valid_from=LATER)
    assert tab.shown(PricePage, "announced") == []
    await tab.send(PricePage.withdraw, valid_from=LATER)
    assert (tab.shown(PricePage, "refusal"), tab.shown(PricePage, "refused")) == (Code.NOT_FOUND, WITHDRAWAL)


async def test_one_checked_box_and_many_are_read_alike(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await opened(desk_tabs, shop, "boxes", "/service-packages/service11")
    form = {"monthly": "5", "includes": "tyres", "half_price_jobs": ["1", "2"], "valid_from": LATER}
    await tab.send(PricePage.change, form=form)
    (announced,) = tab.shown(PricePage, "announced")
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


@pytest.mark.parametrize("role", [Role.STORE_MANAGER, Role.SERVICE_DESK, Role.FINANCE])
async def test_without_the_right_there_are_no_prices(desk_tabs: Pipeline, shop: Shop, role: Role) -> None:
    tab = await opened(desk_tabs, shop, f"as-{role}", "/tariffs", role)
    assert tab.shown(PricesPage, "view_state") == MISSING
    assert tab.stored(PricesPage).lines == []
