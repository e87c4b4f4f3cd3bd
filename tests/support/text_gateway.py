"""A gateway for text messages: an HTTP server that tests start, stop and instruct."""

import json
import time
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from pydantic import HttpUrl, SecretStr
from typing_extensions import override

from portal.setting_groups import TextGateway
from tests.support.ports import free_port

TOKEN = "token-of-the-gateway"
UNUSED = TextGateway(url=HttpUrl("http://127.0.0.1:9/messages"), token=SecretStr(TOKEN))
"""A gateway at an address where nobody listens, for tests in which messages are only planned."""


class Gateway:
    """A gateway on a port of its own.

    Attributes:
        received: all requests until now: `path`, `headers` and `content`.
        answers: how the next requests are answered; later ones get 202. `status`; `seconds` until the answer;
            `endless`, whether its body never ends; `location`.
    """

    def __init__(self) -> None:
        self._port = free_port()
        self.received: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []

    def settings(self, **changes: Any) -> TextGateway:
        """Settings that lead to this gateway."""
        url = HttpUrl(f"http://127.0.0.1:{self._port}/messages")
        given: dict[str, Any] = {"url": url, "token": SecretStr(TOKEN), "timeout_seconds": 1}
        return TextGateway(**(given | changes))

    def serve(self) -> ThreadingHTTPServer:
        """Serve from a thread."""
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                gateway.received.append({"path": self.path, "headers": headers, "content": content})
                answer = gateway.answers.pop(0) if gateway.answers else {}
                time.sleep(answer.get("seconds", 0))
                self.send_response(answer.get("status", 202))
                if location := answer.get("location"):
                    self.send_header("Location", location)
                if not answer.get("endless"):
                    self.send_header("Content-Length", "0")
                try:
                    self.end_headers()
                    while answer.get("endless"):
                        self.wfile.write(b"x" * 65_536)
                except OSError:
                    pass  # whoever asked has gone

            @override
            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server


@pytest.fixture
async def text_gateway() -> AsyncIterator[Gateway]:
    """A running gateway."""
    gateway = Gateway()
    server = gateway.serve()
    yield gateway
    server.shutdown()
    server.server_close()
