"""Limits on open sockets per browser session and per network address, because each uses memory of the worker."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol
from uuid import uuid4

import redis.asyncio
import structlog
from redis.exceptions import RedisError
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.settings import settings
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.forms import network_address

TRY_AGAIN_LATER = 1013
"""Close code of a socket that may be opened again in a moment."""

_COUNTED_SECONDS = 60
"""How long a socket is counted after the last sign of its worker."""

_SIGN_SECONDS = 20.0
_PREFIX = "portal:sockets:"
_TAKE = """
local now = tonumber(redis.call('TIME')[1])
for place, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[place + 2]) then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + tonumber(ARGV[2]), ARGV[1])
  redis.call('EXPIRE', key, ARGV[2])
end
return 1
"""
_SIGN = """
local now = tonumber(redis.call('TIME')[1])
for place, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + tonumber(ARGV[1]), ARGV[place + 1])
  redis.call('EXPIRE', key, ARGV[1])
end
"""

_log = structlog.get_logger(__name__)


class Counts(Protocol):
    """Counts the open sockets of each key."""

    async def take(self, keys: Sequence[str], limits: Sequence[int]) -> str | None: ...

    async def release(self, keys: Sequence[str], socket: str) -> None: ...


class OwnCounts:
    def __init__(self) -> None:
        """Start without sockets."""
        self._open: Counter[str] = Counter()

    async def take(self, keys: Sequence[str], limits: Sequence[int]) -> str | None:
        if any(self._open[key] >= limit for key, limit in zip(keys, limits, strict=True)):
            return None
        self._open.update(keys)
        return ""

    async def release(self, keys: Sequence[str], socket: str) -> None:  # noqa: ARG002 - all sockets of a key are alike
        self._open.subtract(keys)
        for key in keys:
            if self._open[key] <= 0:
                del self._open[key]


class SharedCounts:
    """Counts the sockets of all workers, in Redis. Without Redis, those of this worker that were not counted there.

    The worker gives a sign of all its sockets three times a minute, so one that was killed holds nobody's place for
    longer than a minute.
    """

    def __init__(self, url: str) -> None:
        """Use this Redis server; nothing is opened yet."""
        self._redis = redis.asyncio.Redis.from_url(url)
        self._own = OwnCounts()
        self._open: dict[str, Sequence[str]] = {}
        self._signing: asyncio.Task[None] | None = None

    async def take(self, keys: Sequence[str], limits: Sequence[int]) -> str | None:
        socket, names = uuid4().hex, [_PREFIX + key for key in keys]
        try:
            # pyrefly: ignore[not-async]  # redis types it for its client without await, too
            taken = await self._redis.eval(_TAKE, len(names), *names, socket, _COUNTED_SECONDS, *limits)
        except (RedisError, OSError) as error:
            _log.warning("sockets are counted by each worker", error=type(error).__name__)
            return await self._own.take(keys, limits)
        if not taken:
            return None
        self._open[socket] = names
        if self._signing is None or self._signing.done():
            self._signing = asyncio.create_task(self._sign(), name="sockets")
        return socket

    async def release(self, keys: Sequence[str], socket: str) -> None:
        if not socket:
            await self._own.release(keys, socket)
            return
        with suppress(RedisError, OSError):  # It is forgotten within a minute.
            for name in self._open.pop(socket):
                await self._redis.zrem(name, socket)

    async def _sign(self) -> None:
        while self._open:
            await asyncio.sleep(_SIGN_SECONDS)
            names = [(name, socket) for socket, given in self._open.items() for name in given]
            with suppress(RedisError, OSError):
                # pyrefly: ignore[not-async]  # redis types it for its client without await, too
                await self._redis.eval(
                    _SIGN, len(names), *(name for name, _ in names), _COUNTED_SECONDS, *(socket for _, socket in names)
                )


class SocketLimit:
    """ASGI middleware that refuses sockets above the limit. The page retries with increasing delay."""

    def __init__(
        self,
        app: ASGIApp,
        per_address: int | None = None,
        per_session: int | None = None,
        *,
        session_of: Callable[[HTTPConnection], str] = cookies.read_session,
        counts: Counts | None = None,
    ) -> None:
        options = settings()
        self._session_of = session_of
        self._app = app
        self._limits = {
            "address": per_address or options.sockets_per_address,
            "session": per_session or options.sockets_per_session,
        }
        self._counts = counts or (SharedCounts(options.redis_url) if options.redis_url else OwnCounts())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a socket below the limit, and every other request."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        limits = self._limits_of(HTTPConnection(scope))
        keys = list(limits)
        socket = await self._counts.take(keys, list(limits.values()))
        if socket is None:
            # Closing before accepting makes the server answer the handshake with 403.
            await receive()
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        try:
            await self._app(scope, receive, send)
        finally:
            await self._counts.release(keys, socket)

    def _limits_of(self, connection: HTTPConnection) -> dict[str, int]:
        """The limits of a socket by key. Keys are hashes, so what counts them knows no address and no token."""
        limits = {f"address:{fingerprint(network_address(connection))}": self._limits["address"]}
        if session := self._session_of(connection):
            limits[f"session:{fingerprint(session)}"] = self._limits["session"]
        return limits
