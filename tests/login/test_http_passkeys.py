"""Passkeys over HTTP: the cookie of the code, the challenge in another one, and the offer after a login."""

import json
from typing import Any

import httpx
import pytest

from portal.contract import registry
from portal.contract.common_api import SessionApi
from portal.kernel.codes import Code
from portal.login.api import PasskeysApi
from portal.routes import Edge
from portal.web.cookies import cookie_name
from tests.support.authenticator import Authenticator
from tests.support.connections import Shop
from tests.support.http_browser import Browser, client_of, cookies_of
from tests.support.people import AMBER, JORIS, NOOR, PIETER, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
OFFER = "/login/passkey"
PHONE = {"user-agent": "Mozilla/5.0 (Linux; Android 17; Pixel 11)"}


async def made(browser: Browser, device: Authenticator, **more: str) -> httpx.Response:
    """Make a passkey in a browser that is logged in."""
    asked = await browser.post("/auth/passkeys/options", {})
    credential = json.dumps(device.make(asked.json()["data"]["options"]))
    return await browser.post("/auth/passkeys", {"credential": credential, **more}, **PHONE)


async def signed(browser: Browser, device: Authenticator, **further: Any) -> httpx.Response:
    asked = await browser.post("/auth/passkey/options", {})
    credential = device.sign(asked.json()["data"]["options"]) | further
    return await browser.post("/auth/passkey", {"credential": json.dumps(credential)})


async def by_code(browser: Browser, shop: Shop, customer: tuple[str, str]) -> httpx.Response:
    """Log in with a code, in a browser whose device can keep a passkey."""
    seen = len(shop.mailbox.mails_to(customer[1]))
    await browser.post("/auth/code", {"order_number": customer[0], "email": customer[1]})
    return await browser.post("/auth/session", {"code": await shop.code(customer[1], seen), "passkeys": "1"})


async def test_a_passkey_opens_the_session_that_a_code_opens(http_browser: Browser, shop: Shop, edge: Edge) -> None:
    device = Authenticator(aaguid="00000000-0000-0000-0000-000000000000")
    by_mail = cookies_of(await http_browser.log_in(shop, SANNE))[cookie_name(secure=False)]
    assert (await made(http_browser, device)).json()["success"]
    passkey = (await shop.ask(PasskeysApi).passkeys(by_mail.value)).passkeys[0]
    assert passkey.device == "Android"
    async with client_of(edge) as client:
        visitor = Browser(client)
        await visitor.open("/orders?page=2")
        asked = await visitor.post("/auth/passkey/options", {})
        held = cookies_of(asked)["passkey"]
        assert (held["httponly"], held["samesite"], held["max-age"]) == (True, "lax", "300")
        # Some devices say more than others.
        response = await signed(visitor, device, clientExtensionResults={"largeBlob": "x" * 3000})
        assert response.json()["data"] == {"next": "/orders?page=2"}
        opened = cookies_of(response)
        assert not opened["passkey"].value
        assert not opened["next"].value
        session = opened[cookie_name(secure=False)]
        assert {name: value for name, value in session.items() if name != "expires"} == {
            name: value for name, value in by_mail.items() if name != "expires"
        }
        assert (await shop.ask(SessionApi).customer_info(session.value)).customer.email == SANNE[1]
        assert session.value not in response.text


async def test_an_answer_counts_in_the_browser_that_asked(http_browser: Browser, shop: Shop, edge: Edge) -> None:
    device = Authenticator()
    await http_browser.log_in(shop, NOOR)
    assert (await made(http_browser, device)).json()["success"]
    async with client_of(edge) as one, client_of(edge) as other:
        asked = await Browser(one).post("/auth/passkey/options", {})
        credential = json.dumps(device.sign(asked.json()["data"]["options"]))
        for browser, code in ((other, Code.PASSKEY_EXPIRED), (one, None), (one, Code.PASSKEY_EXPIRED)):
            response = await Browser(browser).post("/auth/passkey", {"credential": credential})
            assert response.json()["error"] == code


@pytest.mark.parametrize(
    "path",
    [
        "/auth/passkey/options",
        "/auth/passkey",
        "/auth/passkeys/options",
        "/auth/passkeys",
        "/auth/passkeys/later",
        "/auth/passkeys/never",
    ],
)
async def test_other_sites_post_nothing(http_browser: Browser, path: str) -> None:
    assert (await http_browser.post(path, {}, origin="https://evil.example")).status_code == 403


@pytest.mark.parametrize("credential", ["", "no json", "[]", "7", "{" * 5000, '{"id": 7}', "x" * 15_000])
async def test_what_no_device_says_is_refused(http_browser: Browser, credential: str) -> None:
    await http_browser.post("/auth/passkey/options", {})
    response = await http_browser.post("/auth/passkey", {"credential": credential})
    assert (response.status_code, response.json()["error"]) == (403, Code.INVALID_PASSKEY)


async def test_who_is_quicker_than_the_scripts_stays_on_the_page(http_browser: Browser, shop: Shop) -> None:
    assert (await http_browser.submit("/auth/passkey", {"offer": ""})).headers["location"] == "/"
    await http_browser.log_in(shop, JORIS)
    assert (await http_browser.submit("/auth/passkeys", {"offer": ""})).headers["location"] == "/my-data/passkeys"
    assert (await http_browser.submit("/auth/passkeys", {"offer": "1"})).headers["location"] == OFFER


async def test_a_passkey_is_offered_once_and_the_wanted_page_comes_next(http_browser: Browser, shop: Shop) -> None:
    await http_browser.open("/bikes")
    assert (await by_code(http_browser, shop, AMBER)).json()["data"] == {"next": OFFER}
    later = await http_browser.post("/auth/passkeys/later", {})
    assert later.json()["data"] == {"next": "/bikes"}
    await http_browser.post("/auth/logout", {})
    assert (await by_code(http_browser, shop, AMBER)).json()["data"] == {"next": "/dashboard"}


async def test_from_the_offer_a_new_passkey_leads_on(http_browser: Browser, shop: Shop, edge: Edge) -> None:
    await http_browser.open("/bikes")
    assert (await by_code(http_browser, shop, AMBER)).json()["data"] == {"next": OFFER}
    assert (await made(http_browser, Authenticator(), offer="1")).json()["data"] == {"next": "/bikes"}
    async with client_of(edge) as client:
        assert (await by_code(Browser(client), shop, AMBER)).json()["data"] == {"next": "/dashboard"}, "has one"


async def test_who_declines_is_not_asked_in_any_browser(http_browser: Browser, shop: Shop, edge: Edge) -> None:
    assert (await by_code(http_browser, shop, PIETER)).json()["data"] == {"next": OFFER}
    assert (await http_browser.post("/auth/passkeys/never", {})).json()["data"] == {"next": "/dashboard"}
    async with client_of(edge) as client:
        assert (await by_code(Browser(client), shop, PIETER)).json()["data"] == {"next": "/dashboard"}


async def test_a_device_without_passkeys_gets_no_offer(http_browser: Browser, shop: Shop) -> None:
    assert (await http_browser.log_in(shop, JORIS)).json()["data"] == {"next": "/dashboard"}


async def test_a_failure_of_the_provider_blocks_no_login(
    http_browser: Browser, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shop

    async def failing(token: str) -> None:
        from portal.contract.errors import Unavailable

        raise Unavailable

    monkeypatch.setattr(registry.connected().ask(PasskeysApi), "passkeys", failing)
    assert (await by_code(http_browser, shop, JORIS)).json()["data"] == {"next": "/dashboard"}
