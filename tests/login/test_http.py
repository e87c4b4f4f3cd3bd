"""Logging in and out over HTTP: cookies that no script reads, and nothing for other sites."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from portal.backend.limits import Limit
from portal.contract.common_api import SessionApi
from portal.contract.models import Locale
from portal.contract.session import LocaleChoice
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.login.provider.codes import LoginLimits
from portal.settings import settings
from portal.web.cookies import cookie_name
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.http_browser import ORIGIN, Browser, cookies_of
from tests.support.people import AMBER, NOOR, PIETER, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ASK = {"order_number": SANNE[0], "email": SANNE[1]}


@pytest.fixture
def on_https(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PORTAL_PUBLIC_URL", "https://mijn.bovenbuis.example")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


async def test_the_code_of_the_mail_logs_in(http_browser: Browser, shop: Shop) -> None:
    seen = len(shop.mailbox.mails_to(SANNE[1]))
    asked = await http_browser.post("/auth/code", ASK)
    answer = asked.json()
    assert (answer["success"], answer["error"], answer["details"]) == (True, None, None)
    assert answer["data"]["next"] == "/login/token"
    assert answer["data"]["email"] == ASK["email"], "as it was typed in this browser"
    opened = await http_browser.post("/auth/session", {"code": await shop.code(SANNE[1], seen)})
    assert opened.json() == {"success": True, "data": {"next": "/dashboard"}, "error": None, "details": None}
    token = http_browser.client.cookies["session"]
    assert (await shop.ask(SessionApi).customer_info(token)).customer.email == SANNE[1]
    assert token not in opened.text


async def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(http_browser: Browser, shop: Shop) -> None:
    cookie = cookies_of(await http_browser.log_in(shop, SANNE))["session"]
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "lax"
    assert cookie["path"] == "/"
    assert cookie["max-age"] == str(12 * 3600)
    assert not cookie["domain"]


@pytest.mark.usefixtures("on_https")
async def test_on_https_the_cookies_are_secure_and_bound_to_the_host(http_browser: Browser, shop: Shop) -> None:
    origin = {"origin": "https://localhost:8000"}
    seen = len(shop.mailbox.mails_to(SANNE[1]))
    asked = cookies_of(await http_browser.post("/auth/code", ASK, **origin))
    held = asked["__Host-challenge"]
    assert held["secure"]
    assert held["httponly"]
    jar = f"__Host-challenge={held.value}"
    opened = await http_browser.client.post(
        "/auth/session", json={"code": await shop.code(SANNE[1], seen)}, headers={**origin, "cookie": jar}
    )
    cookie = cookies_of(opened)["__Host-session"]
    assert cookie["secure"]
    assert cookie["path"] == "/"
    assert cookie_name(secure=True) == "__Host-session"
    assert (await http_browser.post("/auth/code", ASK)).status_code == 403, "http is another site"


@pytest.mark.parametrize(
    ("values", "status", "code", "fields"),
    [
        ({}, 422, Code.INVALID_INPUT, {"email": "required", "order_number": "required"}),
        ({"email": "x", "order_number": "9"}, 422, Code.INVALID_INPUT,
         {"email": "invalid_email", "order_number": "invalid_order_id"}),
        ({"email": SANNE[1], "order_number": "900000002"}, 403, Code.INVALID_CREDENTIALS, {}),
        ({"variant": "lease", "lease": "x", **ASK}, 422, Code.INVALID_FRAME_NUMBER, {"lease": "invalid_frame_number"}),
        ({"lease": "LEASE12345"}, 403, Code.LEASE_ORDER_NOT_ALLOWED, {}),
        ({"variant": "order", "lease": "LEASE12345", **ASK, "email": "y"}, 422, Code.INVALID_EMAIL,
         {"email": "invalid_email"}),
    ],
)  # fmt: skip
async def test_a_refused_request_says_why(
    http_browser: Browser, values: dict[str, str], status: int, code: Code, fields: dict[str, str]
) -> None:
    answer = await http_browser.post("/auth/code", values)
    body = answer.json()
    assert (answer.status_code, body["success"], body["data"], body["error"]) == (status, False, None, code)
    assert body["details"]["fields"] == fields
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(("code", "error"), [("000", "invalid_code"), ("", "required"), ("x" * 5000, "invalid_code")])
async def test_a_wrong_code_is_reported_beside_its_field(http_browser: Browser, code: str, error: str) -> None:
    # Somebody whose mails no other test counts.
    await http_browser.post("/auth/code", {"order_number": PIETER[0], "email": PIETER[1]})
    body = (await http_browser.post("/auth/session", {"code": code})).json()
    assert body["error"] == error or body["details"]["fields"] == {"code": error}
    assert "session" not in http_browser.client.cookies


async def test_another_code_is_mailed_without_typing_again(http_browser: Browser, shop: Shop) -> None:
    seen = len(shop.mailbox.mails_to(NOOR[1]))
    await http_browser.post("/auth/code", {"order_number": NOOR[0], "email": NOOR[1]})
    earlier = await shop.code(NOOR[1], seen)
    again = (await http_browser.post("/auth/code", {"resend": "1"})).json()
    assert again["success"]
    assert "next" not in again["data"]
    newer = await shop.code(NOOR[1], seen + 1)
    assert not (await http_browser.post("/auth/session", {"code": earlier})).json()["success"]
    assert (await http_browser.post("/auth/session", {"code": newer})).json()["success"]
    http_browser.client.cookies.clear()
    assert (await http_browser.post("/auth/code", {"resend": "1"})).json()["error"] == Code.NO_CHALLENGE


@pytest.fixture
def with_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another code can be asked for after a minute; what other tests asked for does not count."""
    usual = LoginLimits.of_code

    def of_code(self: LoginLimits, email_key: str, address: str, *, counts: bool) -> list[Limit]:
        limits = usual(self, f"waits {email_key}", address, counts=counts)
        return [replace(limit, gap=timedelta(minutes=1)) for limit in limits] if counts else limits

    monkeypatch.setattr(LoginLimits, "of_code", of_code)


