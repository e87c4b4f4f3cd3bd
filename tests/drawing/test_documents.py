"""A request for a page: a document with the data of its customer, or whatever comes nearest to it."""

import asyncio
import json
import re
from typing import Any

import httpx
import pytest
import reflex as rx

from portal.bikes.api import BikesApi
from portal.contract.errors import Unavailable
from portal.contracts.pages.state import Contracts
from portal.drawing.documents import DrawnDocuments
from portal.drawing.drawer import Drawer
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.frontend.guard import EVENT_BURST
from portal.frontend.load import Loading
from portal.frontend.session import SessionState
from portal.login.api import LoginApi
from portal.portal import _first, _pages_with_data, app
from portal.reflex_adapter.state import json_dumps
from portal.reflex_adapter.static import StaticSite
from portal.web.headers import page_policy, script_hashes
from portal.withdrawals.pages.state import OwnOrders
from portal.work_orders.flow.repair import PHOTOS, REPAIR
from tests.support.connections import Shop
from tests.support.customers import ROOS
from tests.support.filling import bikes_of, clear, filled
from tests.support.http_browser import Browser, client_of
from tests.support.people import JORIS, MAX, SANNE
from tests.support.pipeline import Pipeline, signed_in
from tests.support.returning import ACCESSORIES, PARTLY, RETURN

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

ADDRESSES = ["/dashboard", "/orders", "/orders?page=2", "/invoices", "/maintenance", "/bikes", "/returns", "/contracts"]
FLOW_STEP = REPAIR.url(REPAIR.first_step)
HYDRATE = f"{rx.State.get_full_name()}.hydrate_and_load"
_DATA = re.compile(r'<script id="first" type="application/json"( data-drawn)?>(.*?)</script>', re.DOTALL)


async def ask(browser: Browser, address: str, token: str = "", **headers: str) -> httpx.Response:
    cookie = {"cookie": f"session={token}"} if token else {}
    return await browser.client.get(address, headers={**cookie, **headers})


def data_of(answer: httpx.Response) -> dict[str, dict[str, Any]]:
    found = _DATA.search(answer.text)
    return json.loads(found[2]) if found else {}


def is_drawn(answer: httpx.Response) -> bool:
    found = _DATA.search(answer.text)
    return bool(found and found[1])


@pytest.mark.parametrize("address", ADDRESSES)
async def test_a_document_has_what_the_socket_sends_for_its_address(
    browser: Browser, tabs: Pipeline, shop: Shop, address: str
) -> None:
    token = await shop.token(*MAX)
    answer = await ask(browser, address, token)
    assert is_drawn(answer)
    page: Any = _pages_with_data[address.strip("/").partition("?")[0]]
    tab = signed_in(tabs.tab(f"first-{address}"), token)
    sent: dict[str, dict[str, Any]] = {}
    for handler in (HYDRATE, page.load):
        await tab.send(handler, path=address)
        for delta in json.loads(json_dumps(tab.deltas)):
            for state, values in delta.items():
                sent.setdefault(state, {}).update(values)
    first_data = data_of(answer)
    assert set(first_data) == {SessionState.get_full_name(), page.get_full_name()}
    for state, values in first_data.items():
        for name, value in values.items():
            if not name.startswith(("idle_until", "expires_at")):
                assert sent[state][name] == value, name


@pytest.mark.parametrize(
    ("address", "status"), [("/contact", 200), ("/terms", 200), ("/nowhere", 404), ("/orders/1/2", 404)]
)
async def test_a_page_for_everybody_has_the_menu_in_the_document_of_a_customer_only(
    browser: Browser, shop: Shop, address: str, status: int
) -> None:
    customer = await ask(browser, address, await shop.token(*SANNE))
    assert (is_drawn(customer), customer.status_code) == (True, status)
    assert customer.headers["cache-control"] == "no-store, private"
    assert set(data_of(customer)) == {SessionState.get_full_name()}
    visitor = await ask(browser, address)
    assert (is_drawn(visitor), visitor.status_code) == (False, status)
    menus = [_DATA.sub("", answer.text).count('aria-label="Hoofdmenu"') for answer in (customer, visitor)]
    assert menus[0] > 0
    assert menus[1] == 0
    assert SANNE[1] not in customer.text


