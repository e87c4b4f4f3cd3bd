"""What a first visit really transfers, counted by the browser, against the budgets (measurements M1-M4)."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error as Gone
from playwright.sync_api import Page

from bench.pages import TRANSFERRED
from portal.flow.journey import FLOWS
from tests.support.browser import Visitor, wait_until_quiet
from tests.support.built import FURTHER, budget_of
from tests.support.walks import Walking

pytestmark = pytest.mark.fresh_windows

_TABS = 6


def _bytes_of_first_visit(page: Page, path: str) -> int:
    page.goto(path)
    wait_until_quiet(page)
    return page.evaluate(TRANSFERRED, ".")


def _bytes_where_it_ends(page: Page) -> int:
    """The bytes of a page; of the one that it leads to when it leads on just when it is looked at."""
    for _ in range(5):
        wait_until_quiet(page)
        try:
            return page.evaluate(TRANSFERRED, ".")
        except Gone as gone:
            if "context was destroyed" not in gone.message:
                raise
    raise AssertionError(f"{page.url} leads on and on")


def test_a_first_visit_to_the_login_page_keeps_to_its_budget(page: Page) -> None:
    assert _bytes_of_first_visit(page, "/") <= budget_of("/")


def _is_step(path: str) -> bool:
    _, flow, *step = path.split("/")
    return bool(step) and flow in FLOWS


def test_a_first_visit_to_every_page_keeps_to_its_budget(sanne: Visitor, pages_of_build: dict[str, Path]) -> None:
    over = {}
    # A step of a flow that was not begun leads to the first page of the flow, which is visited anyway.
    every = sorted(path for path in pages_of_build if not _is_step(path))
    # Several tabs at a time: most of it is waiting until a page has nothing more to fetch.
    for start in range(0, len(every), _TABS):
        tabs = [(path, sanne.page()) for path in every[start : start + _TABS]]
        for path, page in tabs:
            page.goto(path, wait_until="commit")
        for path, page in tabs:
            size = _bytes_where_it_ends(page)
            # A customer who is logged in is sent on from the login page: what counts is where they land.
            landed = urlsplit(page.url).path.rstrip("/") or "/"
            if size > max(budget_of(path), budget_of(landed)):
                over[path] = size
            page.close()
    assert not over


@pytest.mark.each_flow
def test_a_first_visit_to_a_step_keeps_to_its_budget(walk: Walking) -> None:
    walking = walk()
    walking.start()
    step = walking.flow.url(walking.case.steps[0])
    assert _bytes_of_first_visit(walking.page, step) <= budget_of(step)


@pytest.mark.parametrize("path", ["/orders", "/my-data"])
def test_a_page_after_the_first_costs_little(sanne: Visitor, pages_of_build: dict[str, Path], path: str) -> None:
    assert path in pages_of_build
    page = sanne.page()
    first = _bytes_of_first_visit(page, "/dashboard")
    page.locator(f'a[href="{path}"]:visible').first.click()
    page.wait_for_url(f"**{path}")
    wait_until_quiet(page)
    assert page.evaluate(TRANSFERRED, ".") - first <= FURTHER
