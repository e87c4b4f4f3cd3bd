"""Headers of single pages; those that all answers share are looked at where the portal is served."""

from __future__ import annotations

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from portal.vocabulary.links import PATHS
from portal.web.headers import SecurityHeaders


async def a_page(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("a page")(scope, receive, send)


async def headers_of(path: str) -> httpx.Headers:
    transport = httpx.ASGITransport(SecurityHeaders(a_page))
    async with httpx.AsyncClient(transport=transport, base_url="http://portal") as client:
        return (await client.get(path)).headers


@pytest.mark.parametrize("path", PATHS.values())
async def test_the_address_of_a_mailed_link_is_revealed_to_nobody(path: str) -> None:
    headers = await headers_of(f"{path}/{'a' * 43}")
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-robots-tag"] == "noindex"


@pytest.mark.parametrize("path", ["/", "/orders", "/order-return", "/delivery-date/900000001"])
async def test_other_pages_are_reported_to_our_own(path: str) -> None:
    headers = await headers_of(path)
    assert headers["referrer-policy"] == "same-origin"
    assert "x-robots-tag" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/mailbox", 200), ("POST", "/mailbox", 405), ("OPTIONS", "/ping", 200), ("PUT", "/auth/session", 405)],
)
async def test_what_the_framework_answers_by_itself_has_the_headers(
    monkeypatch: pytest.MonkeyPatch, method: str, path: str, status: int
) -> None:
    monkeypatch.setenv("__REFLEX_SKIP_COMPILE", "true")
    from portal.portal import served

    transport = httpx.ASGITransport(served())
    asked = {"origin": "http://localhost:8000", "access-control-request-method": "GET"} if method == "OPTIONS" else {}
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        answer = await client.request(method, path, headers=asked)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
