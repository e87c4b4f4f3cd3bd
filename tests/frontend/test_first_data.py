"""A tab that loads a new document begins with an empty page, as its document does."""

from __future__ import annotations

import pytest
import reflex as rx

from portal.frontend.load import LOADING, READY
from portal.orders.pages.state import Orders
from tests.support.connections import Shop
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
HYDRATE = f"{rx.State.get_full_name()}.hydrate_and_load"


async def test_a_new_document_begins_with_an_empty_page(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("new-document"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "items")
    await tab.send(HYDRATE, path="/orders", hashes=["as compiled"])
    shown = [delta[Orders.get_full_name()] for delta in tab.deltas if Orders.get_full_name() in delta]
    assert shown[0]["view_state_rx_state_"] == LOADING
    assert shown[0]["items_rx_state_"] == []
    await tab.send(Orders.load, path="/orders")
    assert tab.shown(Orders, "view_state") == READY


async def test_a_reconnected_socket_keeps_the_state_of_the_page(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("back-again"), await shop.token(*SANNE))
    await tab.send(Orders.load, path="/orders")
    await tab.send(HYDRATE, path="/orders")
    shown = [delta[Orders.get_full_name()] for delta in tab.deltas if Orders.get_full_name() in delta]
    assert shown[0]["view_state_rx_state_"] == READY
    assert shown[0]["items_rx_state_"]
