"""What no page sends is refused before the framework processes it, with one short line in the log."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from reflex import State
from structlog.testing import capture_logs

from portal.portal import app
from portal.reflex_adapter.border import _limit_sockets
from portal.web.session import SocketLimit

HYDRATE = f"{State.get_full_name()}.hydrate"
LONG = "x" * 5000
SID = "socket-of-a-stranger"


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> Any:
    found = app.event_namespace
    assert found
    monkeypatch.setitem(found.sid_to_token, SID, "tab-of-a-stranger")
    monkeypatch.setitem(found._static_router_data, SID, {"headers": {}})
    return found


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("event", (SID, {"name": "no.such.handler", "payload": {"iban": LONG}})),
        ("event", (SID, {"name": f"{State.get_full_name()}.setvar", "payload": {}})),
        ("event", (SID, {"name": ["a", "list"], "payload": {}})),
        ("event", (SID, {"name": HYDRATE, "payload": [LONG]})),
        ("event", (SID, {"name": HYDRATE, "payload": {}, "router_data": LONG})),
        ("event", (SID, {"name": HYDRATE, "payload": {}, "router_data": {"pathname": {"not": "a path"}}})),
        ("event", (SID, {"payload": {}})),
        ("event", (SID, LONG)),
        ("event", (SID, f'{{"name": "{LONG}"')),
        ("event", (SID, None)),
        ("event", (SID,)),
        ("event", (SID, {}, {})),
        ("event", ("socket-without-a-tab", {"name": HYDRATE, "payload": {}, "router_data": {"words": LONG}})),
        ("emit_update", (SID, LONG)),
        (7, (SID, LONG)),
        ("ping", (SID, LONG, LONG, LONG)),
    ],
)
async def test_a_hostile_event_costs_one_short_line(
    namespace: Any, event: Any, given: tuple[Any, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as log:
        assert await namespace.trigger_event(event, *given) is None
    assert [entry["event"] for entry in log] == ["event refused"]
    assert len(repr(log)) < 200
    assert caplog.text == ""


@pytest.mark.parametrize("packet", ["2/_event,{bad", "2/_event," + "[" * 5000, "9", "", "5", "2/_event,[]", "x", "4{}"])
async def test_a_hostile_message_costs_one_short_line(packet: str, caplog: pytest.LogCaptureFixture) -> None:
    assert app.sio
    with capture_logs() as log:
        await app.sio.eio._trigger_event("message", "connection-of-a-stranger", packet, run_async=False)
    assert len(log) <= 1
    assert len(repr(log)) < 200
    assert caplog.text == ""


@pytest.mark.parametrize("frame", ["junk", "\0", "x" * 5000, "9", "\u0664", ""])
async def test_a_hostile_frame_costs_one_short_line(frame: str, caplog: pytest.LogCaptureFixture) -> None:
    assert app.sio
    arriving = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "text": frame},
        {"type": "websocket.disconnect", "code": 1000},
    ]

    async def receive() -> dict[str, Any]:
        return arriving.pop(0)

    async def send(_message: Any) -> None:
        pass

    scope = {
        "type": "websocket",
        "path": "/_event/",
        "query_string": b"EIO=4&transport=websocket",
        "headers": [(b"upgrade", b"websocket"), (b"connection", b"upgrade")],
    }
    with capture_logs() as log:
        await app.sio.handle_request(scope, receive, send)
    assert len(log) <= 1
    assert len(repr(log)) < 200
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("body", [b"junk", b"", b"\xff", b"9", b"4" + b"\x1e" * 20])
async def test_a_hostile_body_costs_one_short_line(body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    assert app.sio
    answers: list[dict[str, Any]] = []
    query = b"EIO=4&transport=polling"

    async def ask(method: str, query: bytes, sent: bytes = b"") -> dict[str, Any]:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent}

        async def send(message: Any) -> None:
            answers.append(message)

        headers = [(b"content-length", str(len(sent)).encode())]
        scope = {"type": "http", "method": method, "path": "/_event/", "query_string": query, "headers": headers}
        assert app.sio
        await app.sio.handle_request({**scope, "client": ("192.0.2.1", 1)}, receive, send)
        return answers[-1]

    opened = await ask("GET", query)
    sid = json.loads(opened["body"][1:])["sid"]
    with capture_logs() as log:
        await ask("POST", query + f"&sid={sid}".encode(), body)
    assert len(log) <= 1
    assert len(repr(log)) < 200
    assert caplog.text == ""
    app.sio.eio.sockets.pop(sid, None)


async def test_a_socket_above_the_limit_is_refused_until_another_closes() -> None:
    seen: list[tuple[str, ...]] = []

    async def handler(*given: Any) -> None:
        seen.append(given)

    connections = SimpleNamespace(handlers={"connect": handler, "disconnect": handler})
    _limit_sockets(connections, SocketLimit(lambda _cookie: "", per_address=1))
    handshake = {"asgi.scope": {"type": "http", "headers": [], "client": ("192.0.2.1", 1)}}
    connect, disconnect = connections.handlers["connect"], connections.handlers["disconnect"]
    assert [await connect("first", handshake), await connect("second", handshake)] == [None, False]
    await disconnect("first", "transport close")
    assert await connect("second", handshake) is None
    assert [given[0] for given in seen] == ["first", "first", "second"]


async def test_clicks_are_answered_between_sockets_that_come_back_at_once() -> None:
    order: list[str] = []

    async def handler(socket: str, _environ: dict[str, Any]) -> None:
        order.append(socket)

    async def click() -> None:
        await asyncio.sleep(0.02)
        order.append("click")

    connections = SimpleNamespace(handlers={"connect": handler, "disconnect": handler})
    _limit_sockets(connections, SocketLimit(lambda _cookie: ""))
    handshake = {"asgi.scope": {"type": "http", "headers": [], "client": ("192.0.2.1", 1)}}
    await asyncio.gather(*(connections.handlers["connect"](name, handshake) for name in "abcd"), click())
    assert order == ["a", "click", "b", "c", "d"]


async def test_a_fault_of_ours_is_not_taken_for_a_hostile_message(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(*_given: object) -> None:
        raise ConnectionError

    assert app.sio
    monkeypatch.setattr(app.sio, "_handle_event", fails)
    with capture_logs() as log:
        await app.sio.eio._trigger_event("message", "connection", '2/_event,["event",{}]', run_async=False)
    assert log == []
    assert "ConnectionError" in caplog.text


async def test_a_hostile_event_in_the_connection_costs_one_short_line(
    namespace: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as log:
        await namespace.on_event(SID, LONG)
    assert [entry["event"] for entry in log] == ["event refused"]
    assert caplog.text == ""


async def test_the_events_of_reflex_pass_through_the_namespace(namespace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[tuple[str, str]] = []

    class Processor:
        async def enqueue(self, token: str, event: Any) -> None:
            queued.append((token, event.name))

    monkeypatch.setattr(app, "_event_processor", Processor())
    with capture_logs() as log:
        await namespace.trigger_event("event", SID, {"name": HYDRATE, "payload": {}, "router_data": {}})
    assert queued == [("tab-of-a-stranger", HYDRATE)]
    assert log == []


def test_an_error_that_a_browser_reports_is_one_short_line(caplog: pytest.LogCaptureFixture) -> None:
    app.frontend_exception_handler(Exception(f"first line\nsecond line {LONG}"))
    (record,) = caplog.records
    assert record.getMessage().startswith("a page failed: first line second line")
    assert len(record.getMessage()) < 400
