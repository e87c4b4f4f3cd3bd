"""Passes requests for the staff site to the process that serves it.

Requests and answers are streamed as they came, and sockets keep their close codes. Decision 0078 says why this is no
library.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import httpx
import structlog
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosed, WebSocketException

from portal.kernel.texts import N_, catalogue
from portal.settings import Settings
from portal.web import cookies
from portal.web.forms import host_of, network_address, reject
from portal.web.small_page import small_page
from portal.web.sockets import TRY_AGAIN_LATER

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

_log = structlog.get_logger(__name__)
_LOOPBACK = "127.0.0.1"
_TIMEOUTS = {"connect": 2.0, "read": 120.0, "write": 60.0, "pool": 10.0}
_HANDSHAKE_SECONDS = 10
_LARGEST_MESSAGE = 4 * 1024 * 1024
_MESSAGES_AHEAD = 16
"""Messages of the staff process that wait for a slow browser; then it is not read until the browser is."""

_OF_ONE_CONNECTION = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""Headers that are not passed on (RFC 9110, section 7.6.1)."""

_OF_A_HANDSHAKE = frozenset(
    {
        b"host",
        b"sec-websocket-key",
        b"sec-websocket-version",
        b"sec-websocket-extensions",
        b"sec-websocket-protocol",
        b"content-length",
    }
)
"""Headers that the client of the socket makes itself."""

Headers = list[tuple[bytes, bytes]]

NORMAL, GOING_AWAY, NO_CODE, BROKEN = 1000, 1001, 1005, 1006


