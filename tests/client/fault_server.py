"""A server of a few lines that misbehaves on a real socket, as asked."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

Behaviour = Callable[["Received", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Received:
    """A request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class FaultServer:
    """Answers every request the way `behaviour` says; keeps what it received."""

    behaviour: Behaviour
    received: list[Received] = field(default_factory=list)
    address: str = ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until the other side leaves."""
        try:
            while line := await reader.readline():
                if not line.endswith(b" HTTP/1.1\r\n"):
                    break  # the rest of a body that was answered before it had come
                method, path, _ = line.decode().split()
                headers: dict[str, str] = {}
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    name, _, value = header.decode("latin-1").partition(":")
                    headers[name.lower()] = value.strip()
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                request = Received(method, path, headers, body)
                self.received.append(request)
                await self.behaviour(request, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def fault_server(behaviour: Behaviour) -> AsyncIterator[FaultServer]:
    """Run a server for the length of a test."""
    fault = FaultServer(behaviour)
    connections: set[asyncio.Task[Any]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        connections.add(task)
        try:
            await fault.handle(reader, writer)
        except asyncio.CancelledError:
            pass
        finally:
            connections.discard(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    fault.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield fault
    finally:
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


def answers(
    body: bytes | Mapping[str, Any],
    *,
    status: int = 200,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """Answer with a body, whole."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = {"Content-Type": media_type, "Content-Length": str(len(content)), **(headers or {})}

    async def behave(_request: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(_head(status, head) + content)
        await writer.drain()

    return behave


def refuses(code: str, status: int, **details: Any) -> Behaviour:
    """Answer with a refusal in the envelope."""
    envelope = {"success": False, "data": None, "error": code, "details": details or None}
    return answers(envelope, status=status)


async def never(_request: Received, _writer: asyncio.StreamWriter) -> None:
    """Read the request and say nothing."""
    await asyncio.sleep(60)


async def drips(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Answer a sign at a time, for ever."""
    writer.write(_head(200, {"Content-Type": "application/json", "Content-Length": "100000"}))
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def never_ends(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Answer with a body without end, as fast as it is taken."""
    writer.write(_head(200, {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}))
    while True:
        writer.write(b"10000\r\n" + b"9" * 0x10000 + b"\r\n")
        await writer.drain()


async def announces_too_much(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Say that an enormous body follows."""
    writer.write(_head(200, {"Content-Type": "application/pdf", "Content-Length": str(10**12)}) + b"%PDF-")
    await writer.drain()
    await asyncio.sleep(60)


async def breaks_off(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Reset the connection in the middle of the body."""
    writer.write(_head(200, {"Content-Type": "application/json", "Content-Length": "1000"}) + b'{"success": tr')
    await writer.drain()
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
    raise ConnectionResetError


async def hangs_up(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Close the connection without a word."""
    writer.close()
    raise ConnectionResetError


async def talks_nonsense(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Answer with something that is no HTTP."""
    writer.write(b"220 mail.example.com ESMTP\r\n\r\n")
    await writer.drain()
    writer.close()
    raise ConnectionResetError


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Test\r\n{lines}\r\n".encode()
