"""Passwords over HTTP: nothing of them unless they are offered; then the same cookie as a code opens."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from portal.contract.common_api import SessionApi
from portal.frontend.load import MISSING
from portal.frontend.session import SessionState
from portal.kernel.codes import Code
from portal.login.pages.password import PasswordLinkPage
from portal.routes import Edge
from portal.settings import settings
from tests.support.connections import UNHURRIED, Shop, opened
from tests.support.http_browser import Browser, cookies_of
from tests.support.people import NOOR, PIETER, SANNE
from tests.support.pipeline import Pipeline, running_pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
GOOD = "Fietsbel-2026!"

_LINK = re.compile(r"/password/reset/([\w-]{43})")

PAGES = ("/login/password", "/password/reset", "/password/reset/" + "x" * 43)
CALLS = ("/auth/password", "/auth/password-reset", "/auth/new-password")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PORTAL_PASSWORDS", "true")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def open_shop(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    chosen = {**UNHURRIED, "passwords": True}
    async with opened("services", demonstration, tmp_path_factory.mktemp("passwords"), chosen) as shop:
        yield shop


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(edge: Edge, open_shop: Shop, offered: None) -> AsyncIterator[Browser]:
    assert open_shop
    assert offered is None
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://localhost:8000") as client:
        yield Browser(client)


async def link_of(visitor: Browser, shop: Shop, customer: tuple[str, str]) -> str:
    """Ask for a link, and read its end in the mail."""
    seen = len(shop.mailbox.mails_to(customer[1]))
    asked = await visitor.post("/auth/password-reset", {"order_number": customer[0], "email": customer[1]})
    assert asked.json()["success"], asked.text
    return await asyncio.to_thread(shop.mailbox.found, _LINK, customer[1], after=seen)


async def set_password(visitor: Browser, end: str, password: str = GOOD, repeat: str = GOOD) -> httpx.Response:
    return await visitor.post("/auth/new-password", {"hash": end, "password": password, "repeat": repeat})


async def test_unless_they_are_offered_nothing_of_them_is_there(http_browser: Browser) -> None:
    for path in PAGES:
        assert (await http_browser.open(path)).status_code == 404, path
    for call in CALLS:
        answer = await http_browser.post(call, {"order_number": SANNE[0], "email": SANNE[1], "password": GOOD})
        assert (answer.status_code, answer.json()["error"]) == (404, Code.NOT_FOUND), call
        assert "set-cookie" not in answer.headers


async def test_unless_they_are_offered_a_customer_goes_on_to_the_account_in_one_step(
    http_browser: Browser, shop: Shop
) -> None:
    await http_browser.log_in(shop, SANNE)
    assert (await http_browser.open("/login/password")).headers["location"] == "/dashboard"
    assert (await http_browser.open("/password/reset")).status_code == 404


async def test_unless_they_are_offered_the_link_page_is_not_found(tabs: Pipeline) -> None:
    tab = tabs.tab("not-offered")
    await tab.send(PasswordLinkPage.load, path="/password/reset/" + "x" * 43)
    assert tab.shown(PasswordLinkPage, "view_state") == MISSING
    assert not tab.shown(SessionState, "passwords")


async def test_a_password_is_set_by_the_link_and_logs_in(visitor: Browser, open_shop: Shop) -> None:
    end = await link_of(visitor, open_shop, SANNE)
    answer = await set_password(visitor, end)
    assert answer.json()["data"] == {"next": "/login/password?done=1"}
    entered = await visitor.post("/auth/password", {"order_number": SANNE[0], "email": SANNE[1], "password": GOOD})
    assert entered.json() == {"success": True, "data": {"next": "/dashboard"}, "error": None, "details": None}
    cookie = cookies_of(entered)["session"]
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "lax"
    assert (await open_shop.ask(SessionApi).customer_info(cookie.value)).customer.email == SANNE[1]
    assert GOOD not in entered.text + answer.text
    assert (await visitor.open("/login/password")).headers["location"] == "/dashboard"
    assert (await visitor.open("/password/reset")).status_code == 200, "a first password can be set at any time"


async def test_setting_a_password_logs_this_browser_out_as_well(visitor: Browser, open_shop: Shop) -> None:
    await visitor.log_in(open_shop, NOOR)
    assert (await visitor.open("/dashboard")).status_code == 200
    answer = await set_password(visitor, await link_of(visitor, open_shop, NOOR))
    assert cookies_of(answer)["session"].value == ""
    assert (await visitor.open("/dashboard")).status_code == 303


async def test_the_page_of_a_link_tells_what_it_is_good_for(visitor: Browser, open_shop: Shop) -> None:
    end = await link_of(visitor, open_shop, PIETER)
    async with running_pipeline() as pipeline:
        tab = pipeline.tab("link")
        await tab.send(PasswordLinkPage.load, path=f"/password/reset/{end}")
        assert tab.shown(PasswordLinkPage, "view_state") == "valid"
        assert tab.shown(PasswordLinkPage, "email") == "p…@…org"
        assert tab.shown(SessionState, "passwords") is True
        sent = repr([delta.get(PasswordLinkPage.get_full_name()) for delta in tab.deltas])
        assert end not in sent, "the end of the link is kept in no state"
        await set_password(visitor, end)
        await tab.send(PasswordLinkPage.load, path=f"/password/reset/{end}")
        assert tab.shown(PasswordLinkPage, "view_state") == "used"
        await tab.send(PasswordLinkPage.load, path="/password/reset/cut")
        assert tab.shown(PasswordLinkPage, "view_state") == "invalid"
        late = await link_of(visitor, open_shop, PIETER)
        await open_shop.alter("UPDATE confirmation_links SET expires_at = '2020-01-01 00:00:00' WHERE used_at IS NULL")
        await tab.send(PasswordLinkPage.load, path=f"/password/reset/{late}")
        assert tab.shown(PasswordLinkPage, "view_state") == "expired"
        # Also for somebody who is logged in: a mail is opened in any browser.
        signed = signed_in(pipeline.tab("signed"), await open_shop.log_in(*PIETER))
        await signed.send(PasswordLinkPage.load, path=f"/password/reset/{end}")
        assert signed.shown(PasswordLinkPage, "view_state") == "used"


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        ({}, 422, Code.INVALID_INPUT),
        ({"password": GOOD}, 422, Code.INVALID_INPUT),
        ({"order_number": SANNE[0], "email": "x", "password": GOOD}, 422, Code.INVALID_EMAIL),
        ({"order_number": SANNE[0], "email": SANNE[1]}, 422, Code.REQUIRED),
        ({"order_number": SANNE[0], "email": SANNE[1], "password": "Wrong-pass-1"}, 403, Code.WRONG_PASSWORD),
        ({"order_number": "900000002", "email": SANNE[1], "password": GOOD}, 403, Code.WRONG_PASSWORD),
    ],
)
async def test_a_refused_login_says_why_and_opens_nothing(
    visitor: Browser, values: dict[str, str], status: int, code: Code
) -> None:
    answer = await visitor.post("/auth/password", values)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("call", CALLS)
async def test_only_our_own_pages_may_post(visitor: Browser, call: str) -> None:
    assert (await visitor.client.post(call, json={}, headers={"origin": "https://evil.example"})).status_code == 403
    assert (await visitor.client.get(call)).status_code == 405


async def test_without_scripts_the_forms_lead_on_and_back(visitor: Browser, open_shop: Shop) -> None:
    pair = {"order_number": PIETER[0], "email": PIETER[1]}
    asked = await visitor.submit("/auth/password-reset", pair)
    assert (asked.status_code, asked.headers["location"]) == (303, "/password/reset?done=1")
    refused = await visitor.submit("/auth/password", {**pair, "password": "Wrong-pass-1"})
    assert refused.headers["location"] == "/login/password?error=wrong_password"
    assert GOOD not in refused.headers["location"]
    assert open_shop
