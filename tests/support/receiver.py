"""A receiver of webhooks: a real HTTP server in a thread, which remembers what it got and answers as it is told."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from typing_extensions import override


@dataclass(frozen=True)
class Received:
    """A request that arrived."""

    headers: dict[str, str]
    content: str

    @property
    def id(self) -> str:
        """Header `webhook-id`."""
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        """The body."""
        return json.loads(self.content)

    @property
    def reference(self) -> str:
        """Reference of the case."""
        return self.event["data"]["case"]["reference"]


class Receiver:
    """The server.

    Attributes:
        received: every request, in the order of arrival.
        statuses: answers to the next requests; later ones get `status`.
        refused: references whose events are answered with 500.
        answer: body of every answer.
        seconds: how long it thinks before every answer.
    """

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.statuses: list[int] = []
        self.status = 204
        self.refused: set[str] = set()
        self.answer = b""
        self.seconds = 0.0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Where it receives."""
        return f"http://127.0.0.1:{self._server.server_port}/events"

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()

    def status_for(self, request: Received) -> int:
        """The answer to a request."""
        if self.refused and request.reference in self.refused:
            return 500
        return self.statuses.pop(0) if self.statuses else self.status

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                content = self.rfile.read(length)
                if len(content) < length:  # the sender died: no request arrived
                    return
                request = Received({name.lower(): value for name, value in self.headers.items()}, content.decode())
                receiver.received.append(request)
                time.sleep(receiver.seconds)
                status = receiver.status_for(request)
                self.send_response(status)
                if status in {301, 302, 307, 308}:
                    self.send_header("Location", receiver.url + "/elsewhere")
                self.send_header("Content-Length", str(len(receiver.answer)))
                self.end_headers()
                self.wfile.write(receiver.answer)

            @override
            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A running receiver."""
    made = Receiver()
    made.start()
    yield made
    made.stop()
