"""Nothing moves while a page of customers loads: a cumulative layout shift of at most 0.02 (web.dev/cls).

`python -m bench.shifts` measures first visits behind a slow line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from bench.shifts import MOST, SHIFTS
from portal.flow.registry import FLOWS
from portal.locations.flow import LOCATION
from portal.portal import _all
from portal.ui.page import sample_path
from portal.work_orders.flow.service import ADDRESS_STEP, JOB_STEP, SERVICE
from tests.support.browser import Visit, Visitor
from tests.support.flows import CASES, FlowCase
from tests.support.people import SANNE
from tests.support.return_cases import ROOS
from tests.support.walks import Walk, Walking

pytestmark = pytest.mark.timeout(400)

_LATER_STEPS = {flow.url(step).strip("/") for flow in FLOWS.values() for step in flow.all_steps[2:]}
"""Routes that lead to an earlier step until it is answered."""

PUBLIC = [sample_path(page.route) for page in _all if not page.protected]
"""Pages for everybody, the page that is not found, and links of mails that do not work."""

OWN = [sample_path(page.route) for page in _all if (page.protected or page.for_both) and page.route not in _LATER_STEPS]
"""Pages of a customer; one about a subject that does not exist is not found."""

LISTS = {SANNE: ("/bikes", "/maintenance"), ROOS: ("/returns",)}
"""Lists that lead to the pages of their entries, by a customer who has some."""

SUBJECTS = (
    "/orders/900000001",
    "/order-status/900000001",
    "/delivery-date/900000001",
    "/withdrawal/900000001",
)

_FONT_KEPT = "() => window.localStorage.font"
_WAITING = "main :is(.skeleton, [aria-busy=true])"
_SETTLED = 250
"""Milliseconds after the font, the last of all that a page loads."""


def shift_of(page: Page, path: str) -> float:
    """How far a page moves until everything is there, in thousandths."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(_FONT_KEPT)
    expect(page.locator(_WAITING)).to_have_count(0)
    page.wait_for_timeout(_SETTLED)
    return 1000 * float(page.evaluate("() => window.__shift ?? 0"))


def assert_still(page: Page, paths: Iterable[str]) -> None:
    """Open pages, and check that none moved."""
    found = {path: shift_of(page, path) for path in paths}
    moving = {path: round(value) for path, value in found.items() if value > MOST}
    assert not moving, str(moving)


def entries(page: Page, lists: Iterable[str]) -> list[str]:
    """The page of the first entry of each list."""
    found = []
    for path in lists:
        page.goto(path)
        found.append(page.locator(f"main a[href^='{path}/']").first.get_attribute("href") or "")
    return found


def as_built(page: Page) -> None:
    """Open documents as they were built, as when drawing fails or the first data come too late.

    The session is away while the document is requested, and back before its first script runs.
    """
    context, load = page.context, page.goto
    kept: list[Any] = []

    def run(route: Route) -> None:
        context.add_cookies(kept)
        route.continue_()

    def goto(path: str) -> None:
        kept[:] = context.cookies()
        context.clear_cookies(name=re.compile("session"))
        load(path)

    page.route("**/assets/entry.client*.js", run)
    page.goto = goto  # type: ignore[method-assign,assignment]


def measured(visitor: Visitor) -> Page:
    """A tab that measures."""
    page = visitor.page()
    page.add_init_script(f"({SHIFTS})()")
    return page


@pytest.mark.parametrize("width", [375, 1280])
def test_no_page_moves_for_a_stranger(visit: Visit, width: int) -> None:
    assert_still(measured(visit(width=width)), [*PUBLIC, "/orders"])


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "as built"])
def test_no_page_of_a_customer_moves(visit: Visit, width: int, drawn: bool) -> None:
    for customer, paths in ((SANNE, [*OWN, *SUBJECTS]), (ROOS, ["/returns"])):
        visitor = visit(width=width)
        visitor.log_in(*customer)
        page = measured(visitor)
        known = entries(page, LISTS[customer])
        if not drawn:
            as_built(page)
        assert_still(page, [*paths, *known])


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("case", [case for case in CASES if case.flow is SERVICE], ids=str)
def test_no_step_moves_that_looks_up_more(walk: Walking, width: int, case: FlowCase) -> None:
    walking = walk(width=width)
    walking.stand_at(JOB_STEP.name)
    assert_step_is_still(walking)
    for step in (JOB_STEP, ADDRESS_STEP):
        walking.answer(step.name)
    walking.at(LOCATION)
    assert_step_is_still(walking)


def assert_step_is_still(walking: Walk) -> None:
    """Open the step of a customer in tabs of their own, drawn and as it was built."""
    page = measured(walking.visitor)
    assert_still(page, [walking.page.url])
    as_built(page)
    assert_still(page, [walking.page.url])
    page.close()


def test_a_page_that_moves_is_noticed(visit: Visit) -> None:
    page = measured(visit(width=375))
    page.goto("/contact")
    page.wait_for_function(_FONT_KEPT)
    page.evaluate("() => document.querySelector('main').style.marginTop = '200px'")
    page.wait_for_timeout(_SETTLED)
    assert page.evaluate("() => window.__shift ?? 0") > MOST / 1000