@pytest.mark.usefixtures("with_a_wait")
async def test_asking_twice_leads_to_the_code_that_is_on_its_way(http_browser: Browser, shop: Shop) -> None:
    seen = len(shop.mailbox.mails_to(NOOR[1]))
    ask = {"order_number": NOOR[0], "email": NOOR[1]}
    await http_browser.post("/auth/code", ask)
    code, note = await shop.code(NOOR[1], seen), http_browser.client.cookies["code"]
    again = await http_browser.post("/auth/code", {"order_number": f" {NOOR[0]}", "email": NOOR[1].upper()})
    assert (again.status_code, again.json()["data"]) == (200, {"next": "/login/token"})
    without_scripts = await http_browser.submit("/auth/code", ask)
    assert (without_scripts.status_code, without_scripts.headers["location"]) == (303, "/login/token")
    assert http_browser.client.cookies["code"] == note, "the page tells when the code was mailed"
    told = json.loads(unquote(note))
    assert told["sent_at"] < told["resend_at"] < told["expires_at"]
    assert len(shop.mailbox.mails_to(NOOR[1])) == seen + 1
    assert (await http_browser.post("/auth/session", {"code": code})).json()["success"], "the first code still works"


@pytest.mark.usefixtures("with_a_wait")
async def test_another_browser_or_address_is_told_from_when_on(http_browser: Browser) -> None:
    ask = {"order_number": PIETER[0], "email": PIETER[1]}
    assert (await http_browser.post("/auth/code", ask)).status_code == 200
    # Another address in this browser: it is no answer to this question that a code is on its way.
    other = await http_browser.post("/auth/code", {"order_number": PIETER[0], "email": "nobody@example.com"})
    assert other.json()["error"] == Code.INVALID_CREDENTIALS
    http_browser.client.cookies.clear()
    refused = await http_browser.post("/auth/code", ask)
    assert (refused.status_code, refused.json()["error"]) == (429, Code.TOO_MANY_REQUESTS)
    retry_at = refused.json()["details"]["retry_at"]
    assert now() < datetime.fromisoformat(retry_at) < now() + timedelta(seconds=61)
    without_scripts = await http_browser.submit("/auth/code", ask)
    query = parse_qs(urlsplit(without_scripts.headers["location"]).query)
    assert query == {"error": [Code.TOO_MANY_REQUESTS.value], "retry_at": [retry_at]}


async def _log_in(http_browser: Browser, shop: Shop) -> None:
    seen = len(shop.mailbox.mails_to(AMBER[1]))
    await http_browser.post("/auth/code", {"order_number": AMBER[0], "email": AMBER[1]})
    await http_browser.post("/auth/session", {"code": await shop.code(AMBER[1], seen)})


async def _store(shop: Shop, language: Locale) -> None:
    token = await shop.log_in(*AMBER)
    await shop.ask(SessionApi).change_locale(token, LocaleChoice(locale=language))


async def test_after_the_login_the_portal_speaks_the_language_of_the_account(http_browser: Browser, shop: Shop) -> None:
    cookies = http_browser.client.cookies
    await _store(shop, "en")
    await _log_in(http_browser, shop)
    assert cookies["lang"] == "en"
    await http_browser.post("/auth/logout", {})
    assert cookies["lang"] == "en", "who logs out goes on in the same language"
    await _store(shop, "nl")
    await _log_in(http_browser, shop)
    assert cookies["lang"] == "nl", "a language taken over from the account is not a choice of this browser"
    cookies.delete("lang")
    cookies.set("lang", "en")
    await _log_in(http_browser, shop)
    stored = (await shop.ask(SessionApi).customer_info(cookies["session"])).locale
    shown = {cookie.value for cookie in cookies.jar if cookie.name == "lang"}
    assert (shown, stored) == ({"en"}, "en"), "what was chosen in this browser since counts"


