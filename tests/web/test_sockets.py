"""One address or one session cannot take all sockets of the worker."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from portal.web import sockets
from portal.web.sockets import Counts, SharedCounts, SocketLimit

pytestmark = pytest.mark.asyncio


class Server:
    """Serves sockets that stay open until they are let go."""

    def __init__(self, counts: Counts | None = None) -> None:
        self.leave = asyncio.Event()
        self.limit = SocketLimit(self._serve, per_address=3, per_session=2, counts=counts)
        self._open: list[asyncio.Task[None]] = []

    async def connect(self, address: str, session: str = "") -> str:
        """Open a socket; whether it was `accepted`, or `closed` at once."""
        answers: asyncio.Queue[str] = asyncio.Queue()
        scope = {
            "type": "websocket",
            "path": "/_event",
            "headers": [(b"cookie", f"session={session}".encode())] if session else [],
            "client": (address, 1),
        }

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            answers.put_nowait(message["type"])

        self._open.append(asyncio.create_task(self.limit(scope, receive, send)))
        return {"websocket.accept": "accepted", "websocket.close": "closed"}[await answers.get()]

    async def close_all(self) -> None:
        """Close every socket, also by a fault."""
        self.leave.set()
        await asyncio.gather(*self._open, return_exceptions=True)
        self.leave.clear()

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await self.leave.wait()
        raise ConnectionError


async def test_an_address_has_so_many_sockets_and_others_are_not_touched() -> None:
    server = Server()
    assert [await server.connect("192.0.2.1") for _ in range(4)] == ["accepted"] * 3 + ["closed"]
    assert await server.connect("192.0.2.2") == "accepted"
    await server.close_all()


async def test_a_session_has_so_many_sockets_wherever_they_come_from() -> None:
    server = Server()
    opened = [await server.connect(f"192.0.2.{number}", "a.b.c") for number in range(3)]
    assert opened == ["accepted", "accepted", "closed"]
    assert await server.connect("192.0.2.0", "d.e.f") == "accepted"
    await server.close_all()


async def test_room_comes_back_however_a_socket_ends() -> None:
    server = Server()
    for _ in range(3):
        assert [await server.connect("192.0.2.1") for _ in range(4)] == ["accepted"] * 3 + ["closed"]
        await server.close_all()


async def test_other_requests_are_not_counted() -> None:
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    limit = SocketLimit(app, per_address=1, per_session=1)
    nothing: Any = None
    for kind in ("http", "http", "lifespan"):
        await limit({"type": kind}, nothing, nothing)
    assert seen == ["http", "http", "lifespan"]


async def test_two_workers_count_together(redis_url: str) -> None:
    first, second = Server(SharedCounts(redis_url)), Server(SharedCounts(redis_url))
    opened = [await server.connect("192.0.2.7") for server in (first, second, first, second)]
    assert opened == ["accepted"] * 3 + ["closed"]
    await first.close_all()
    assert [await second.connect("192.0.2.7") for _ in range(3)] == ["accepted"] * 2 + ["closed"]
    await second.close_all()


async def test_a_worker_that_gives_no_sign_holds_no_place(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_COUNTED_SECONDS", 2)
    killed, other = Server(SharedCounts(redis_url)), Server(SharedCounts(redis_url))
    assert [await killed.connect("192.0.2.8") for _ in range(3)] == ["accepted"] * 3
    assert await other.connect("192.0.2.8") == "closed"
    await asyncio.sleep(4.1)
    assert await other.connect("192.0.2.8") == "accepted"
    await asyncio.gather(killed.close_all(), other.close_all())


async def test_a_worker_that_gives_signs_keeps_its_places(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_COUNTED_SECONDS", 4)
    monkeypatch.setattr(sockets, "_SIGN_SECONDS", 0.3)
    alive, other = Server(SharedCounts(redis_url)), Server(SharedCounts(redis_url))
    assert [await alive.connect("192.0.2.9") for _ in range(3)] == ["accepted"] * 3
    await asyncio.sleep(5)
    assert await other.connect("192.0.2.9") == "closed"
    await asyncio.gather(alive.close_all(), other.close_all())


async def test_without_redis_each_worker_counts_its_own() -> None:
    server = Server(SharedCounts("redis://127.0.0.1:1/0"))
    assert [await server.connect("192.0.2.1") for _ in range(4)] == ["accepted"] * 3 + ["closed"]
    await server.close_all()
