"""Which socket speaks for a tab: a tab that reconnects keeps its state, a stolen tab token gets nothing.

Reaches: `app.event_namespace._token_manager`, which is replaced; LocalTokenManager, RedisTokenManager and SocketRecord
    of reflex.utils.token_manager, which are subclassed; what python-socketio keeps of a handshake.
Why: the tab's token is the only credential that Reflex checks, it is made with `Math.random` and travels in an address.
    A tab that reconnects before its old socket was found dead is given an empty state.
Gain: a stolen tab token opens nothing, and a customer whose telephone changes networks goes on where they were.
Test: test_the_manager_of_the_app_is_ours, test_what_reflex_calls_of_a_token_manager
    (tests/reflex_adapter/test_tokens.py).
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

from portal.web.cookies import fingerprint, session_token

logger = logging.getLogger(__name__)

CookieOf: TypeAlias = Callable[[str], str]

CloseSocket: TypeAlias = Callable[[str], Coroutine[Any, Any, None]]

REMEMBERED_SECONDS = 2 * 3600
"""Longer than a tab's state is kept after its last event."""

_ENTRIES = 50_000

_SESSION_KEY = "portal_tab_session_"

# Claims a tab for a session and a socket, in one step: two workers never give the same tab to two sessions. A tab of
# nobody goes to the first session that comes while no socket speaks for it. Answers 1 when the tab is the session's.
_CLAIM = """
local known = redis.call('GET', KEYS[1])
if known and known ~= ARGV[1] and (known ~= '' or redis.call('EXISTS', KEYS[2]) == 1) then return 0 end
if not known and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
return 1
"""


def replace_token_manager(app: rx.App, *, secure: bool) -> None:
    """Let a manager of ours decide which socket speaks for a tab.

    Args:
        app: an app whose states are all there.
        secure: whether customers come over https; decides the name of the cookie.
    """
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
        SharedTakeoverTokenManager(default.redis, cookie_of, close_socket, secure=secure)
        if isinstance(default, RedisTokenManager)
        else TakeoverTokenManager(cookie_of, close_socket, secure=secure)
    )


class _Closer:
    """Closes sockets without being waited for."""

    def __init__(self, close: CloseSocket) -> None:
        self._close = close
        self._closing: set[asyncio.Task[None]] = set()

    def close_later(self, sid: str) -> None:
        task = asyncio.create_task(self._close(sid))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


class TakeoverTokenManager(LocalTokenManager):
    """The newest socket of the same browser session speaks for the tab.

    A telephone that changes networks reconnects before the server has noticed that the old socket is dead; the
    framework would then give it an empty state. Here the new socket takes over, but only when its handshake carries
    the session of the old one. Anybody else who presents the tab's token gets a fresh tab: answers that are still
    under way can never reach them. The old socket is closed; a tab behind it that is alive connects again when it is
    looked at.
    """

    def __init__(
        self,
        cookie_of: CookieOf,
        close_socket: CloseSocket,
        *,
        secure: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without sockets.

        Args:
            cookie_of: Gives the Cookie header of a socket's handshake by socket id.
            close_socket: Closes a socket by its id.
            secure: Whether customers come over https; decides the name of the cookie.
            clock: Seconds that only go up.
        """
        super().__init__()
        self._cookie_of, self._closer, self._secure, self._clock = cookie_of, _Closer(close_socket), secure, clock
        self._sessions: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Let a socket speak for a tab.

        Args:
            token: The tab's token, as the browser presents it.
            sid: The socket's id.

        Returns:
            Another token when the presented one belongs to somebody else's session.
        """
        session = fingerprint(session_token(self._cookie_of(sid), secure=self._secure))
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
        """Forget a socket; the tab stays with the socket that took over, if one did.

        Args:
            token: The tab's token.
            sid: The id of the socket that is gone.
        """
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
    """The newest socket of the same browser session speaks for the tab, whichever worker it reaches.

    The worker that had the old socket learns of it from Redis, closes it, and passes on what it still computes for the
    tab. Anybody else who presents the tab's token gets a fresh tab.
    """

    def __init__(self, redis: Redis, cookie_of: CookieOf, close_socket: CloseSocket, *, secure: bool) -> None:
        """Start without sockets.

        Args:
            redis: Where the workers meet.
            cookie_of: Gives the Cookie header of a socket's handshake by socket id.
            close_socket: Closes a socket of this worker by its id.
            secure: Whether customers come over https; decides the name of the cookie.
        """
        super().__init__(redis)
        self._cookie_of, self._closer, self._secure = cookie_of, _Closer(close_socket), secure
        self._own: dict[str, str] = {}

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Let a socket speak for a tab.

        Args:
            token: The tab's token, as the browser presents it.
            sid: The socket's id.

        Returns:
            Another token when the presented one belongs to somebody else's session.

        Raises:
            RedisError: The workers cannot agree; the browser tries again.
        """
        self._ensure_socket_record_task()
        session = fingerprint(session_token(self._cookie_of(sid), secure=self._secure))
        if await self._claim(token, sid, session):
            return None
        logger.info("a tab's token came with another session: it gets a new one")
        fresh = str(uuid4())
        await self._claim(fresh, sid, session)
        return fresh

    async def disconnect_token(self, token: str, sid: str) -> None:
        """Forget a socket; the tab stays with the socket that took over, if one did.

        Args:
            token: The tab's token.
            sid: The id of the socket that is gone.
        """
        if self._own.get(token) == sid:
            del self._own[token]
        await super().disconnect_token(token, sid)

    async def _claim(self, token: str, sid: str, session: str) -> bool:
        record = SocketRecord(instance_id=self.instance_id, sid=sid)
        keys = (_SESSION_KEY + token, self._get_redis_key(token))
        values = (session, REMEMBERED_SECONDS, pickle.dumps(record), self.token_expiration)
        if not await self.redis.eval(_CLAIM, len(keys), *keys, *values):  # type: ignore[misc]
            return False
        before, self._own[token] = self._own.get(token), sid
        if before not in {None, sid}:
            self.sid_to_token.pop(str(before), None)
            self._closer.close_later(str(before))
        self.token_to_socket[token], self.sid_to_token[sid] = record, token
        return True

    async def _fetch_socket_record(self, token: str) -> SocketRecord | None:
        """The socket that speaks for a tab now. A socket of this worker that no longer does is closed."""
        record = await super()._fetch_socket_record(token)
        own = self._own.get(token)
        if record is not None and own is not None and record.instance_id != self.instance_id:
            del self._own[token]
            self.sid_to_token.pop(own, None)
            self._closer.close_later(own)
        return record
