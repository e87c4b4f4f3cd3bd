"""A gateway for text messages: a program with an HTTP server of its own, which tests start, stop and instruct."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import HttpUrl, SecretStr
from typing_extensions import override

from portal.settings import TextGateway
from tests.support.polling import NO_CERTIFICATES
from tests.support.ports import free_port

TOKEN = "token-of-the-gateway"
UNUSED = TextGateway(url=HttpUrl("http://127.0.0.1:9/messages"), token=SecretStr(TOKEN))
"""A gateway at an address where nobody listens, for tests in which messages are only planned."""

_ROOT = Path(__file__).resolve().parents[2]


class GatewayProcess:
    """A running gateway, on a port that stays the same when it is started again."""

    def __init__(self) -> None:
        self._port = free_port()
        self._process: asyncio.subprocess.Process | None = None

    def settings(self, **changes: Any) -> TextGateway:
        """Settings that lead to this gateway."""
        url = HttpUrl(f"http://127.0.0.1:{self._port}/messages")
        given: dict[str, Any] = {"url": url, "token": SecretStr(TOKEN), "timeout_seconds": 1}
        return TextGateway(**(given | changes))

    async def start(self) -> None:
        """Start the program and wait until it answers."""
        command = [sys.executable, "-m", "tests.support.text_gateway", str(self._port)]
        self._process = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stderr=asyncio.subprocess.DEVNULL)
        until = time.monotonic() + 60
        while True:
            try:
                await self.received()
            except httpx.TransportError:
                assert time.monotonic() < until, "the gateway did not start"
                await asyncio.sleep(0.05)
            else:
                return

    async def stop(self) -> None:
        """End the program."""
        if self._process:
            self._process.kill()
            await self._process.wait()

    async def will_answer(self, *answers: dict[str, Any]) -> None:
        """Say how the next requests are answered; later ones get 202.

        Args:
            *answers: `status`; `seconds` until the answer; `endless`, whether its body never ends; `location`.
        """
        await self._call("POST", "/will-answer", list(answers))

    async def received(self) -> list[dict[str, Any]]:
        """All requests until now: `path`, `headers` and `content`."""
        return (await self._call("GET", "/received")).json()

    async def _call(self, method: str, path: str, content: object = None) -> httpx.Response:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self._port}", verify=NO_CERTIFICATES) as client:
            return await client.request(method, path, json=content)


@pytest.fixture
async def text_gateway() -> AsyncIterator[GatewayProcess]:
    """A running gateway."""
    process = GatewayProcess()
    await process.start()
    yield process
    await process.stop()


class _Handler(BaseHTTPRequestHandler):
    received: list[dict[str, Any]] = []  # noqa: RUF012 - shared by all requests
    answers: list[dict[str, Any]] = []  # noqa: RUF012 - shared by all requests

    def do_GET(self) -> None:
        self._reply(200, json.dumps(self.received).encode())

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/will-answer":
            self.answers[:] = content
            self._reply(204)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.received.append({"path": self.path, "headers": headers, "content": content})
        answer = self.answers.pop(0) if self.answers else {}
        time.sleep(answer.get("seconds", 0))
        status, location = answer.get("status", 202), answer.get("location", "")
        self._reply(status, location=location, endless=answer.get("endless", False))

    def _reply(self, status: int, content: bytes = b"", *, location: str = "", endless: bool = False) -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        if not endless:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        while endless:
            self.wfile.write(b"x" * 65_536)

    @override
    def log_message(self, format: str, *args: Any) -> None:
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler).serve_forever()
