"""Orders, invoices, bikes and requests: the same whichever way the provider is reached."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from portal.bikes.api import BikesApi
from portal.contract.errors import NotAuthenticated, NotFound
from portal.contract.models import PAGE_SIZE
from portal.kernel.codes import Code
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


async def test_an_order_holds_what_its_entry_in_the_list_says(shop_each_way: Shop) -> None:
    for customer in (SANNE, AMBER, MAX):
        token = await shop_each_way.token(*customer)
        for entry in (await shop_each_way.ask(OrdersApi).orders(token)).items[:5]:
            order = await shop_each_way.ask(OrdersApi).order(token, entry.order_number)
            assert (order.order_number, order.order_date, order.total) == (
                entry.order_number,
                entry.order_date,
                entry.total,
            )
            assert (order.delivery_status, order.payment_status) == (entry.delivery_status, entry.payment_status)
            assert [line.name for line in order.lines][: len(entry.names)] == entry.names
            assert len(order.lines) == len(entry.names) + entry.more
            costs = order.shipping_costs + order.service_costs + order.insurance_costs
            assert order.total == order.subtotal - order.discount + costs
            assert order.due == order.total - order.paid


async def test_an_invoice_is_a_pdf_in_both_languages(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    invoice = (await shop_each_way.ask(OrdersApi).invoices(token)).items[0]
    dutch = await shop_each_way.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "nl")
    english = await shop_each_way.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "en")
    for document in (dutch, english):
        assert document.media_type == "application/pdf"
        assert document.content.startswith(b"%PDF-")
        assert document.content.rstrip().endswith(b"%%EOF")
        assert invoice.number in document.name
        assert document.name.endswith(".pdf")
    assert dutch.content != english.content


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


async def test_what_is_not_yours_is_not_found(shop_each_way: Shop) -> None:
    hers, his = await shop_each_way.token(*SANNE), await shop_each_way.token(*JORIS)
    order = (await shop_each_way.ask(OrdersApi).orders(hers)).items[0].order_number
    invoice = (await shop_each_way.ask(OrdersApi).invoices(hers)).items[0].invoice_id
    bike = (await shop_each_way.ask(BikesApi).bikes(hers)).items[0].bike_id
    for ask, reference in (
        (shop_each_way.ask(OrdersApi).order, order),
        (_pdf(shop_each_way), invoice),
        (shop_each_way.ask(BikesApi).bike, bike),
        # One kind of reference in the place of another opens nothing either.
        (shop_each_way.ask(BikesApi).bike, invoice),
        (shop_each_way.ask(OrdersApi).order, bike),
    ):
        with pytest.raises(NotFound) as caught:
            await ask(his, reference)
        assert caught.value.code is Code.NOT_FOUND


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
