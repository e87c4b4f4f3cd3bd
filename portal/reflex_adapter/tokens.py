"""Assigns sockets to browser tabs: a tab that reconnects keeps its state, and a stolen tab token gives no access.

Reaches: `app.event_namespace._token_manager`, which is replaced; LocalTokenManager and RedisTokenManager of
    reflex.utils.token_manager, which are subclassed, and its SocketRecord; the handshake data of python-socketio.
Why: the tab token is the only credential that Reflex checks. It is generated with `Math.random` and sent in a URL. A
    tab that reconnects before its old socket times out gets an empty state.
Gain: a stolen tab token gives no access, and customers continue where they were when their phone changes networks.
Test: tests/reflex_adapter/test_tab_tokens.py, test_shared_tab_tokens.py, test_socket.py.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias
from uuid import uuid4

import reflex as rx
from redis.asyncio import Redis
from reflex.utils.token_manager import LocalTokenManager, RedisTokenManager, SocketRecord

from portal.web.cookies import fingerprint

logger = logging.getLogger(__name__)
CookieOf: TypeAlias = Callable[[str], str]
TokenOf: TypeAlias = Callable[[str], str]
CloseSocket: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]
REMEMBERED_SECONDS = 2 * 3600
"""How long the session of a tab is remembered: longer than the tab's state is stored after its last event."""

_ENTRIES = 50_000
_SESSION_KEY = "portal_tab_session_"

# Claims a tab for a session and a socket atomically, so that two workers never give one tab to two sessions. A tab
# without a session goes to the first session that claims it while it has no socket. Returns 1 if the claim succeeds.
_CLAIM = """
local known = redis.call('GET', KEYS[1])
if known and known ~= ARGV[1] and (known ~= '' or redis.call('EXISTS', KEYS[2]) == 1) then return 0 end
if not known and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
return 1
"""


def replace_token_manager(app: rx.App, token_of: TokenOf) -> None:
    namespace = app.event_namespace
    if namespace is None:
        return  # an app without states has no socket

    def cookie_of(sid: str) -> str:
        environ = namespace.app.sio.get_environ(sid, namespace.namespace) if namespace.app.sio else None
        headers = (environ or {}).get("asgi.scope", {}).get("headers", [])
        return "; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie")

    async def close_socket(sid: str) -> None:
        await namespace.disconnect(sid)

    default = namespace._token_manager
    namespace._token_manager = (
        SharedTakeoverTokenManager(default.redis, cookie_of, close_socket, token_of)
        if isinstance(default, RedisTokenManager)
        else TakeoverTokenManager(cookie_of, close_socket, token_of)
    )


class _Closer:
    def __init__(self, close: CloseSocket) -> None:
        self._close = close
        self._closing: set[asyncio.Task[None]] = set()

    def close_later(self, sid: str) -> None:
        task = asyncio.create_task(self._close(sid))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


class TakeoverTokenManager(LocalTokenManager):
    """Assigns a tab to the newest socket of the same browser session.

    A phone that changes networks reconnects before the server notices that the old socket is dead; Reflex would then
    give it an empty state. Here the new socket takes over if its handshake has the session of the old one. The old
    socket is closed; if its tab is still open, it reconnects when the customer returns to it.

    A socket with another session gets a new tab token, so it never receives responses meant for the first one.
    """

    def __init__(
        self,
        cookie_of: CookieOf,
        close_socket: CloseSocket,
        token_of: TokenOf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._cookie_of, self._closer, self._token_of, self._clock = cookie_of, _Closer(close_socket), token_of, clock
        self._sessions: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        session = fingerprint(self._token_of(self._cookie_of(sid)))
        _, known = self._sessions.get(token, (0.0, ""))
        connected = self.token_to_socket.get(token)
        if known != session and (known or (connected is not None and connected.sid != sid)):
            logger.info("a tab's token came with another session: it gets a new one")
            return self._link_fresh(sid, session)
        if connected is not None and connected.sid != sid:
            self.sid_to_token.pop(connected.sid, None)
            self._closer.close_later(connected.sid)
        self._link(token, sid, session)
        return None

    async def disconnect_token(self, token: str, sid: str) -> None:
        connected = self.token_to_socket.get(token)
        if connected is not None and connected.sid == sid:
            self.token_to_socket.pop(token, None)
        self.sid_to_token.pop(sid, None)

    def _link_fresh(self, sid: str, session: str) -> str:
        token = str(uuid4())
        self._link(token, sid, session)
        return token

    def _link(self, token: str, sid: str, session: str) -> None:
        self.token_to_socket[token] = SocketRecord(instance_id=self.instance_id, sid=sid)
        self.sid_to_token[sid] = token
        moment = self._clock()
        self._sessions[token] = (moment, session)
        self._sessions.move_to_end(token)
        while self._sessions:
            oldest, (linked_at, _) = next(iter(self._sessions.items()))
            if oldest in self.token_to_socket and len(self._sessions) <= _ENTRIES:
                break
            if moment - linked_at < REMEMBERED_SECONDS and len(self._sessions) <= _ENTRIES:
                break
            self._sessions.popitem(last=False)


class SharedTakeoverTokenManager(RedisTokenManager):
    """Assigns a tab to the newest socket of the same browser session, across all workers.

    The worker with the old socket learns of the takeover from Redis. It closes the socket and forwards the results of
    events that are still running. A socket with another session gets a new tab token.
    """

    def __init__(self, redis: Redis, cookie_of: CookieOf, close_socket: CloseSocket, token_of: TokenOf) -> None:
        super().__init__(redis)
        self._cookie_of, self._closer, self._token_of = cookie_of, _Closer(close_socket), token_of
        self._own: dict[str, str] = {}

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        self._ensure_socket_record_task()
        session = fingerprint(self._token_of(self._cookie_of(sid)))
        if await self._claim(token, sid, session):
            return None
        logger.info("a tab's token came with another session: it gets a new one")
        fresh = str(uuid4())
        await self._claim(fresh, sid, session)
        return fresh

    async def disconnect_token(self, token: str, sid: str) -> None:
        if self._own.get(token) == sid:
            del self._own[token]
        await super().disconnect_token(token, sid)

    async def _claim(self, token: str, sid: str, session: str) -> bool:
        record = SocketRecord(instance_id=self.instance_id, sid=sid)
        keys = (_SESSION_KEY + token, self._get_redis_key(token))
        values = (session, REMEMBERED_SECONDS, pickle.dumps(record), self.token_expiration)
        # pyrefly: ignore[not-async]  # redis types it for its client without await, too
        if not await self.redis.eval(_CLAIM, len(keys), *keys, *values):
            return False
        before, self._own[token] = self._own.get(token), sid
        if before not in {None, sid}:
            self.sid_to_token.pop(str(before), None)
            self._closer.close_later(str(before))
        self.token_to_socket[token], self.sid_to_token[sid] = record, token
        return True

    async def _fetch_socket_record(self, token: str) -> SocketRecord | None:
        """The current socket of a tab. If another worker took the tab over, this worker's socket is closed."""
        record = await super()._fetch_socket_record(token)
        own = self._own.get(token)
        if record is not None and own is not None and record.instance_id != self.instance_id:
            del self._own[token]
            self.sid_to_token.pop(own, None)
            self._closer.close_later(own)
        return record
