"""Orders, invoices, bikes and requests: the same whichever way the provider is reached."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from portal.bikes.api import BikesApi
from portal.contract.errors import NotAuthenticated, NotFound
from portal.contract.models import PAGE_SIZE
from portal.orders.api import OrdersApi
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.people import AMBER, JORIS, MAX, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_lists_come_a_page_at_a_time_newest_first(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*MAX)
    orders = await shop_each_way.ask(OrdersApi).orders(token)
    assert (len(orders.items), orders.page, orders.pages, orders.total) == (25, 1, 1, 25)
    first, second = (
        await shop_each_way.ask(OrdersApi).invoices(token),
        await shop_each_way.ask(OrdersApi).invoices(token, 2),
    )
    assert [len(first.items), len(second.items)] == [PAGE_SIZE, 15]
    assert (second.page, second.pages, second.total) == (2, 2, 40)
    dates = [invoice.invoice_date for invoice in [*first.items, *second.items]]
    assert dates == sorted(dates, reverse=True)
    assert len({invoice.invoice_id for invoice in [*first.items, *second.items]}) == 40


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (-5, 1), (3, 2), (10**9, 2), (10**30, 2)])
async def test_a_page_that_does_not_exist_is_the_nearest(shop_each_way: Shop, asked: int, given: int) -> None:
    token = await shop_each_way.token(*MAX)
    assert await shop_each_way.ask(OrdersApi).invoices(token, asked) == await shop_each_way.ask(OrdersApi).invoices(
        token, given
    )
    assert (await shop_each_way.ask(OrdersApi).orders(token, asked)).page == 1
    assert (await shop_each_way.ask(WorkOrdersApi).service_requests(token, asked)).page == 1


async def test_a_bike_holds_what_its_card_says(shop_each_way: Shop) -> None:
    for customer, count in ((SANNE, 2), (NOOR, 1), (MAX, 3)):
        token = await shop_each_way.token(*customer)
        cards = (await shop_each_way.ask(BikesApi).bikes(token)).items
        assert len(cards) >= count
        for card in cards:
            bike = await shop_each_way.ask(BikesApi).bike(token, card.bike_id)
            assert bike.model_dump(include=set(type(card).model_fields)) == card.model_dump()
            assert len(bike.key_numbers) <= 3
    hers = await shop_each_way.token(*AMBER)
    cards = (await shop_each_way.ask(BikesApi).bikes(hers)).items
    bikes = [await shop_each_way.ask(BikesApi).bike(hers, card.bike_id) for card in cards]
    assert any(bike.has_pin_code for bike in bikes)
    assert any(not bike.frame_number for bike in bikes)


async def test_open_requests_come_first(shop_each_way: Shop) -> None:
    requests = (await shop_each_way.ask(WorkOrdersApi).service_requests(await shop_each_way.token(*JORIS))).items
    assert requests
    assert not requests[0].closed
    assert [request.closed for request in requests] == sorted(request.closed for request in requests)
    assert all(request.closed is (request.status in CLOSED_WORK_ORDER) for request in requests)


@pytest.mark.parametrize(
    "reference",
    ["", " ", "900000099", "1", "0", "-1", "..", "../orders", "a/b", "a%2fb", "a?b=c", "a#b", "a;b", "' OR 1=1 --",
     "\x00", "\n", "é", "🚲", "NULL", "900000001 ", "٩٠٠٠٠٠٠٠١", "A" * 41, "9" * 5000],
)  # fmt: skip
async def test_what_does_not_exist_is_not_found(shop_each_way: Shop, reference: str) -> None:
    token = await shop_each_way.token(*SANNE)
    for ask in (shop_each_way.ask(OrdersApi).order, shop_each_way.ask(BikesApi).bike, _pdf(shop_each_way)):
        with pytest.raises(NotFound):
            await ask(token, reference)
        with pytest.raises(NotAuthenticated):
            await ask("never.given.out", reference)


def _pdf(shop: Shop) -> Callable[[str, str], Awaitable[Any]]:
    return lambda token, reference: shop.ask(OrdersApi).invoice_pdf(token, reference, "nl")