async def test_every_page_with_data_has_a_policy_of_its_own_scripts(drawer: Drawer) -> None:
    assert set(drawer._policies) == set(_first)
    assert not [
        route for route, policy in drawer._policies.items() if "unsafe-inline" in policy.partition("script-src")[2]
    ]


@pytest.mark.parametrize("language", ["nl", "en"])
async def test_a_document_is_private_and_in_the_language_of_its_customer(
    browser: Browser, shop: Shop, language: str
) -> None:
    token = await shop.token(*SANNE)
    answer = await ask(browser, "/orders", "", cookie=f"session={token}; lang={language}")
    assert answer.headers["cache-control"] == "no-store, private"
    assert answer.headers["vary"] == "Cookie, Accept-Encoding"
    assert answer.headers["content-type"].startswith("text/html")
    assert "etag" not in answer.headers
    assert f'<html lang="{language}"' in answer.text
    assert {"nl": "Bestellingen", "en": "Orders"}[language] in answer.text
    assert SANNE[0] in _DATA.sub("", answer.text)


async def test_the_language_of_a_link_is_that_of_the_document(browser: Browser, shop: Shop) -> None:
    answer = await ask(browser, "/orders?lang=en", await shop.token(*SANNE))
    assert '<html lang="en"' in answer.text
    assert "lang=en" in answer.headers["set-cookie"]


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)])
async def test_a_document_is_compressed_as_the_browser_takes_it(
    browser: Browser, shop: Shop, accepted: str, encoding: str | None
) -> None:
    token = await shop.token(*SANNE)
    async with browser.client.stream(
        "GET", "/orders", headers={"cookie": f"session={token}", "accept-encoding": accepted}
    ) as answer:
        packed = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == encoding
    assert (b"<!DOCTYPE html>" in packed) == (encoding is None)


async def test_the_policy_allows_the_scripts_of_the_page_and_no_others(browser: Browser, shop: Shop) -> None:
    cookie = f"session={await shop.token(*SANNE)}; lang="
    answers = [
        await ask(browser, path, "", cookie=cookie + language)
        for path in ("/orders", f"/orders/{SANNE[0]}", REPAIR.path)
        for language in ("nl", "en")
    ]
    for answer in answers:
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["script-src"].split() == ["'self'", *script_hashes(answer.text)]
        nonces = re.findall(r'<style nonce="([\w-]{20,})">', answer.text)
        assert len(nonces) == (REPAIR.path not in str(answer.url))
        assert policy["style-src"].split() == ["'self'", *(f"'nonce-{nonce}'" for nonce in nonces)]


@pytest.mark.parametrize("drawing", [True, False])
async def test_markup_in_the_data_of_a_customer_stays_text(
    browser: Browser, undrawn: Browser, shop: Shop, drawing: bool
) -> None:
    evil = "</script><script>alert(1)</script><!--<img src=x>"
    browser = browser if drawing else undrawn
    token = await shop.token(*JORIS)
    before = script_hashes((await ask(browser, "/dashboard", token)).text)
    (name,) = {row[0] for row in shop_rows(shop, "SELECT first_name FROM customers WHERE email = ?", JORIS[1])}
    await shop.alter("UPDATE customers SET first_name = ? WHERE email = ?", evil, JORIS[1])
    try:
        answer = await ask(browser, "/dashboard", token)
    finally:
        await shop.alter("UPDATE customers SET first_name = ? WHERE email = ?", name, JORIS[1])
    assert "alert(1)" in answer.text
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text
    assert script_hashes(answer.text) == before
    assert any(evil in str(values) for values in data_of(answer).values())


