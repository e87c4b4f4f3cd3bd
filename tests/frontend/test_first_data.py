"""A tab that loads a new document begins with an empty page, as its document does."""

import json

import pytest
import reflex as rx

from portal.frontend.first_data import DocumentRequest, first_session
from portal.frontend.load import LOADING, READY
from portal.frontend.session import SessionState
from portal.orders.pages.state import Orders
from portal.portal import _first, _protected
from portal.web.session import checks
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


async def test_a_page_for_everybody_is_told_that_a_customer_reads_it_and_nothing_else(shop: Shop) -> None:
    greeting = {route for route, load in _first.items() if load is first_session}
    assert greeting == {
        "404", "contact", "privacy", "terms", "accessibility", "gone",
    }  # fmt: skip
    assert not (greeting | {"withdrawal", "cancel-contract"}) & set(_protected)
    token = await shop.token(*SANNE)
    request = DocumentRequest("/contact", "/contact", "localhost:8000", f"session={token}")
    data = json.loads((await first_session(request, token, await checks.check(token))).data)
    assert set(data) == {SessionState.get_full_name()}
    session = data[SessionState.get_full_name()]
    assert session["authenticated_rx_state_"] is True
    assert "person_rx_state_" not in session
