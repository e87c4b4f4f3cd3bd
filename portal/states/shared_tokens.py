"""Which socket speaks for a tab when several workers share their state in Redis; the rules of `token_manager`."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Awaitable, Callable
from uuid import uuid4

from redis.asyncio import Redis
from reflex.utils.token_manager import RedisTokenManager, SocketRecord

from portal.states.credential import fingerprint, session_token
from portal.states.token_manager import REMEMBERED_SECONDS

logger = logging.getLogger(__name__)

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


class SharedTakeoverTokenManager(RedisTokenManager):
    """The newest socket of the same browser session speaks for the tab, whichever worker it reaches.

    The worker that had the old socket learns of it from Redis, closes it, and passes on what it still computes for the
    tab. Anybody else who presents the tab's token gets a fresh tab.
    """

    def __init__(
        self,
        redis: Redis,
        cookie_of: Callable[[str], str],
        close_socket: Callable[[str], Awaitable[None]],
        *,
        secure: bool,
    ) -> None:
        """Start without sockets.

        Args:
            redis: Where the workers meet.
            cookie_of: Gives the Cookie header of a socket's handshake by socket id.
            close_socket: Closes a socket of this worker by its id.
            secure: Whether customers come over https; decides the name of the cookie.
        """
        super().__init__(redis)
        self._cookie_of, self._close_socket, self._secure = cookie_of, close_socket, secure
        self._own: dict[str, str] = {}
        self._closing: set[asyncio.Task[None]] = set()

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
            self._close_later(str(before))
        self.token_to_socket[token], self.sid_to_token[sid] = record, token
        return True

    async def _fetch_socket_record(self, token: str) -> SocketRecord | None:
        """The socket that speaks for a tab now. A socket of this worker that no longer does is closed."""
        record = await super()._fetch_socket_record(token)
        own = self._own.get(token)
        if record is not None and own is not None and record.instance_id != self.instance_id:
            del self._own[token]
            self.sid_to_token.pop(own, None)
            self._close_later(own)
        return record

    def _close_later(self, sid: str) -> None:
        async def close() -> None:
            await self._close_socket(sid)

        task = asyncio.create_task(close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
