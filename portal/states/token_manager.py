"""Which socket speaks for a tab: a tab that reconnects keeps its state, a stolen tab token gets nothing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from uuid import uuid4

from reflex.utils.token_manager import LocalTokenManager, SocketRecord

from portal.states.credential import fingerprint, session_token

logger = logging.getLogger(__name__)

REMEMBERED_SECONDS = 2 * 3600
"""Longer than a tab's state is kept after its last event."""
_ENTRIES = 50_000


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
        cookie_of: Callable[[str], str],
        close_socket: Callable[[str], Awaitable[None]],
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
        self._cookie_of, self._close_socket, self._secure, self._clock = cookie_of, close_socket, secure, clock
        self._closing: set[asyncio.Task[None]] = set()
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
            self._close_later(connected.sid)
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

    def _close_later(self, sid: str) -> None:
        async def close() -> None:
            await self._close_socket(sid)

        task = asyncio.create_task(close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

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
