"""Sending HTTP requests with time limits, a size limit and retries for reads.

Tokens, bodies and paths are never logged, only the name of the operation.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import stamina
import structlog

from portal.client.answers import (
    MAX_ANSWER_BYTES,
    NotReached,
    PassingFault,
    Reply,
    TooLarge,
    is_file,
    pieces,
    whole,
)
from portal.contract.errors import Unavailable
from portal.kernel.codes import Code

_log = structlog.get_logger(__name__)

for _library in ("httpx", "httpcore"):
    # They log every URL, including order numbers.
    logging.getLogger(_library).setLevel(logging.WARNING)

PIECE_SECONDS = 90
"""Time limit for one chunk of a file, and for the answer to begin after the last one."""

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Limits:
    total_seconds: float = 8
    connect_seconds: float = 2
    connections: int = 100
    file_seconds: float = 30 * 60


QueryValue = str | int | list[str]
"""A query parameter; a list repeats the parameter."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request to send. `token` is the bearer token; `largest` limits the answer in bytes."""

    operation: str
    method: str
    path: str
    token: str | None = None
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    largest: int = MAX_ANSWER_BYTES


class Caller:
    def __init__(
        self,
        root: str,
        *,
        headers: Mapping[str, str],
        limits: Limits,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._limits = limits
        self._file_patience = httpx.Timeout(PIECE_SECONDS, connect=limits.connect_seconds)
        self._http = httpx.AsyncClient(
            base_url=root,
            # A compressed answer could grow without bound.
            headers={"Accept-Encoding": "identity", **headers},
            timeout=httpx.Timeout(limits.total_seconds, connect=limits.connect_seconds),
            limits=httpx.Limits(max_connections=limits.connections, max_keepalive_connections=20),
            follow_redirects=False,
            transport=transport,
            # All customers share this client: a cookie of one customer must never be sent for another.
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def send(self, call: Call) -> Reply:
        return await self._guarded(call, self._limits.total_seconds, lambda: self._tries(call))

    async def pass_on(self, call: Call) -> Reply:
        """Stream a body to the provider and read the answer. An error raised by the body itself is not converted."""
        return await self._guarded(call, self._limits.file_seconds, lambda: self._once(call))

    async def open(self, call: Call) -> Reply:
        """Send a call; the caller streams the body of a successful answer."""
        return await self._guarded(call, self._limits.total_seconds, lambda: self._tries(call, streams=True))

    async def _guarded(self, call: Call, seconds: float, act: Callable[[], Awaitable[Reply]]) -> Reply:
        try:
            async with asyncio.timeout(seconds):
                return await act()
        except TimeoutError:
            reason = "too slow"
        except NotReached as error:
            reason = error.reason
        except TooLarge:
            _log.warning("provider_not_understood", operation=call.operation, reason="answer too large")
            raise Unavailable from None
        _log.warning("provider_not_reached", operation=call.operation, reason=reason)
        raise Unavailable(Code.NETWORK_ERROR) from None

    async def _tries(self, call: Call, *, streams: bool = False) -> Reply:
        # Only reads are retried: an interrupted write may have taken effect.
        if call.method != "GET":
            return await self._once(call, streams=streams)
        retries = stamina.retry_context(
            on=PassingFault, attempts=_TRIES, timeout=None, wait_initial=0.1, wait_max=0.5, wait_jitter=0.1
        )
        async for attempt in retries:
            with attempt:
                return await self._once(call, streams=streams)
        raise AssertionError("unreachable: the last try returns or raises")

    def _request(self, call: Call) -> httpx.Request:
        headers = dict(call.headers)
        if call.token is not None:
            headers["Authorization"] = f"Bearer {call.token}"
        flowing = isinstance(call.body, AsyncIterator)
        return self._http.build_request(
            call.method,
            call.path,
            params=call.query or None,
            json=None if flowing else call.body,
            content=call.body if flowing else None,
            headers=headers | ({"Content-Type": "application/octet-stream"} if flowing else {}),
            timeout=self._file_patience if flowing else httpx.USE_CLIENT_DEFAULT,
        )

    async def _once(self, call: Call, *, streams: bool = False) -> Reply:
        try:
            response = await self._http.send(self._request(call), stream=True)
            if streams and is_file(response):
                return Reply(response.status_code, response.headers, b"", pieces(response))
            async with aclosing(response):
                return await whole(response, call.largest)
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise NotReached(type(error).__name__) from None
        except httpx.TransportError as error:
            raise PassingFault(type(error).__name__) from None
