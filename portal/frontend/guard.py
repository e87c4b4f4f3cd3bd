"""Deny by default: no event runs that is not declared, well formed, and sent by whoever owns the page's state."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

import reflex as rx

from portal.frontend.session import Policy, SessionState, WrongPayload, check_payload, policy_of, require_policies
from portal.reflex_adapter.events import HYDRATE, Event
from portal.reflex_adapter.log_filter import quiet_logs
from portal.reflex_adapter.state import (
    BaseState,
    StateUpdate,
    assign_changed,
    headers_of,
    root_of,
    socket_of,
    take_changes,
)
from portal.reflex_adapter.tokens import replace_token_manager
from portal.settings import Variant, settings
from portal.web.cookies import fingerprint, session_token
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks

logger = logging.getLogger(__name__)

EVENTS_PER_SECOND = 20.0

EVENT_BURST = 60.0

IDLE_STEP_SECONDS = 60
"""The page is told of a later end of the session in steps, not with every event."""

_BUCKETS = 20_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Limiter:
    """A token bucket for each socket."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets; `clock` gives seconds that only go up."""
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def allows(self, socket_id: str) -> bool:
        """Take one token for this socket, if there is one."""
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


class Guard(rx.Middleware):
    """Stands before every event: from the browser, chained, on load, in the background."""

    def __init__(self, session_checks: SessionChecks = checks, limiter: Limiter | None = None) -> None:
        """Guard with these session checks and this limit; by default those of the process."""
        self._checks = session_checks
        self._limiter = limiter or Limiter()

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Let an event through (nothing), or answer in its place.

        Args:
            app: The app.
            state: The state tree of the tab, or the part of it that the event touches.
            event: What is to be run.
        """
        root = root_of(state)
        if not self._limiter.allows(socket_of(root)):
            return _refuse(event, "too many events")
        policy = policy_of(event.name)
        if policy is None:
            return _refuse(event, "not declared")
        if policy is not Policy.FRAMEWORK:
            try:
                check_payload(event.name, event.payload)
            except WrongPayload:
                return _refuse(event, "payload not accepted")
        headers = headers_of(root)
        token = session_token(headers.cookie, secure=settings().secure)
        checked = await self._checks.check(token)
        session = await root.get_state(SessionState)
        previous, owner = session._owner, self._owner(session, token, checked)
        if previous != owner:
            await _bind(root, session, owner)
        describe(session, headers.host, owner, checked)
        if policy is Policy.CUSTOMER and not owner:
            session.unavailable = checked.state is SessionStatus.UNKNOWN
            session.signed_out = not session.unavailable
            reason = "unavailable" if session.unavailable else "not logged in"
            return await _refuse_aloud(root, event, reason, emptied=bool(previous) and previous != owner)
        if previous and previous != owner and event.name not in HYDRATE:
            # The page on the screen was somebody's: it is loaded anew, whoever is logged in now.
            session.signed_out = True
            return await _refuse_aloud(root, event, "another owner", emptied=True)
        return None

    def _owner(self, session: SessionState, token: str, checked: CheckedSession) -> str:
        """Whose the tree is to be: the live session's, nobody's, or unchanged while the provider cannot be asked."""
        mark = fingerprint(token)
        if checked.state is SessionStatus.ALIVE:
            return mark
        # A fault logs nobody out: what was loaded for this very token stays; the provider refuses what is not allowed.
        return mark if checked.state is SessionStatus.UNKNOWN and session._owner == mark else ""


async def _bind(root: BaseState, session: SessionState, owner: str) -> None:
    """Empty the whole tree and give it to another owner."""
    for part in _below(type(root)):
        await root.get_state(part)  # a store that loads parts would keep what is not loaded
    root.reset()
    session._owner = owner


def _below(state: type[BaseState]) -> list[type[BaseState]]:
    return [found for part in state.get_substates() for found in (part, *_below(part))]


def describe(session: SessionState, host: str, owner: str, checked: CheckedSession) -> None:
    """Tell the page about its session; only what changed travels.

    Args:
        session: Where the page reads it.
        host: What the browser asked.
        owner: Fingerprint of the session that the tree belongs to; empty for nobody.
        checked: What is known of the session.
    """
    changes: dict[str, object] = {
        "authenticated": bool(owner),
        "variant": Variant.of_host(host).value,
        "passwords": settings().passwords,
    }
    if owner:
        changes |= {"unavailable": False, "signed_out": False}
    if owner and checked.session is not None:
        changes["expires_at"] = checked.session.expires_at.isoformat()
        shown, known = session.idle_until, checked.session.idle_until
        if not shown or abs((known - type(known).fromisoformat(shown)).total_seconds()) >= IDLE_STEP_SECONDS:
            changes["idle_until"] = known.isoformat()
    assign_changed(session, changes)


def _refuse(event: Event, reason: str) -> StateUpdate:
    logger.warning("event refused: %s (%s)", event.name[:200], reason)
    return StateUpdate()


async def _refuse_aloud(root: BaseState, event: Event, reason: str, *, emptied: bool) -> StateUpdate:
    """Refuse, and tell the page what became of its session; a page that was emptied loses what it showed."""
    _refuse(event, reason)
    delta = await take_changes(root)
    name = SessionState.get_full_name()
    return StateUpdate(delta=delta if emptied else {key: delta[key] for key in delta if key == name})


def protect(app: rx.App) -> None:
    """Deny by default from here on.

    Raises:
        UndeclaredHandlers: A handler does not say who may call it.
    """
    require_policies()
    quiet_logs()
    app.add_middleware(Guard())
    replace_token_manager(app, secure=settings().secure)
