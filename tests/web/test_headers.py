"""Headers of single pages; those that all answers share are looked at where the portal is served."""

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
