"""A stand-in for the process of the staff site: an ASGI application that tells what reached it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.launch import ROOT
from tests.support.polling import fetch
from tests.support.ports import free_port

_SERVE = """
import sys
from portal.reflex_adapter.worker import serve
sys.exit(serve("tests.support.desk_backend:application", "127.0.0.1", int(sys.argv[1])))
"""
PIECE = b"x" * 65536
_sent: Counter[str] = Counter()


def application() -> ASGIApp:
    """The application."""
    return _answer


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await _socket(scope, receive, send)
    elif scope["type"] == "http":
        await {"/endless": _endless, "/moved": _moved}.get(scope["path"], _tell)(scope, receive, send)


async def _tell(scope: Scope, receive: Receive, send: Send) -> None:
    """Tell the request, and set two cookies."""
    digest, size, more = hashlib.sha256(), 0, True
    while more:
        message = await receive()
        part = message.get("body", b"")
        digest.update(part)
        size += len(part)
        more = message.get("more_body", False)
    told = {
        "method": scope["method"],
        "path": scope["path"],
        "query": scope["query_string"].decode(),
        "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in scope["headers"]],
        "size": size,
        "sha256": digest.hexdigest(),
        "sent": dict(_sent),
    }
    headers = [(b"content-type", b"application/json"), (b"set-cookie", b"a=1; Path=/"), (b"set-cookie", b"b=2; Path=/")]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


async def _moved(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 303, "headers": [(b"location", b"/login")]})
    await send({"type": "http.response.body", "body": b""})


async def _endless(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": PIECE, "more_body": True})
        _sent["http"] += 1
        await asyncio.sleep(0)


async def _socket(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    if scope["path"] == "/closed":
        await send({"type": "websocket.close", "code": 1008})
        return
    offered = scope.get("subprotocols") or [None]
    await send({"type": "websocket.accept", "subprotocol": offered[-1]})
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    await send({"type": "websocket.send", "text": json.dumps({"path": scope["path"], "headers": headers})})
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            _sent[f"closed with {message.get('code')}"] += 1
            return
        await _act(message, send)


async def _act(message: Any, send: Send) -> None:
    text = message.get("text")
    if text == "close":
        await send({"type": "websocket.close", "code": 4001, "reason": "enough"})
    elif text == "flood":
        while True:
            await send({"type": "websocket.send", "bytes": PIECE})
            _sent["socket"] += 1
            await asyncio.sleep(0)
    elif text is not None:
        await send({"type": "websocket.send", "text": text})
    else:
        await send({"type": "websocket.send", "bytes": message["bytes"]})


@pytest.fixture(scope="module")
def desk_backend() -> Iterator[int]:
    """The port of a running stand-in."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", _SERVE, str(port)], cwd=ROOT)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                fetch(f"http://127.0.0.1:{port}/", timeout=60)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(60)
