"""Refuses what no page of ours sends over the socket, before Reflex processes it.

Reaches: `app.event_namespace`, its `trigger_event` (of python-socketio) and its `sid_to_token`; the handler of
    messages and the `handle_request` in `app.sio.eio` (python-engineio).
Why: Reflex and its libraries answer a malformed or unknown event with a stack trace or the whole event in the log.
Gain: a hostile event costs one short line.
Test: test_a_hostile_event_costs_one_short_line, test_the_events_of_reflex_pass_through_the_namespace
    (tests/reflex_adapter/test_border.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import reflex as rx

from portal.reflex_adapter.events import handler_named

_EVENT = "event"
_HOSTILE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What reading a malformed message raises. Other exceptions are faults of ours, which the log shows in full."""

_OTHERS = frozenset({"connect", "disconnect", "ping", "client_error"})
"""What a socket may send besides events of states; Reflex checks and limits these itself."""


def refuse_malformed_events(app: rx.App, refused: Callable[[str], None]) -> None:
    """Check everything that arrives over the socket of an app."""
    if app.event_namespace is None or app.sio is None:
        return  # an app without states has no socket
    _check_messages(app.sio.eio, refused)
    _check_events(app.event_namespace, refused)


def _check_messages(connections: Any, refused: Callable[[str], None]) -> None:
    """Check the content of messages, and the frames that they come in."""

    def checked(act: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def act_or_refuse(*given: Any) -> None:
            try:
                await act(*given)
            except _HOSTILE as error:
                refused(type(error).__name__)

        return act_or_refuse

    connections.handlers["message"] = checked(connections.handlers["message"])
    connections.handle_request = checked(connections.handle_request)


def _check_events(namespace: Any, refused: Callable[[str], None]) -> None:
    deliver, process = namespace.trigger_event, namespace.on_event

    async def trigger_event(event: Any, *given: Any) -> Any:
        if event in {"connect", "disconnect"}:
            return await deliver(event, *given)
        reason = _why_malformed(event, given)
        if not reason and event == _EVENT and given[0] not in namespace.sid_to_token:
            reason = "no tab"
        if reason:
            refused(reason)
            return None
        try:
            return await deliver(event, *given)
        except _HOSTILE as error:
            refused(type(error).__name__)
            return None

    async def on_event(sid: str, data: Any) -> None:
        """Check the event that a connecting socket brings along."""
        if reason := _why_malformed(_EVENT, (sid, data)):
            refused(reason)
        else:
            await process(sid, data)

    namespace.trigger_event, namespace.on_event = trigger_event, on_event


def _why_malformed(event: Any, given: tuple[Any, ...]) -> str:
    """Why a message is not one that a page of ours sends; empty if it is."""
    if event in _OTHERS:
        return "" if len(given) <= 2 else "not a message"
    if event != _EVENT or len(given) != 2 or not isinstance(given[1], dict):
        return "not an event"
    data = given[1]
    if not isinstance(data.get("name"), str) or handler_named(data["name"]) is None:
        return "not declared"
    objects = (data.get("payload", {}), data.get("router_data", {}))
    if not all(isinstance(part, dict) and all(isinstance(key, str) for key in part) for part in objects):
        return "payload not accepted"
    return ""
