"""Headers of single pages; those that all answers share are looked at where the portal is served."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.testing import capture_logs

from portal.backend.api.layers import ErrorMiddleware
from portal.settings import Settings
from portal.vocabulary.links import PATHS
from portal.web.headers import SecurityHeaders


async def a_page(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("a page")(scope, receive, send)


async def a_form(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse(await Request(scope, receive).body())(scope, receive, send)


@pytest.mark.parametrize("edge", [SecurityHeaders, partial(ErrorMiddleware, settings=Settings())], ids=["pages", "API"])
async def test_whoever_breaks_off_amid_a_body_costs_nothing(edge: Callable[[ASGIApp], ASGIApp]) -> None:
    arriving: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    answered: list[Message] = []

    async def receive() -> Message:
        return arriving.pop(0)

    async def send(message: Message) -> None:
        answered.append(message)

    scope = {"type": "http", "method": "POST", "path": "/auth/code", "headers": [], "client": ("192.0.2.1", 1)}
    with capture_logs() as log:
        await edge(a_form)(scope, receive, send)
    assert (answered, log) == ([], [])


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
