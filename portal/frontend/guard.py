"""The guard of events, which denies by default.

An event runs only if its handler has a policy of the site, its payload is valid, and its sender owns the state of the
tab. Customers' pages and staff pages are two sites with sessions of their own.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import reflex as rx
import structlog
from typing_extensions import override

from portal.contract.session import calling_from
from portal.frontend.policies import Policy, WrongPayload, check_payload, policy_of, require_policies
from portal.reflex_adapter.border import guard_sockets, quiet_logs
from portal.reflex_adapter.events import HYDRATE, Event
from portal.reflex_adapter.state import BaseState, StateUpdate, peer_of, root_of, take_changes
from portal.reflex_adapter.tokens import replace_token_manager
from portal.vocabulary.staff import Right
from portal.web.cookies import fingerprint
from portal.web.forms import caller_address
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, SocketLimit

_security = structlog.get_logger("portal.security")
_MAX_NAME = 100

EVENTS_PER_SECOND = 20.0
EVENT_BURST = 60.0
_BUCKETS = 20_000
_FOR_ALL = frozenset({Policy.PUBLIC, Policy.FRAMEWORK})
"""Policies that need no session."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Limiter:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def allows(self, socket_id: str) -> bool:
        """Take one token for this socket, and return whether there was one."""
        moment = self._clock()
        bucket = self._buckets.get(socket_id)
        if bucket is None:
            if len(self._buckets) >= _BUCKETS:
                self._forget_full(moment)
            bucket = self._buckets[socket_id] = _Bucket(EVENT_BURST, moment)
        bucket.tokens = min(EVENT_BURST, bucket.tokens + (moment - bucket.filled_at) * EVENTS_PER_SECOND)
        bucket.filled_at = moment
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def _forget_full(self, moment: float) -> None:
        filled = moment - EVENT_BURST / EVENTS_PER_SECOND
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if bucket.filled_at > filled}


class GuardedSite(Protocol):
    """The pages of one audience: customers, or staff."""

    @property
    def state(self) -> type[rx.State]:
        """The session state, with `signed_out`, `unavailable` and `_owner`."""

    @property
    def checks(self) -> SessionChecks[Any]: ...

    def token(self, cookie: str) -> str:
        """The session token in a Cookie header; empty when there is none."""

    def has(self, policy: Policy | Right) -> bool: ...

    def admits(self, policy: Policy | Right, session: Any) -> bool:
        """Whether the owner of a session state may call handlers with this policy."""

    def describe(self, session: Any, host: str, owner: str, checked: CheckedSession[Any]) -> None:
        """Update the session state of a tab. Only changed values are assigned, so only these are sent."""


class Guard(rx.Middleware):
    """Checks every event before its handler runs: from the browser, chained, on load, and in the background."""

    def __init__(self, site: GuardedSite, limiter: Limiter | None = None) -> None:
        self._site = site
        self._limiter = limiter or Limiter()

    @override
    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        root = root_of(state)
        if not self._limiter.allows(root.router.session.session_id):
            return _refuse(event, "too many events")
        policy = policy_of(event.name)
        if policy is None or not self._site.has(policy):
            return _refuse(event, "not declared")
        try:
            check_payload(event.name, event.payload)
        except WrongPayload:
            return _refuse(event, "payload not accepted")
        calling_from.set(caller_address(*peer_of(root)))
        headers = root.router.headers
        token = self._site.token(headers.cookie)
        checked = await self._site.checks.check(token)
        session: Any = await root.get_state(self._site.state)
        previous, owner = session._owner, self._owner(session, token, checked)
        if previous != owner:
            await _bind(root, session, owner)
        self._site.describe(session, headers.host, owner, checked)
        if policy not in _FOR_ALL and not owner:
            session.unavailable = checked.state is SessionStatus.UNKNOWN
            session.signed_out = not session.unavailable
            reason = "unavailable" if session.unavailable else "not logged in"
            emptied = bool(previous) and previous != owner
            return await self._refuse_and_update(root, event, reason, emptied=emptied)
        if previous and previous != owner and event.name not in HYDRATE:
            # The page shows the data of the previous owner, so the browser has to reload it.
            session.signed_out = True
            return await self._refuse_and_update(root, event, "another owner", emptied=True)
        if policy not in _FOR_ALL and not self._site.admits(policy, session):
            return await self._refuse_and_update(root, event, "no right", emptied=False)
        return None

    def _owner(self, session: Any, token: str, checked: CheckedSession[Any]) -> str:
        """The new owner of the tree: the live session, nobody, or the same as before if the provider cannot answer."""
        owner = fingerprint(token)
        if checked.state is SessionStatus.ALIVE:
            return owner
        # A failure of the provider logs nobody out: the data loaded for this token stay visible.
        return owner if checked.state is SessionStatus.UNKNOWN and session._owner == owner else ""

    async def _refuse_and_update(self, root: BaseState, event: Event, reason: str, *, emptied: bool) -> StateUpdate:
        _refuse(event, reason)
        delta = await take_changes(root)
        name = self._site.state.get_full_name()
        return StateUpdate(delta=delta if emptied else {key: delta[key] for key in delta if key == name})


async def _bind(root: BaseState, session: Any, owner: str) -> None:
    for substate in _substates(type(root)):
        await root.get_state(substate)  # a state that is not loaded would not be reset
    root.reset()
    session._owner = owner


def _substates(state: type[BaseState]) -> list[type[BaseState]]:
    return [found for child in state.get_substates() for found in (child, *_substates(child))]


def _refuse(event: Event, reason: str) -> StateUpdate:
    _security.warning("event refused", why=reason, handler=event.name[-_MAX_NAME:])
    return StateUpdate()


def _refuse_malformed(reason: str) -> None:
    _security.warning("event refused", why=reason)


def protect(app: rx.App, site: GuardedSite) -> None:
    require_policies()
    quiet_logs()
    app.add_middleware(Guard(site))
    guard_sockets(app, _refuse_malformed, site.token, SocketLimit(site.token))
    replace_token_manager(app, site.token)
