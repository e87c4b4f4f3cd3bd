"""Sockets send and wait without a task for each message."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from engineio import async_socket
from socketio import AsyncManager, AsyncServer

from portal.portal import app
from portal.reflex_adapter.sockets import DirectManager, wait_for

NAMESPACE = "/_event"
CONNECTION = "a-connection"


async def _server(manager: AsyncManager) -> tuple[AsyncServer, str, async_socket.AsyncSocket]:
    """A server with one connected socket, and what it sends to it."""
    server = AsyncServer(async_mode="asgi", client_manager=manager)
    connection = async_socket.AsyncSocket(server.eio, CONNECTION)
    server.eio.sockets[CONNECTION] = connection
    sid: Any = await manager.connect(CONNECTION, NAMESPACE)
    return server, sid, connection


def _counted_tasks() -> list[str]:
    """The tasks that are made from now on."""
    made: list[str] = []

    def make(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(repr(work))
        return asyncio.Task(work, loop=loop, **options)

    asyncio.get_running_loop().set_task_factory(make)
    return made


def test_the_app_sends_by_our_manager() -> None:
    assert app.sio
    assert isinstance(app.sio.manager, DirectManager)
    assert app.sio.manager.server is app.sio


async def test_a_message_to_one_socket_makes_no_task() -> None:
    server, sid, connection = await _server(DirectManager())
    made = _counted_tasks()
    await server.emit("event", {"delta": 1}, to=sid, namespace=NAMESPACE)
    assert connection.queue.get_nowait().encode() == '42/_event,["event",{"delta":1}]'
    assert made == []


@pytest.mark.parametrize("data", [{"delta": {"a": "é"}}, "pong", [], 0, None, ("one", "two"), b"bytes"])
async def test_a_message_is_the_one_that_the_framework_sends(data: Any) -> None:
    sent = []
    for manager in (DirectManager(), AsyncManager()):
        server, sid, connection = await _server(manager)
        await server.emit("event", data, to=sid, namespace=NAMESPACE)
        sent.append([connection.queue.get_nowait().encode() for _ in range(connection.queue.qsize())])
    assert sent[0] == sent[1] != []


async def test_a_socket_that_has_closed_gets_nothing() -> None:
    server, sid, connection = await _server(DirectManager())
    connection.closed = True
    await server.emit("event", {"delta": 1}, to=sid, namespace=NAMESPACE)
    assert connection.queue.empty()


async def test_a_message_to_nobody_is_dropped() -> None:
    server, _, connection = await _server(DirectManager())
    await server.emit("event", {"delta": 1}, to="somebody-else", namespace=NAMESPACE)
    assert connection.queue.empty()


async def test_an_idle_socket_waits_in_its_own_tasks() -> None:
    _, _, connection = await _server(DirectManager())
    made = _counted_tasks()
    waiting = asyncio.ensure_future(connection.poll())
    await asyncio.sleep(0.01)
    assert len(made) == 1
    await connection.queue.put("a message")
    assert await waiting == ["a message"]


async def test_waiting_ends_in_time() -> None:
    with pytest.raises(asyncio.TimeoutError):
        await wait_for(asyncio.Event().wait(), 0.01)


async def test_who_waits_too_long_cancels_what_it_waits_for() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    with pytest.raises(asyncio.TimeoutError):
        await wait_for(future, 0.01)
    assert future.cancelled()
