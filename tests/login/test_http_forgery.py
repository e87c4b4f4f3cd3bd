"""What other sites, oversized forms and untrusted proxies achieve at the login: nothing."""

from __future__ import annotations

from typing import Any

import pytest

from portal.contract.common_api import SessionApi
from portal.settings import settings
from portal.web.forms import network_address
from tests.support.connections import Shop
from tests.support.http_browser import ORIGIN, Browser
from tests.support.people import SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ASK = {"order_number": SANNE[0], "email": SANNE[1]}


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


@pytest.mark.parametrize(
    ("hops", "forwarded", "address"),
    [
        (0, "203.0.113.9", "127.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.66, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.66, 203.0.113.9", "198.51.100.66"),
        (2, "203.0.113.9", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
async def test_limits_count_the_address_that_a_trusted_proxy_reports(
    monkeypatch: pytest.MonkeyPatch, hops: int, forwarded: str, address: str
) -> None:
    from starlette.requests import HTTPConnection

    monkeypatch.setenv("PORTAL_TRUSTED_PROXY_HOPS", str(hops))
    settings.cache_clear()
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "http", "headers": headers, "client": ("127.0.0.1", 4711)}
    assert network_address(HTTPConnection(scope)) == address
    monkeypatch.undo()
    settings.cache_clear()
