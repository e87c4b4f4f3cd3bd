"""A socket whose server can be kept waiting."""

import time
from typing import Any

from playwright.sync_api import Page, WebSocketRoute


class Socket:
    """Stands between page and server: what the server says waits until it is let go. Routed before the page loads."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._messages: list[tuple[WebSocketRoute, Any]] = []
        self._open = False
        self._passed: list[str] = []
        page.route_web_socket("**/_event/**", self._route)

    def _route(self, to_page: WebSocketRoute) -> None:
        server = to_page.connect_to_server()

        def hear(message: str | bytes) -> None:
            # The handshake of the transport is no word about the page.
            if self._open or not str(message).startswith("42"):
                self._pass(to_page, message)
            else:
                self._messages.append((to_page, message))

        server.on_message(hear)

    def _pass(self, to_page: WebSocketRoute, message: str | bytes) -> None:
        self._passed.append(str(message))
        to_page.send(message)

    def wait(self, seconds: float = 60) -> None:
        """Wait until the server has said something about the page, which is held."""
        until = time.monotonic() + seconds
        while not self._messages:
            assert time.monotonic() < until, "the server said nothing about the page"
            self._page.wait_for_timeout(20)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Wait until something with this text has been let through since the last `hold`."""
        until = time.monotonic() + seconds
        while not any(text in message for message in self._passed):
            assert time.monotonic() < until, f"the server did not say {text}"
            self._page.wait_for_timeout(20)

    def settle(self) -> None:
        """Wait until the server has said nothing for a second."""
        heard = -1
        while heard != len(self._passed):
            heard = len(self._passed)
            self._page.wait_for_timeout(1000)

    def hold(self) -> None:
        """Hold what comes from now on."""
        self._open = False
        self._passed.clear()

    def let_go(self) -> None:
        """Let everything through, and what comes from now on."""
        self._open = True
        for to_page, message in self._messages:
            self._pass(to_page, message)
        self._messages.clear()

    def lose(self) -> None:
        """Lose what was held."""
        self._messages.clear()
