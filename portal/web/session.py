"""What a process remembers of the provider for some seconds, sessions and shown terms; limits on open sockets."""

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import Enum
from typing import Generic, Protocol, TypeVar

from starlette.requests import HTTPConnection

from portal.contract.common_api import Periods, SessionApi, TermsApi
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import SessionCheck
from portal.kernel.days import now
from portal.kernel.terms import ShopTerms
from portal.settings import settings
from portal.web.cookies import fingerprint
from portal.web.forms import network_address

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
    """The answer for one token. `session`: owner and end of the session; only when it is alive."""

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


class SocketLimit:
    def __init__(
        self, token_of: Callable[[str], str], per_address: int | None = None, per_session: int | None = None
    ) -> None:
        """Start without sockets. `token_of` reads the session token of a Cookie header."""
        self._token_of = token_of
        self._per_address = per_address or settings().sockets_per_address
        self._per_session = per_session or settings().sockets_per_session
        self._open: Counter[str] = Counter()
        self._keys: dict[str, list[str]] = {}

    def take(self, socket: str, connection: HTTPConnection) -> bool:
        """Count a socket that opens; whether there was room for it. The page of a refused one tries again later."""
        limits = {f"address:{fingerprint(network_address(connection))}": self._per_address}
        if session := self._token_of(connection.headers.get("cookie", "")):
            limits[f"session:{fingerprint(session)}"] = self._per_session
        if any(self._open[key] >= limit for key, limit in limits.items()):
            return False
        self._open.update(limits.keys())
        self._keys[socket] = list(limits)
        return True

    def release(self, socket: str) -> None:
        keys = self._keys.pop(socket, [])
        self._open.subtract(keys)
        for key in keys:
            if self._open[key] <= 0:
                del self._open[key]


TERMS_SECONDS = 30.0
"""How long an answer counts: a change is shown that much later at most."""

_COMPILED = asdict(ShopTerms())


class ShownTerms:
    """Asks for the periods that hold today, at most every `TERMS_SECONDS`."""

    def __init__(self, question: Callable[[], Awaitable[Periods]]) -> None:
        self._question = question
        self._known, self._asked_at = "", float("-inf")

    async def changed(self) -> str:
        """The periods that differ from the compiled ones, as they stand in the cookie; empty if none does.

        While the provider does not answer, what it said last holds.
        """
        if time.monotonic() - self._asked_at > TERMS_SECONDS:
            self._asked_at = time.monotonic()
            try:
                found = (await self._question()).periods
            except ProviderError:
                return self._known
            different = {name: found[name] for name in _COMPILED if found.get(name, _COMPILED[name]) != _COMPILED[name]}
            self._known = ".".join(f"{name}:{value}" for name, value in different.items())
        return self._known

    def forget(self) -> None:
        self._asked_at = float("-inf")


shown_terms = ShownTerms(lambda: ask(TermsApi).periods(settings().shop))
"""Those of this process."""
