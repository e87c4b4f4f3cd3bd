"""A body that is refused early: it is read, within limits, before the answer goes out and the connection closes."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from portal.backend.api import layers
from portal.backend.api.layers import ErrorMiddleware
from portal.settings import Settings

SCOPE: Scope = {"type": "http", "method": "PUT", "path": "/mijn-fw/v2/files/ABCDEFGH23/body", "headers": []}


async def _refuses(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("who are you?", 401)(scope, receive, send)


async def _order(*pieces: bytes, silent: bool = False) -> list[str]:
    """What happens, one after the other, to a body of these pieces."""
    seen: list[str] = []
    left = list(pieces)

    async def receive() -> Message:
        if silent and not left:
            await asyncio.Event().wait()
        seen.append("piece")
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left) or silent}

    async def send(message: Message) -> None:
        seen.append(str(message.get("status", "end")))

    await ErrorMiddleware(_refuses, Settings())(SCOPE, receive, send)
    return seen


async def test_what_is_still_sent_is_read_before_the_answer() -> None:
    assert await _order(b"a", b"b", b"c") == ["piece"] * 3 + ["401", "end"]


async def test_who_sends_much_is_answered_all_the_same() -> None:
    assert await _order(*[bytes(3_000_000)] * 9) == ["piece"] * 3 + ["401", "end"]


async def test_who_falls_silent_is_answered_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_PASSING_SECONDS", 0.05)
    assert await _order(b"a", silent=True) == ["piece", "401", "end"]
