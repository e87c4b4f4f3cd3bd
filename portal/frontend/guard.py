"""The guard of events, which denies by default.

An event runs only if its handler has a policy, its payload is valid, and its sender owns the state of the tab.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import reflex as rx
import structlog

from portal.frontend.session import Policy, SessionState, WrongPayload, check_payload, policy_of, require_policies
from portal.reflex_adapter.border import refuse_malformed_events
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
from portal.reflex_adapter.updates import send_updates_by
from portal.settings import Variant, settings
from portal.web.cookies import fingerprint, session_token
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks

_security = structlog.get_logger("portal.security")
_LONGEST_NAME = 100

EVENTS_PER_SECOND = 20.0
EVENT_BURST = 60.0
IDLE_STEP_SECONDS = 60
"""The page gets a later end of the session only if it moved by this much, not with every event."""

_BUCKETS = 20_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Limiter:
    """A token bucket for each socket."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets; `clock` returns monotonic seconds."""
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


class Guard(rx.Middleware):
    """Checks every event before its handler runs: from the browser, chained, on load, and in the background."""

    def __init__(self, session_checks: SessionChecks = checks, limiter: Limiter | None = None) -> None:
        """Use these session checks and this limiter; by default those of the process."""
        self._checks = session_checks
        self._limiter = limiter or Limiter()

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Check an event.

        Args:
            app: the app.
            state: the state tree of the tab, or the part of it that the event uses.
            event: the event.

        Returns:
            None to let the event run, or the update that replaces it.
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
            return await _refuse_and_update(root, event, reason, emptied=bool(previous) and previous != owner)
        if previous and previous != owner and event.name not in HYDRATE:
            # The page shows the data of the previous owner, so the browser has to reload it.
            session.signed_out = True
            return await _refuse_and_update(root, event, "another owner", emptied=True)
        return None

    def _owner(self, session: SessionState, token: str, checked: CheckedSession) -> str:
        """The new owner of the tree: the live session, nobody, or the same as before if the provider cannot answer."""
        owner = fingerprint(token)
        if checked.state is SessionStatus.ALIVE:
            return owner
        # A failure of the provider logs nobody out: the data loaded for this token stay visible.
        return owner if checked.state is SessionStatus.UNKNOWN and session._owner == owner else ""


async def _bind(root: BaseState, session: SessionState, owner: str) -> None:
    """Reset the whole tree and assign it to another owner."""
    for substate in _substates(type(root)):
        await root.get_state(substate)  # a state that is not loaded would not be reset
    root.reset()
    session._owner = owner


def _substates(state: type[BaseState]) -> list[type[BaseState]]:
    return [found for child in state.get_substates() for found in (child, *_substates(child))]


def describe(session: SessionState, host: str, owner: str, checked: CheckedSession) -> None:
    """Update the session state of a tab. Only changed values are assigned, so only these are sent.

    Args:
        session: the session state.
        host: the host name of the request.
        owner: fingerprint of the session that owns the tree; empty for nobody.
        checked: the result of the session check.
    """
    changes: dict[str, object] = {
        "authenticated": bool(owner),
        "variant": Variant.of_host(host).value,
        "passwords": settings().passwords,
    }
    if owner:
        changes |= {"unavailable": False, "signed_out": False}
    if owner and checked.session is not None:
        changes["recall"] = checked.session.recall
        changes["expires_at"] = checked.session.expires_at.isoformat()
        shown, known = session.idle_until, checked.session.idle_until
        if not shown or abs((known - type(known).fromisoformat(shown)).total_seconds()) >= IDLE_STEP_SECONDS:
            changes["idle_until"] = known.isoformat()
    assign_changed(session, changes)


def _refuse(event: Event, reason: str) -> StateUpdate:
    _security.warning("event refused", why=reason, handler=event.name[-_LONGEST_NAME:])
    return StateUpdate()


def _refuse_malformed(reason: str) -> None:
    _security.warning("event refused", why=reason)


async def _refuse_and_update(root: BaseState, event: Event, reason: str, *, emptied: bool) -> StateUpdate:
    """Refuse an event and send the session state; after a reset, send the whole reset tree."""
    _refuse(event, reason)
    delta = await take_changes(root)
    name = SessionState.get_full_name()
    return StateUpdate(delta=delta if emptied else {key: delta[key] for key in delta if key == name})


def protect(app: rx.App) -> None:
    """Add the guard to the app.

    Raises:
        UndeclaredHandlers: a handler has no policy.
    """
    require_policies()
    quiet_logs()
    app.add_middleware(Guard())
    refuse_malformed_events(app, _refuse_malformed)
    replace_token_manager(app, secure=settings().secure)
    send_updates_by(app.event_namespace.emit_update if app.event_namespace else None)
