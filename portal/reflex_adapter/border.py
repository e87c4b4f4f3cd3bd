"""Opens the socket to both transports, refuses what no page of ours sends over it, and keeps secrets out of the log.

Reaches: `app.event_namespace`, its `trigger_event` (of python-socketio) and its `sid_to_token`; `transports`,
    `handlers` and `handle_request` of `app.sio.eio` (python-engineio), and the handshakes in `app.sio.environ`.
Why: Reflex serves one transport. It and its libraries answer a malformed or unknown event with a stack trace or the
    whole event in the log. Whoever knows the number of a polled socket could read and write in it.
Gain: flows work where a proxy blocks websockets, and a hostile event costs one short line.
Test: test_a_hostile_event_costs_one_short_line, test_the_events_of_reflex_pass_through_the_namespace
    (tests/reflex_adapter/test_border.py), test_a_polled_socket_belongs_to_its_session
    (tests/reflex_adapter/test_socket.py).
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import reflex as rx
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portal.logs import MASK, mask
from portal.reflex_adapter.events import handler_named

TRANSPORTS = ("websocket", "polling")
"""How a page reaches the server, in the order in which it tries."""

_MAX_BODY = 1_000_000
"""Bytes of a polled message, as of one over a websocket."""

_SECONDS_APART = 0.03
"""Between two sockets that are opened: hundreds that come back at once leave room for the clicks of others."""

_EVENT = "event"
_HOSTILE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What reading a malformed message raises. Other exceptions are faults of ours, which the log shows in full."""

_OTHERS = frozenset({"connect", "disconnect", "ping", "client_error"})
"""What a socket may send besides events of states; Reflex checks and limits these itself."""


class SocketQuota(Protocol):
    def take(self, socket: str, connection: HTTPConnection) -> bool: ...

    def release(self, socket: str) -> None: ...


def guard_sockets(
    app: rx.App, refused: Callable[[str], None], token_of: Callable[[str], str], limit: SocketQuota
) -> None:
    """Limit the sockets of an app, and check everything that arrives over them.

    `token_of` reads the session token of a Cookie header.
    """
    if app.event_namespace is None or app.sio is None:
        return  # an app without states has no socket
    app.sio.eio.transports = [*TRANSPORTS]
    _check_requests(app.sio, refused, token_of)
    _check_messages(app.sio.eio, refused)
    _limit_sockets(app.sio.eio, limit)
    _check_events(app.event_namespace, refused)


def _check_requests(sockets: Any, refused: Callable[[str], None], token_of: Callable[[str], str]) -> None:
    """Check that a request belongs to the session that opened its socket, and that its body is small."""
    handle = sockets.eio.handle_request

    def session(scope: Scope) -> str:
        return token_of(HTTPConnection(scope).headers.get("cookie", ""))

    async def handle_request(scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        opened = sockets.environ.get(request.query_params.get("sid", ""))
        status = 0
        if opened is not None and session(opened["asgi.scope"]) != session(scope):
            status = 403
        elif scope["type"] == "http" and scope["method"] == "POST":
            length = request.headers.get("content-length", "")
            status = 0 if length.isdecimal() and int(length) <= _MAX_BODY else 413
        if not status:
            await handle(scope, receive, send)
            return
        refused("another session" if status == 403 else "too long")
        if scope["type"] == "http":
            await Response(status_code=status)(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    sockets.eio.handle_request = handle_request

    def is_fault(record: logging.LogRecord) -> bool:
        is_malformed = record.msg == "post request handler error"
        if is_malformed:
            refused("not a message")
        return not is_malformed

    sockets.eio.logger.addFilter(is_fault)


def _limit_sockets(connections: Any, limit: SocketQuota) -> None:
    connect, disconnect = connections.handlers["connect"], connections.handlers["disconnect"]
    turn = 0.0

    async def connect_below_limit(socket: str, environ: dict[str, Any]) -> Any:
        nonlocal turn
        if not limit.take(socket, HTTPConnection(environ["asgi.scope"])):
            return False
        now = time.monotonic()
        turn = max(turn + _SECONDS_APART, now)
        await asyncio.sleep(turn - now)
        return await connect(socket, environ)

    async def disconnect_and_release(socket: str, *reason: Any) -> Any:
        limit.release(socket)
        return await disconnect(socket, *reason)

    connections.handlers |= {"connect": connect_below_limit, "disconnect": disconnect_and_release}


def _check_messages(connections: Any, refused: Callable[[str], None]) -> None:
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


# Libraries repeat what a browser sent: also account numbers as they were typed, login codes and order numbers.
_TYPED = re.compile(r"\b[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,4})?\b|\b\d{6,}\b", re.IGNORECASE)
# After one of these texts Reflex logs what the browser sent; everything after it is removed.
PAYLOAD = re.compile(
    r"(Event\(|Event data:|event data:|with value '|\{'name':|payload=|router_data|headers=).*", re.DOTALL
)
_FOREIGN = ("reflex", "granian", "_granian", "uvicorn", "socketio", "engineio", "asyncio", "hypercorn")


def redact(text: str) -> str:
    return _TYPED.sub(MASK, mask(text))


def _clean(record: logging.LogRecord) -> None:
    if not record.name or isinstance(record.msg, dict):
        return  # a copy, or a line of ours, which `portal.logs` masks
    foreign = record.name.startswith(_FOREIGN)
    try:
        message = record.getMessage()
    except (TypeError, ValueError):
        message = str(record.msg)
    record.msg, record.args = redact(PAYLOAD.sub(rf"\1{MASK}", message) if foreign else message), ()
    if record.exc_info and record.exc_info[0] is not None:
        kind, error, trace = record.exc_info
        # The message of another package's exception may contain customer input, so only type and traceback stay.
        text = "" if foreign or error is None else f": {redact(str(error))}"
        record.exc_text = f"{''.join(traceback.format_tb(trace))}{kind.__name__}{text}"
        record.exc_info = None


def quiet_logs() -> None:
    """Clean every log record before any log handler gets it. A second call has no effect.

    Reaches: the texts that precede an event in Reflex' log messages.
    Why: Reflex logs unknown events in full, with the request headers and therefore the session cookie.
    Gain: nothing in the log identifies or authenticates a customer.
    Test: test_reflex_repeats_events_in_these_words (tests/reflex_adapter/test_log.py).
    """
    previous = logging.getLogRecordFactory()
    if getattr(previous, "_portal", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = previous(*args, **kwargs)
        _clean(record)
        return record

    factory._portal = True  # pyrefly: ignore[missing-attribute]  # functions take any attribute
    logging.setLogRecordFactory(factory)
