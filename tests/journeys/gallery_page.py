"""Opens the gallery of components in a real browser."""

import time

from playwright.sync_api import Page

from tests.support.browser import ALIVE, Place, Troubles, Windows, tab
from tests.support.gallery import GalleryServer


def until(page: Page, condition: str, seconds: float = 30) -> None:
    """Wait for a condition in the page. The security policy forbids the browser to do the waiting by itself."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"never came true: {condition}"
        time.sleep(0.02)


class Gallery:
    """A browser window with the gallery; what goes wrong in it fails the test."""

    def __init__(self, windows: Windows, server: GalleryServer, language: str = "nl", width: int = 1280) -> None:
        self.server = server
        self.troubles = Troubles()
        self._windows, self._place = windows, Place(server.base_url, language, width)
        self.context = windows.open(self._place)
        if language != "nl":
            self.context.add_cookies([{"name": "lang", "value": language, "url": server.base_url}])
        self.troubles.watch(self.context)

    def page(self) -> Page:
        """Open an empty tab."""
        return tab(self.context, self._place)

    def open(self, path: str = "/") -> Page:
        """Open a page and wait until it answers."""
        page = self.page()
        page.goto(path)
        until(page, ALIVE)
        return page

    def close(self) -> None:
        """Return the window."""
        self.troubles.leave(self.context)
        self._windows.give_back(self.context, self._place)
        self.troubles.check()
