"""Session checks: the provider tells whether a session is alive, and the answer is cached for a few seconds."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Generic, Protocol, TypeVar

from portal.contract.common_api import SessionApi
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import SessionCheck
from portal.kernel.days import now
from portal.web.cookies import fingerprint

logger = logging.getLogger(__name__)
FRESH_SECONDS = 3.0
"""How long an answer is cached. A logout in another process takes effect after at most this time."""

_FAULT_SECONDS = 1.0
"""How long a failed request to the provider is cached, so that not every event of a page waits for it."""

_ENTRIES = 10_000


class SessionStatus(Enum):
    ALIVE = "alive"
    ENDED = "ended"
    UNKNOWN = "unknown"
    """The provider could not be reached. This is not `ENDED`: a fault logs nobody out."""


class Session(Protocol):
    """What every session has: when it ends in any case, and without further use (UTC)."""

    @property
    def expires_at(self) -> datetime: ...

    @property
    def idle_until(self) -> datetime: ...


S = TypeVar("S", bound=Session)


@dataclass(frozen=True, slots=True)
class CheckedSession(Generic[S]):
    """The answer for one token.

    Attributes:
        session: owner and end of the session; only when it is alive.
    """

    state: SessionStatus
    session: S | None = None


class SessionChecks(Generic[S]):
    """Cache of answers by the fingerprint of the token; the token itself is not stored."""

    def __init__(
        self,
        question: Callable[[str], Awaitable[S]],
        fresh_seconds: float = FRESH_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._question = question
        self._fresh_seconds = fresh_seconds
        self._clock = clock
        self._answers: OrderedDict[str, tuple[float, CheckedSession[S]]] = OrderedDict()
        self._running: dict[str, asyncio.Task[CheckedSession[S]]] = {}

    async def check(self, token: str) -> CheckedSession[S]:
        """Whether the session of a token is alive. Concurrent checks of one token share one request."""
        if not token:
            return CheckedSession(SessionStatus.ENDED)
        key = fingerprint(token)
        if (answer := self._answers.get(key)) is not None and self._counts(*answer):
            return answer[1]
        if (task := self._running.get(key)) is None:
            task = self._running[key] = asyncio.create_task(self._ask(token, key))
            task.add_done_callback(lambda _task: self._running.pop(key, None))
        return await asyncio.shield(task)

    def ended(self, token: str) -> None:
        if token:
            self._remember(fingerprint(token), CheckedSession(SessionStatus.ENDED))

    def outdated(self, token: str) -> None:
        """Ask the provider again at the next check, because what it tells about the session has changed."""
        key = fingerprint(token)
        if key in self._answers and self._answers[key][1].state is not SessionStatus.ENDED:
            del self._answers[key]

    def _counts(self, asked_at: float, answer: CheckedSession[S]) -> bool:
        if answer.state is SessionStatus.ENDED:
            return True  # a session that has ended never comes back
        if answer.session is not None and now() >= min(answer.session.expires_at, answer.session.idle_until):
            return False
        seconds = _FAULT_SECONDS if answer.state is SessionStatus.UNKNOWN else self._fresh_seconds
        return self._clock() - asked_at < seconds

    async def _ask(self, token: str, key: str) -> CheckedSession[S]:
        try:
            answer = CheckedSession(SessionStatus.ALIVE, await self._question(token))
        except NotAuthenticated:
            answer = CheckedSession(SessionStatus.ENDED)
        except ProviderError as error:
            logger.warning("session check failed: %s", error.code.value)
            answer = CheckedSession(SessionStatus.UNKNOWN)
        previous = self._answers.get(key)
        if previous is not None and previous[1].state is SessionStatus.ENDED:
            return CheckedSession(SessionStatus.ENDED)  # ended during the request to the provider
        self._remember(key, answer)
        return answer

    def _remember(self, key: str, answer: CheckedSession[S]) -> None:
        self._answers[key] = (self._clock(), answer)
        self._answers.move_to_end(key)
        while len(self._answers) > _ENTRIES:
            self._answers.popitem(last=False)


async def check_customer(token: str) -> SessionCheck:
    return await ask(SessionApi).check_session(token)


checks = SessionChecks(check_customer)
"""The customers' sessions that this process has asked about, for the event guard and the HTTP routes."""
