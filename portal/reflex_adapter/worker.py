"""The server process. It serves by itself and forks nothing: whatever started it starts it again when it dies."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from importlib import import_module
from typing import Any, NoReturn

import uvloop
from granian.constants import Interfaces
from granian.errors import FatalError
from granian.log import LogLevels
from granian.server.embed import Server

_STOP_SECONDS = 5
"""How long requests that are under way may take when the process is interrupted, or asked to end once more."""

_CONNECTIONS = 4096


def is_free(address: str, port: int) -> bool:
    """Whether the port is free. Otherwise two servers could share it and each get half of the requests."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except (OSError, OverflowError):
            return False
    return True


def serve(application: str, address: str, port: int, *, websockets: bool = True) -> int:
    """Serve an application, named as `module:function`, until this process is asked to stop.

    SIGTERM drains it: the port closes, sockets close, so that their tabs connect elsewhere, and requests that are under
    way, such as uploads, go on to their end. Whoever sends the signal sets the limit.
    """
    gc.disable()  # Imports leave next to no garbage; a collection would take 0.4 s.
    module, _, name = application.partition(":")
    app = getattr(import_module(module), name)()
    gc.freeze()
    gc.enable()
    # Not closed: it would wait for what never ends, such as a socket that closes. The process ends anyway.
    runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    try:
        runner.run(_serve(app, address, port, websockets=websockets))
    except FatalError:  # The application did not start, as the log says.
        return 1
    return 0


async def _serve(app: Any, address: str, port: int, *, websockets: bool) -> None:
    loop = asyncio.get_running_loop()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        gone = False

        async def received() -> Any:
            nonlocal gone
            message = await receive()
            gone = message["type"] == "websocket.disconnect"
            return message

        async def sent(message: Any) -> None:
            if not gone:  # granian would answer never, and keep the connection
                await send(message)

        if scope["type"] == "websocket":
            await app(scope, received, sent)
        else:
            await app(scope, receive, send)

    server = Server(
        application,
        address=address,
        port=port,
        interface=Interfaces.ASGI,
        websockets=websockets,
        backlog=2048,
        backpressure=_CONNECTIONS,
        log_level=LogLevels.error,
    )

    def drain() -> None:
        loop.add_signal_handler(signal.SIGTERM, stop)
        server.stop()

    def stop() -> None:
        loop.call_later(_STOP_SECONDS, leave, 0)
        server.stop()

    loop.add_signal_handler(signal.SIGTERM, drain)
    loop.add_signal_handler(signal.SIGINT, stop)
    await server.serve()


def leave(status: int) -> NoReturn:
    """End this process without taking apart what it loaded, of which Reflex' pages would complain one by one."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