async def test_the_login_mail_has_the_language_of_the_account_unless_the_browser_chose_one(
    http_browser: Browser, shop: Shop
) -> None:
    async def subject(language: str) -> str:
        http_browser.client.cookies.clear()
        if language:
            http_browser.client.cookies.set("lang", language)
        seen = len(shop.mailbox.mails_to(AMBER[1]))
        await http_browser.post("/auth/code", {"order_number": AMBER[0], "email": AMBER[1]})
        await shop.code(AMBER[1], seen)
        return str(shop.mailbox.mails_to(AMBER[1])[-1]["subject"])

    await _store(shop, "en")
    assert [await subject(""), await subject("nl")] == ["Your login code for Bovenbuis", "Je inlogcode voor Bovenbuis"]


async def test_a_link_of_a_mail_opens_in_the_language_of_the_mail(http_browser: Browser) -> None:
    cookies = http_browser.client.cookies
    await http_browser.open("/?lang=en")
    assert cookies["lang"] == "en"
    cookies.clear()
    await http_browser.open("/?lang=xx")
    assert "lang" not in cookies
    cookies.set("lang", "nl")
    await http_browser.open("/?lang=en")
    assert cookies["lang"] == "nl", "what this browser shows already stays"


async def test_without_scripts_the_forms_lead_on_and_back(http_browser: Browser, shop: Shop) -> None:
    refused = await http_browser.submit("/auth/code", {"order_number": "1", "email": SANNE[1], "variant": "order"})
    assert (refused.status_code, refused.headers["location"]) == (303, "/?error=invalid_order_id&field=order_number")
    seen = len(shop.mailbox.mails_to(SANNE[1]))
    asked = await http_browser.submit("/auth/code", {**ASK, "variant": "order", "lease": ""})
    assert (asked.status_code, asked.headers["location"]) == (303, "/login/token")
    wrong = await http_browser.submit("/auth/session", {"code": "abc"})
    assert wrong.headers["location"] == "/login/token?error=invalid_code"
    opened = await http_browser.submit("/auth/session", {"code": await shop.code(SANNE[1], seen)})
    assert (opened.status_code, opened.headers["location"]) == (303, "/dashboard")
    left = await http_browser.submit("/auth/logout", {"next": ""})
    assert (left.status_code, left.headers["location"]) == (303, "/")
    assert "session" not in http_browser.client.cookies


async def test_logging_out_ends_the_session_everywhere(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    token = http_browser.client.cookies["session"]
    assert (await http_browser.open("/dashboard")).status_code == 200
    left = await http_browser.post("/auth/logout", {})
    assert left.json()["data"] == {"next": "/"}
    assert left.headers["clear-site-data"] == '"storage"', "what was typed is for nobody else"
    http_browser.client.cookies.set("session", token)
    assert (await http_browser.open("/dashboard")).status_code == 303


async def test_a_failed_logout_says_so_and_keeps_the_session(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    async with nobody_answers(shop):
        answer = await http_browser.post("/auth/logout", {})
        assert (answer.status_code, answer.json()["error"]) == (503, Code.NETWORK_ERROR)
        assert "set-cookie" not in answer.headers
        asked = await http_browser.post("/auth/code", ASK)
        assert (asked.status_code, asked.json()["error"]) == (503, Code.NETWORK_ERROR)
    assert (await http_browser.open("/dashboard")).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:8000.evil.example"},
        {"origin": "http://localhost"},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
        {"origin": "javascript://localhost:8000"},
        {"origin": "http://[", "sec-fetch-site": "same-origin"},
        {"referer": f"{ORIGIN}/"},
    ],
)
@pytest.mark.parametrize("path", ["/auth/code", "/auth/session", "/auth/logout"])
async def test_another_site_cannot_post(http_browser: Browser, shop: Shop, path: str, headers: dict[str, str]) -> None:
    await http_browser.log_in(shop, SANNE)
    token = http_browser.client.cookies["session"]
    bodies: tuple[dict[str, Any], ...] = ({"json": ASK}, {"data": ASK})
    for body in bodies:
        answer = await http_browser.client.post(path, headers=headers, **body)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert await shop.ask(SessionApi).check_session(token)


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{" + b" " * 20_000 + b"}", "application/json", 413),
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 10_000, "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"email=x", "multipart/form-data; boundary=x", 415),
        (b"{}", "", 415),
        (b"\xff\xfe", "application/json", 400),
        (b'{"email": "\\ud800@example.com"}', "application/json", 400),
    ],
)
async def test_only_small_forms_and_json_are_read(
    http_browser: Browser, content: bytes, kind: str, status: int
) -> None:
    headers = {"origin": ORIGIN, "content-type": kind}
    answer = await http_browser.client.post("/auth/code", content=content, headers=headers)
    assert answer.status_code == status