class Forwarding:
    """ASGI app that sends requests and sockets to the process of the staff site, and its answers back."""

    def __init__(self, options: Settings) -> None:
        """Send them to the `desk_port` of these settings."""
        self._options = options

    @cached_property
    def _transport(self) -> httpx.AsyncHTTPTransport:
        # Only for the loopback, where nothing is encrypted. So no certificates are read.
        return httpx.AsyncHTTPTransport(
            verify=False,
            limits=httpx.Limits(max_connections=200, keepalive_expiry=30),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request or a socket."""
        await (self._forward if scope["type"] == "http" else self._bridge)(scope, receive, send)

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a request to the staff process, and its answer back."""
        try:
            address = httpx.URL(scheme="http", host=_LOOPBACK, port=self._options.desk_port, raw_path=_target(scope))
        except (httpx.InvalidURL, ValueError):  # an address that no browser sends
            await Response(status_code=400)(scope, receive, send)
            return
        request = httpx.Request(
            scope["method"],
            address,
            headers=self._headers(scope),
            content=_body(receive) if _has_body(scope) else None,
            extensions={"timeout": _TIMEOUTS},
        )
        try:
            answer = await self._transport.handle_async_request(request)
        except httpx.TransportError as error:
            _log.debug("the staff site does not answer", error=type(error).__name__)
            await _not_up(scope)(scope, receive, send)
            return
        try:
            headers = _passed_on(answer.headers.raw)
            await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
            async for part in answer.aiter_raw():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await answer.aclose()

    async def _bridge(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Connect a socket with one of the staff process."""
        from websockets.asyncio.client import connect

        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in self._headers(scope)
            if name not in _OF_A_HANDSHAKE
        ]
        await receive()  # the message that the browser wants to connect
        try:
            desk = await connect(
                f"ws://{host_of(scope)}{_target(scope).decode('latin-1')}",
                host=_LOOPBACK,
                port=self._options.desk_port,
                additional_headers=headers,
                subprotocols=scope.get("subprotocols") or None,
                user_agent_header=None,
                compression=None,
                open_timeout=_HANDSHAKE_SECONDS,
                ping_interval=None,
                max_size=_LARGEST_MESSAGE,
                max_queue=_MESSAGES_AHEAD,
                proxy=None,
            )
        except (OSError, TimeoutError, WebSocketException, ValueError) as error:
            _log.debug("the staff site takes no socket", error=type(error).__name__)
            # Closing before accepting makes the server answer the handshake with 403.
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        await send({"type": "websocket.accept", "subprotocol": desk.subprotocol})
        await _exchange(desk, receive, send)

    def _headers(self, scope: Scope) -> Headers:
        """The headers of a request as the staff process gets them.

        Behind trusted proxies the addresses stay as they came, because this process adds no hop of its own: the staff
        process counts the same number of proxies, whether it is reached through here or directly.
        """
        headers = _passed_on(scope["headers"])
        if not self._options.trusted_proxy_hops:
            connection = HTTPConnection(scope)
            own = {
                b"x-forwarded-for": network_address(connection).encode(),
                b"x-forwarded-proto": connection.url.scheme.replace("ws", "http").encode(),
                b"x-forwarded-host": host_of(scope).encode("latin-1"),
            }
            headers = [(name, value) for name, value in headers if name not in own] + list(own.items())
        return headers


def _target(scope: Scope) -> bytes:
    path = scope.get("raw_path") or scope["path"].encode()
    return path.partition(b"?")[0] + (b"?" + scope["query_string"] if scope.get("query_string") else b"")


def _passed_on(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    plain = [(name.lower(), value) for name, value in headers]
    named = {part.strip().lower() for name, value in plain if name == b"connection" for part in value.split(b",")}
    return [(name, value) for name, value in plain if name not in _OF_ONE_CONNECTION | named]


def _has_body(scope: Scope) -> bool:
    return any(name in {b"content-length", b"transfer-encoding"} for name, _ in scope["headers"])


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    """The body as it arrives; the next part is asked for when the last one has left."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise httpx.WriteError("the browser went away")
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _exchange(desk: ClientConnection, receive: Receive, send: Send) -> None:
    """Pass on messages both ways until one side closes; the other is closed with the same code."""
    reading = asyncio.create_task(_to_desk(desk, receive), name="to-desk")
    writing = asyncio.create_task(_to_browser(desk, send), name="to-browser")
    try:
        await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done() and reading.exception() is None:
            await desk.close(*reading.result())
        elif writing.done() and writing.exception() is None:
            code, reason = writing.result()
            with suppress(OSError, RuntimeError):  # the browser is gone already
                await send({"type": "websocket.close", "code": code, "reason": reason})
    finally:
        for task in (reading, writing):
            task.cancel()
        await asyncio.gather(reading, writing, return_exceptions=True)
        await desk.close(GOING_AWAY)


async def _to_desk(desk: ClientConnection, receive: Receive) -> tuple[int, str]:
    """Pass on what the browser sends. Returns code and reason of its end."""
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return _sendable(message.get("code"), GOING_AWAY), message.get("reason") or ""
        text, data = message.get("text"), message.get("bytes")
        with suppress(ConnectionClosed):  # `_to_browser` tells the browser
            await desk.send(text if text is not None else data or b"")


async def _to_browser(desk: ClientConnection, send: Send) -> tuple[int, str]:
    """Pass on what the staff process sends. Returns code and reason of its end."""
    with suppress(ConnectionClosed):
        async for message in desk:
            kind = "text" if isinstance(message, str) else "bytes"
            await send({"type": "websocket.send", kind: message})
    return _sendable(desk.close_code, TRY_AGAIN_LATER), desk.close_reason or ""


def _sendable(code: int | None, broken: int) -> int:
    """A close code that may be sent: 1005 means that there was none, 1006 that the connection broke."""
    if code is None or code == BROKEN:
        return broken
    return NORMAL if code == NO_CODE else code


_TITLE = N_("The staff site is starting")
_WAIT = N_("The first time this takes a minute, after that a few seconds. The page opens by itself.")
_AGAIN_SECONDS = 2


def _not_up(scope: Scope) -> Response:
    """A page that opens the staff site as soon as it is there; a script gets the status alone."""
    connection = HTTPConnection(scope)
    headers = {"retry-after": str(_AGAIN_SECONDS)}
    if "text/html" not in connection.headers.get("accept", ""):
        answer = reject(503)
        answer.headers.update({**headers, "cache-control": "no-store"})
        return answer
    language = cookies.language(connection)
    texts = catalogue(language)
    below = f"<p>{escape(texts.gettext(_WAIT))}</p>"
    return small_page(texts.gettext(_TITLE), below, 503, language, headers, reload_after=_AGAIN_SECONDS)
