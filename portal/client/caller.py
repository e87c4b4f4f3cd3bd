"""One HTTP call, kept short: deadline, largest answer, further tries for reads, a breaker for a provider that is down.

Nothing of what travels is logged: neither tokens nor bodies nor paths, only the name of the operation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import stamina
import structlog
from purgatory import AsyncCircuitBreakerFactory
from purgatory.domain.model import OpenedState

from portal.contract.errors import Unavailable
from portal.domain.codes import Code

_log = structlog.get_logger(__name__)
for _library in ("httpx", "httpcore"):
    # They write every address, and so order numbers, to the log.
    logging.getLogger(_library).setLevel(logging.WARNING)

LARGEST_ANSWER = 1024 * 1024
"""Bytes of an answer; a page of a list has some tens of thousands."""
LARGEST_DOCUMENT = 20 * 1024 * 1024
"""Bytes of a file."""
_GATEWAY_FAULTS = frozenset({502, 503, 504})
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient a caller is.

    Attributes:
        total_seconds: for a whole operation, further tries included.
        connect_seconds: for reaching the provider.
        failures: so many operations in a row that did not reach it, and it counts as down.
        rest_seconds: how long it is left alone then.
        connections: how many there are at once; a further call waits for one.
    """

    total_seconds: float = 8
    connect_seconds: float = 2
    failures: int = 5
    rest_seconds: float = 10
    connections: int = 100


QueryValue = str | int | list[str]
"""What a query can carry; a list is repeated."""


@dataclass(frozen=True, slots=True)
class Call:
    """What to send. `token` is the bearer token; `largest` limits the answer in bytes."""

    operation: str
    method: str
    path: str
    token: str | None = None
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    largest: int = LARGEST_ANSWER


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whole."""

    status: int
    headers: httpx.Headers
    body: bytes


class NotReached(Exception):
    """No answer of the provider came. `reason` is fit for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PassingFault(NotReached):
    """Another try may succeed."""


class TooLarge(Exception):
    """The answer is larger than any that is expected."""


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
        """Prepare; nothing is sent yet.

        Args:
            root: address before the paths.
            headers: sent with every call.
            limits: how patient to be.
            transport: reaches an ASGI app instead of the network.
        """
        self._limits = limits
        self._http = httpx.AsyncClient(
            base_url=root,
            # A plain answer has a known size; a compressed one could grow without bound.
            headers={"Accept-Encoding": "identity", **headers},
            timeout=httpx.Timeout(limits.total_seconds, connect=limits.connect_seconds),
            limits=httpx.Limits(max_connections=limits.connections, max_keepalive_connections=20),
            follow_redirects=False,
            transport=transport,
            # The client serves all customers: a cookie meant for one must never go out for another.
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )
        self._breakers = AsyncCircuitBreakerFactory(
            default_threshold=limits.failures,
            default_ttl=limits.rest_seconds,
            exclude=[asyncio.CancelledError, TooLarge],
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def send(self, call: Call) -> Reply:
        """Send a call and read the answer.

        Raises:
            Unavailable: `network_error`, no answer came in time; `retry_at` when the provider is left alone for now.
        """
        breaker = await self._breakers.get_breaker("documents" if call.largest > LARGEST_ANSWER else "operations")
        try:
            async with breaker, asyncio.timeout(self._limits.total_seconds):
                return await self._tries(call)
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

    async def _tries(self, call: Call) -> Reply:
        # Only reading may be done twice; nobody knows whether an interrupted change was made.
        if call.method != "GET":
            return await self._once(call)
        retries = stamina.retry_context(
            on=PassingFault, attempts=_TRIES, timeout=None, wait_initial=0.1, wait_max=0.5, wait_jitter=0.1
        )
        async for attempt in retries:
            with attempt:
                return await self._once(call)
        raise AssertionError("unreachable: the last try returns or raises")

    async def _once(self, call: Call) -> Reply:
        headers = dict(call.headers)
        if call.token is not None:
            headers["Authorization"] = f"Bearer {call.token}"
        try:
            async with self._http.stream(
                call.method, call.path, params=call.query or None, json=call.body, headers=headers
            ) as response:
                if response.status_code in _GATEWAY_FAULTS and not _is_json(response):
                    raise PassingFault(f"status {response.status_code}")
                return Reply(response.status_code, response.headers, await _read(response, call.largest))
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise NotReached(type(error).__name__) from None
        except httpx.TransportError as error:
            raise PassingFault(type(error).__name__) from None


def _is_json(response: httpx.Response) -> bool:
    return response.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


async def _read(response: httpx.Response, largest: int) -> bytes:
    announced = response.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > largest:
        raise TooLarge
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > largest:
            raise TooLarge
    return bytes(body)