def shop_rows(shop: Shop, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    import sqlite3

    with sqlite3.connect(shop.data_dir / "portal.db", timeout=60) as connection:
        found = connection.execute(statement, values).fetchall()
    connection.close()
    return found


async def test_two_customers_at_once_never_see_the_data_of_the_other(browser: Browser, shop: Shop) -> None:
    tokens = {customer: await shop.token(*customer) for customer in (SANNE, JORIS)}
    asked = [SANNE, JORIS] * 6
    answers = await asyncio.gather(*(ask(browser, "/orders", tokens[customer]) for customer in asked))
    for customer, answer in zip(asked, answers, strict=True):
        other = JORIS if customer == SANNE else SANNE
        assert is_drawn(answer)
        assert customer[0] in answer.text
        assert other[0] not in answer.text


@pytest.mark.parametrize("kind", ["order", "bike"])
async def test_a_detail_page_has_data_for_its_owner_only(browser: Browser, shop: Shop, kind: str) -> None:
    token = await shop.token(*SANNE)
    bikes = (await shop.ask(BikesApi).bikes(token)).items
    address = f"/orders/{SANNE[0]}" if kind == "order" else f"/bikes/{bikes[0].bike_id}"
    assert is_drawn(await ask(browser, address, token))
    theirs = await ask(browser, address, await shop.token(*JORIS))
    assert theirs.status_code == 200
    assert not data_of(theirs)
    assert theirs.headers["cache-control"] == "no-cache"


async def test_a_step_shows_its_draft_and_nothing_of_the_request(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    bikes = (await shop.ask(BikesApi).bikes(token)).items
    start = DraftStart(flow="repair-request", subject=bikes[0].bike_id, anew=True)
    draft = await shop.ask(FlowApi).open_draft(token, start)
    answer = await ask(browser, FLOW_STEP, token, **{"user-agent": "Mozilla of Sanne"})
    assert is_drawn(answer)
    assert f'value="{draft.draft_id}"' in answer.text
    assert rx.State.get_full_name() not in data_of(answer)
    for secret in (token, "Mozilla of Sanne", "rx_router", "session="):
        assert secret not in answer.text
    theirs = await ask(browser, FLOW_STEP, await shop.token(*JORIS))
    assert draft.draft_id not in theirs.text
    await shop.ask(FlowApi).discard_draft(token, draft.draft_id)


def _leads_to(answer: httpx.Response) -> str:
    return answer.headers["location"] if answer.status_code == 303 else ""


async def test_a_step_without_a_draft_leads_to_the_introduction_at_once(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*JORIS)
    for step in (FLOW_STEP, REPAIR.url(PHOTOS)):
        assert _leads_to(await ask(browser, step, token)) == REPAIR.path
    assert is_drawn(await ask(browser, REPAIR.path, token))


async def test_what_a_tab_may_know_of_a_request_is_left_to_the_tab(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*SANNE)
    (bike, *_) = await bikes_of(shop, token)
    await clear(shop, token)
    draft = await filled(shop, token, bike["id"])
    assert not _leads_to(await ask(browser, FLOW_STEP, token))
    await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    await shop.alter("UPDATE drafts SET sent_at = '2026-11-01 10:00:00' WHERE public_id = ?", draft.draft_id)
    assert not _leads_to(await ask(browser, FLOW_STEP, token)), "a tab shows that it was sent"
    await shop.alter("DELETE FROM drafts WHERE public_id = ?", draft.draft_id)
    assert _leads_to(await ask(browser, FLOW_STEP, token)) == REPAIR.path


async def test_an_introduction_that_does_not_fit_leads_to_the_one_that_does(browser: Browser, shop: Shop) -> None:
    token = await shop.token(*ROOS)
    answer = await ask(browser, f"/{RETURN}?order={PARTLY}", token)
    assert _leads_to(answer) == f"/{ACCESSORIES}"


@pytest.mark.parametrize(
    ("address", "own"), [("/withdrawal", [OwnOrders]), ("/cancel-contract", [Contracts]), ("/contact", [])]
)
async def test_a_page_for_everybody_is_drawn_for_customers(
    browser: Browser, shop: Shop, address: str, own: list[type[Loading]]
) -> None:
    session = data_of(await ask(browser, address, await shop.token(*SANNE)))
    assert set(session) == {state.get_full_name() for state in (SessionState, *own)}
    assert session[SessionState.get_full_name()]["authenticated_rx_state_"] is True
    stranger = await ask(browser, address)
    assert (stranger.status_code, data_of(stranger)) == (200, {})


@pytest.mark.parametrize("address", ["/orders", f"/orders/{SANNE[0]}"])
async def test_what_cannot_be_drawn_is_served_as_built_with_its_data(
    undrawn: Browser, browser: Browser, site: StaticSite, shop: Shop, address: str
) -> None:
    token = await shop.token(*SANNE)
    answer, built = await ask(undrawn, address, token), site.find(address)[0]
    assert answer.headers["cache-control"] == "no-store, private"
    assert _DATA.sub("", answer.text).replace("<body data-own>", "<body>") == site.read(built)
    assert answer.headers["content-security-policy"] == page_policy(site.read(built))
    of_orders = data_of(answer)
    times = {"idle_until_rx_state_", "expires_at_rx_state_"}
    for state, values in data_of(await ask(browser, address, token)).items():
        assert {k: v for k, v in values.items() if k not in times} == {
            k: v for k, v in of_orders[state].items() if k not in times
        }


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
async def test_without_a_session_there_is_no_document(browser: Browser, token: str) -> None:
    answer = await ask(browser, "/orders", token)
    assert (answer.status_code, answer.content) == (303, b"")


async def test_a_session_that_was_ended_elsewhere_leads_to_the_login(browser: Browser, shop: Shop) -> None:
    token = await shop.log_in(*SANNE)
    assert is_drawn(await ask(browser, "/orders", token))
    await shop.ask(LoginApi).logout(token)  # the check of the session is remembered for a moment
    answer = await ask(browser, "/orders", token)
    assert (answer.status_code, answer.headers["location"], answer.content) == (303, "/orders", b"")
    assert (await ask(browser, answer.headers["location"], token)).headers["location"] == "/?error=session_ended"


@pytest.mark.parametrize("address", ["/data-erased", "/assets/nowhere.js", "/not-found", "//orders"])
async def test_other_pages_are_served_as_built(browser: Browser, shop: Shop, address: str) -> None:
    answer = await ask(browser, address, await shop.token(*SANNE))
    assert not data_of(answer) or address == "//orders"


async def test_a_provider_that_fails_leaves_it_to_the_socket(browser: Browser, shop: Shop, provider_with: Any) -> None:
    async def fails(*_: Any) -> None:
        raise Unavailable

    token = await shop.token(*SANNE)
    provider_with("orders", fails)
    answer = await ask(browser, "/orders", token)
    assert answer.status_code == 200
    assert not data_of(answer)


async def test_a_provider_that_is_slow_leaves_it_to_the_socket(
    site: StaticSite, drawer: Drawer, shop: Shop, provider_with: Any
) -> None:
    async def sleeps(*_: Any) -> None:
        await asyncio.sleep(30)

    token = await shop.token(*SANNE)
    provider_with("orders", sleeps)
    impatient = DrawnDocuments(site, drawer, _first, app.router, 0.05)
    async with client_of(impatient) as client:
        answer = await ask(Browser(client), "/orders", token)
    assert answer.status_code == 200
    assert not data_of(answer)


async def test_too_many_requests_of_a_session_are_served_as_built(undrawn: Browser, shop: Shop) -> None:
    token = await shop.log_in(*JORIS)
    answers = [await ask(undrawn, f"/orders/{number}", token) for number in range(int(EVENT_BURST) * 2)]
    assert [answer.status_code for answer in answers] == [200] * len(answers)
