"""A customer at the question for photos, and what is on the screen there."""

import time
from collections.abc import Callable

from playwright.sync_api import FilePayload, Locator, Page, Route

from portal.work_orders.flow.repair import PHOTOS
from tests.support import files
from tests.support.browser import Visitor
from tests.support.flows import CASES
from tests.support.stored import forget_requests
from tests.support.walks import UPLOAD, Walk

CASE = next(case for case in CASES if case.flow.name == "repair-request")
Begin = Callable[..., Walk]
BODIES = "**/files/uploads/*"


def walk_to_files(visitor: Visitor) -> Walk:
    """Log in and answer everything before."""
    forget_requests(visitor.server)
    visitor.log_in(*CASE.customer)
    walking = Walk(visitor, CASE)
    walking.stand_at(PHOTOS.name)
    return walking


def on_to_check(walking: Walk) -> None:
    """From the question for photos on to the check page."""
    walking.next()
    for step in walking.case.steps_after(PHOTOS.name):
        walking.answer(step.name)
    walking.at(walking.flow.check_step)


def payload(name: str, content: bytes | None = None) -> FilePayload:
    """A file to choose; a small photo unless it has another content."""
    content = files.jpg(80, 60) if content is None else content
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def choose(page: Page, *chosen: FilePayload) -> None:
    """Choose files."""
    page.locator("#photos").set_input_files(list(chosen))


def rows(page: Page, state: str = "") -> Locator:
    """The files on the screen, of one state or all."""
    return page.locator(f"main li[data-state{f'={state}' if state else ''}]")


def row(page: Page, name: str) -> Locator:
    """One file on the screen."""
    return rows(page).filter(has_text=name)


def held_back(page: Page) -> list[Route]:
    """Hold the bodies of files on their way."""
    held: list[Route] = []
    page.route(BODIES, lambda route: held.append(route) if route.request.method == "PUT" else route.continue_())
    return held


def on_their_way(page: Page, held: list[Route], bodies: int = 1) -> None:
    """Wait until bodies are on their way: their rows are there before."""
    until = time.monotonic() + UPLOAD / 1000
    while len(held) < bodies:
        assert time.monotonic() < until, "no body was sent"
        page.wait_for_timeout(20)
