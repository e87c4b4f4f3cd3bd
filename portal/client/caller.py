"""Sending HTTP requests with a deadline, a size limit, retries for reads, and a circuit breaker.

Tokens, bodies and paths are never logged, only the name of the operation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import stamina
import structlog
from purgatory import AsyncCircuitBreakerFactory
from purgatory.domain.model import OpenedState

from portal.client.answers import (
    LARGEST_ANSWER,
    NotReached,
    PassingFault,
    Reply,
    TooLarge,
    call_when_over,
    is_file,
    pieces,
    whole,
)
from portal.contract.errors import ProviderError, Unavailable
from portal.kernel.codes import Code

_log = structlog.get_logger(__name__)

for _library in ("httpx", "httpcore"):
    # They log every URL, including order numbers.
    logging.getLogger(_library).setLevel(logging.WARNING)

FILE_SECONDS = 30 * 60
"""Time limit for a whole file."""

PIECE_SECONDS = 60
"""Time limit for one chunk of a file."""

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """Time and connection limits of a caller."""

    total_seconds: float = 8
    connect_seconds: float = 2
    failures: int = 5
    rest_seconds: float = 10
    connections: int = 100
    file_seconds: float = 90


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
    largest: int = LARGEST_ANSWER


_Act = Callable[[Call], Coroutine[Any, Any, Reply]]


class Caller:
    """Sends calls to one provider."""

    def __init__(
        self,
        root: str,
        *,
        headers: Mapping[str, str],
        limits: Limits,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Create the HTTP client; nothing is sent yet."""
        self._limits = limits
        self._file_patience = httpx.Timeout(PIECE_SECONDS, connect=limits.connect_seconds, read=limits.file_seconds)
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
        self._breakers = AsyncCircuitBreakerFactory(
            default_threshold=limits.failures,
            default_ttl=limits.rest_seconds,
            exclude=[asyncio.CancelledError, TooLarge, ProviderError],
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def send(self, call: Call) -> Reply:
        """Send a call and read the answer."""
        kind = "documents" if call.largest > LARGEST_ANSWER else "operations"
        deadline = asyncio.timeout(self._limits.total_seconds)
        return await self._guarded(call, kind, deadline, lambda call: self._tries(call, self._once))

    async def pass_on(self, call: Call) -> Reply:
        """Stream a body to the provider and read the answer. An error raised by the body itself is not converted."""

        async def act(call: Call) -> Reply:
            # A shorter deadline applies once the whole body is sent.
            body = call_when_over(call.body, lambda: self._due(deadline))
            return await self._once(replace(call, body=body))

        deadline = asyncio.timeout(FILE_SECONDS)
        return await self._guarded(call, "files", deadline, act)

    def _due(self, deadline: asyncio.Timeout) -> None:
        deadline.reschedule(asyncio.get_running_loop().time() + self._limits.file_seconds)

    async def open(self, call: Call) -> Reply:
        """Send a call; the caller streams the body of a successful answer."""
        deadline = asyncio.timeout(self._limits.total_seconds)
        return await self._guarded(call, "files", deadline, lambda call: self._tries(call, self._opened))

    async def _guarded(self, call: Call, kind: str, deadline: asyncio.Timeout, act: _Act) -> Reply:
        breaker = await self._breakers.get_breaker(kind)
        try:
            async with breaker, deadline:
                return await act(call)
        except OpenedState as state:
            rested = datetime.fromtimestamp(state.opened_at, UTC) + timedelta(seconds=self._limits.rest_seconds)
            raise Unavailable(Code.NETWORK_ERROR, retry_at=rested) from None
        except TimeoutError:
            _log.warning("provider_not_reached", operation=call.operation, reason="too slow")
        except NotReached as error:
            _log.warning("provider_not_reached", operation=call.operation, reason=error.reason)
        except TooLarge:
            _log.warning("provider_not_understood", operation=call.operation, reason="answer too large")
            raise Unavailable from None
        raise Unavailable(Code.NETWORK_ERROR) from None

    async def _tries(self, call: Call, act: _Act) -> Reply:
        # Only reads are retried: an interrupted write may have taken effect.
        if call.method != "GET":
            return await act(call)
        retries = stamina.retry_context(
            on=PassingFault, attempts=_TRIES, timeout=None, wait_initial=0.1, wait_max=0.5, wait_jitter=0.1
        )
        async for attempt in retries:
            with attempt:
                return await act(call)
        raise AssertionError("unreachable: the last try returns or raises")

    async def _opened(self, call: Call) -> Reply:
        try:
            response = await self._http.send(self._request(call), stream=True)
            if is_file(response):
                return Reply(response.status_code, response.headers, b"", pieces(response))
            async with aclosing(response):
                return await whole(response, LARGEST_ANSWER)
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise NotReached(type(error).__name__) from None
        except httpx.TransportError as error:
            raise PassingFault(type(error).__name__) from None

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

    async def _once(self, call: Call) -> Reply:
        try:
            response = await self._http.send(self._request(call), stream=True)
            async with aclosing(response):
                return await whole(response, call.largest)
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise NotReached(type(error).__name__) from None
        except httpx.TransportError as error:
            raise PassingFault(type(error).__name__) from None
