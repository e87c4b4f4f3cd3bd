"""The first data of a page: the update that the socket will send, for the session of the cookie only."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import reflex as rx

from portal.bikes.api import BikesApi
from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.frontend import first_data
from portal.frontend.load import LOADING, READY
from portal.frontend.session import SessionState
from portal.login.api import LoginApi
from portal.orders.pages.state import Orders
from portal.portal import _first
from portal.reflex_adapter.state import json_dumps
from portal.routes import Edge
from portal.ui.page import ask_first
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.http_browser import Browser
from tests.support.people import JORIS, MAX, SANNE
from tests.support.pipeline import Pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
OURS = {"portal-first": "1", "sec-fetch-site": "same-origin"}
ADDRESSES = ["/dashboard", "/orders", "/orders?page=2", "/invoices", "/maintenance", "/bikes"]
HYDRATE = f"{rx.State.get_full_name()}.hydrate_and_load"


async def ask(browser: Browser, address: str, token: str = "", **headers: str) -> httpx.Response:
    """Ask as the script in the head of a page does."""
    cookie = {"cookie": f"session={token}"} if token else {}
    return await browser.client.get("/first" + address, headers={**OURS, **cookie, **headers})


@pytest.fixture
def provider_with(shop: Shop) -> Iterator[Any]:
    """Let one operation of the provider do something else."""
    yield lambda name, operation: registry.connect(replaced(shop.provider, **{name: operation}))
    registry.connect(shop.provider)


@pytest.mark.parametrize("address", ADDRESSES)
async def test_first_data_equal_what_the_socket_sends_for_the_same_address(
    http_browser: Browser, tabs: Pipeline, shop: Shop, address: str
) -> None:
    token = await shop.token(*MAX)
    answer = await ask(http_browser, address, token)
    assert answer.status_code == 200
    page = _first[address.strip("/").partition("?")[0]]
    tab = signed_in(tabs.tab(f"first-{address}"), token)
    await tab.send(HYDRATE, path=address)
    sent: dict[str, dict[str, Any]] = {}
    for _ in range(2):  # hydrated, then loaded
        for delta in json.loads(json_dumps(tab.deltas)):
            for state, values in delta.items():
                sent.setdefault(state, {}).update(values)
        await tab.send(page.load, path=address)  # pyright: ignore[reportAttributeAccessIssue]
    for delta in json.loads(json_dumps(tab.deltas)):
        for state, values in delta.items():
            sent.setdefault(state, {}).update(values)
    first_data = answer.json()
    assert set(first_data) == {SessionState.get_full_name(), page.get_full_name()}
    for state, values in first_data.items():
        for name, value in values.items():
            if not name.startswith(("idle_until", "expires_at")):
                assert sent[state][name] == value, name


@pytest.mark.parametrize("kind", ["order", "bike"])
async def test_a_detail_page_has_first_data_for_its_owner_only(http_browser: Browser, shop: Shop, kind: str) -> None:
    token = await shop.token(*SANNE)
    bikes = await shop.ask(BikesApi).bikes(token)
    address = f"/orders/{SANNE[0]}" if kind == "order" else f"/bikes/{bikes[0].bike_id}"
    mine = await ask(http_browser, address, token)
    assert mine.status_code == 200
    assert address.rpartition("/")[2] in mine.text
    theirs = await ask(http_browser, address, await shop.token(*JORIS))
    assert (theirs.status_code, theirs.content) == (204, b"")


async def test_another_session_gets_its_own_orders(http_browser: Browser, shop: Shop) -> None:
    of_sanne = (await ask(http_browser, "/orders", await shop.token(*SANNE))).text
    of_joris = (await ask(http_browser, "/orders", await shop.token(*JORIS))).text
    assert SANNE[0] in of_sanne
    assert SANNE[0] not in of_joris
    assert JORIS[0] in of_joris


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
async def test_without_a_session_there_are_no_first_data(http_browser: Browser, token: str) -> None:
    answer = await ask(http_browser, "/orders", token)
    assert (answer.status_code, answer.content) == (401, b"")


async def test_a_session_that_was_ended_gets_nothing(http_browser: Browser, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    assert (await ask(http_browser, "/orders", token)).status_code == 200
    await shop.ask(LoginApi).logout(token)  # the edge still remembers the session for a moment
    assert (await ask(http_browser, "/orders", token)).status_code == 401


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
async def test_another_site_is_refused(http_browser: Browser, shop: Shop, site: str) -> None:
    answer = await ask(http_browser, "/orders", await shop.token(*SANNE), **{"sec-fetch-site": site})
    assert (answer.status_code, answer.content) == (403, b"")
    assert "access-control-allow-origin" not in answer.headers


async def test_a_request_without_our_header_is_refused(http_browser: Browser, shop: Shop) -> None:
    headers = {"cookie": f"session={await shop.token(*SANNE)}"}
    assert (await http_browser.client.get("/first/orders", headers=headers)).status_code == 403
    preflight = await http_browser.client.options(
        "/first/orders",
        headers={"origin": "https://evil.example", "access-control-request-headers": "portal-first"},
    )
    assert preflight.status_code == 405
    assert "access-control-allow-headers" not in preflight.headers


async def test_first_data_are_not_cached(http_browser: Browser, shop: Shop) -> None:
    for token in (await shop.token(*SANNE), ""):
        assert (await ask(http_browser, "/orders", token)).headers["cache-control"] == "no-store, private"


async def test_first_data_are_compressed_if_the_browser_accepts_it(http_browser: Browser, shop: Shop) -> None:
    token = await shop.token(*MAX)
    packed = await ask(http_browser, "/orders", token, **{"accept-encoding": "gzip, br"})
    plain = await ask(http_browser, "/orders", token, **{"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json()[Orders.get_full_name()] == plain.json()[Orders.get_full_name()]


@pytest.mark.parametrize("address", ["/", "/contact", "/nowhere", "/orders/1/2", "/first/orders", "//orders"])
async def test_other_addresses_have_no_first_data(http_browser: Browser, shop: Shop, address: str) -> None:
    answer = await ask(http_browser, address, await shop.token(*SANNE))
    assert (answer.status_code, answer.content) in {(204, b""), (404, answer.content)}


async def test_a_provider_that_fails_leaves_it_to_the_socket(
    http_browser: Browser, shop: Shop, provider_with: Any
) -> None:
    async def fails(*_: Any) -> None:
        raise Unavailable

    token = await shop.token(*SANNE)
    provider_with("orders", fails)
    answer = await ask(http_browser, "/orders", token)
    assert (answer.status_code, answer.content) == (204, b"")


async def test_a_provider_that_is_slow_leaves_it_to_the_socket(
    http_browser: Browser, shop: Shop, provider_with: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sleeps(*_: Any) -> None:
        await asyncio.sleep(30)

    token = await shop.token(*SANNE)
    provider_with("orders", sleeps)
    monkeypatch.setattr(first_data, "PATIENCE_SECONDS", 0.05)
    assert (await ask(http_browser, "/orders", token)).status_code == 204


async def test_too_many_requests_are_refused(
    http_browser: Browser, edge: Edge, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long a busy machine takes, all ask at the same moment.
    served: Any = next(route.endpoint for route in edge._routes if route.path.startswith(first_data.PREFIX))
    moment = time.monotonic()
    monkeypatch.setattr(served.__self__._limiter, "_clock", lambda: moment)
    token = await shop.log_in(*JORIS)
    answers = [(await ask(http_browser, "/contact", token)).status_code for _ in range(80)]
    assert answers[0] == 204
    assert answers[-1] == 429


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


async def test_the_script_names_every_page_that_has_first_data() -> None:
    script = ask_first(_first)
    for part in (r"\/dashboard|", r"\/orders|", r"\/orders\/[^\/]+|", r"\/bikes\/[^\/]+"):
        assert part in script
    assert "login" not in script
