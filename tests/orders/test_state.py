"""Filters of the lists of orders and invoices, through the event pipeline."""

from datetime import date
from decimal import Decimal

import pytest

from portal.frontend.models import viewed
from portal.frontend.session import Language
from portal.orders.api import OrderSummary
from portal.orders.pages.state import Invoices, OrderEntry, Orders
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind, PaymentStatus
from tests.support.connections import Shop
from tests.support.people import MAX, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_search_opens_the_address_that_keeps_the_other_filters(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("search-orders"), await shop.token(*MAX))
    await tab.send(Orders.search, "/orders?year=2026&show=bikes&page=3", form={"text": " fiets & slot "})
    assert "/orders?text=fiets+%26+slot&year=2026&show=bikes" in str(tab.events)


async def test_the_links_of_a_list_change_one_filter_and_keep_the_others(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("filter-invoices"), await shop.token(*MAX))
    await tab.send(Invoices.load, path="/invoices?show=open")
    years, selections = tab.shown(Invoices, "years"), tab.shown(Invoices, "selections")
    assert [(link.value, link.current) for link in selections] == [("all", False), ("open", True)]
    assert selections[0].href == "/invoices"
    assert years[0].current
    assert years[1].href == f"/invoices?year={years[1].value}&show=open"
    assert tab.shown(Invoices, "pages_url") == "/invoices?show=open&page="


@pytest.mark.parametrize("query", ["year=20x6&show=mine", "year=02026", "year=-1", "show=", "text=+++"])
async def test_filters_that_make_no_sense_are_left_out(tabs: Pipeline, shop: Shop, query: str) -> None:
    tab = signed_in(tabs.tab(f"odd-{query}"), await shop.token(*MAX))
    await tab.send(Orders.load, path=f"/orders?{query}")
    assert not tab.shown(Orders, "filtered")
    assert tab.shown(Orders, "total") == 25


async def test_a_choice_of_language_loads_the_names_of_the_page_again(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("language-of-names"), await shop.token(*SANNE))
    path = "/orders?text=fietshelm"
    await tab.send(Orders.load, path=path)
    assert "Fietshelm Kruin" in _names(tab)
    try:
        await tab.send(Language.choose, path=path, language="en")
        assert "Kruin bike helmet" in _names(tab)
    finally:
        # Other tests share the customer.
        await tab.send(Language.choose, path=path, language="nl")
    assert "Fietshelm Kruin" in _names(tab)


def _names(tab: Tab) -> str:
    return str([item.names for item in tab.shown(Orders, "items") or []])


@pytest.mark.parametrize(
    ("kinds", "more", "exchangeable"),
    [
        ([ItemKind.ACCESSORY], 0, False),
        ([ItemKind.ACCESSORY, ItemKind.E_BIKE], 0, True),
        ([ItemKind.ACCESSORY], 1, True),
    ],
)
async def test_an_exchange_is_offered_unless_everything_is_an_accessory(
    kinds: list[ItemKind], more: int, *, exchangeable: bool
) -> None:
    order = OrderSummary(
        order_number="900000001", order_date=date(2026, 6, 1), total=Decimal(1), names=[], kinds=kinds, more=more,
        delivery_status=DeliveryStatus.ORDER_DELIVERED, payment_status=PaymentStatus.PAID,
    )  # fmt: skip
    assert viewed(OrderEntry, order).exchangeable is exchangeable
