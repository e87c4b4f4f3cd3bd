"""Nothing moves while pages load: a cumulative layout shift of at most 0.02 (web.dev/cls).

`python -m bench.shifts` measures every page.
"""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page

from bench.shifts import MOST, SHIFTS
from portal.portal import _all
from portal.ui.page import sample_path
from portal.work_orders.flow.repair import REPAIR
from tests.support.browser import Visit, wait_until_quiet
from tests.support.flows import CASES
from tests.support.people import SANNE
from tests.support.server import FAST_LOGIN, PortalServer
from tests.support.walks import Walk, Walking

pytestmark = pytest.mark.timeout(400)

WIDTHS = (375, 1280)
_PAGES = (
    "/dashboard",
    "/orders",
    "/orders/900000001",
    "/invoices",
    "/bikes",
    "/maintenance",
    "/returns",
    "/contracts",
    "/insurance-package",
    "/my-data",
    "/contact",
    "/repair-request",
    "/service-request",
    "/claim-request",
    "/return-request",
    REPAIR.url(REPAIR.first_step),
    "/withdrawal",
    "/cancel-contract",
    "/nowhere",
)
_NOT_FOUND = (
    # What does not exist, or belongs to another customer, takes the place of a page that was loading.
    "/orders/0",
    "/bikes/0",
    "/delivery-date/0",
    "/requests/0",
)
_LATE = (
    "/dashboard",
    "/orders/900000001",
    "/bikes",
    "/repair-request",
    REPAIR.url(REPAIR.first_step),
    "/insurance-package",
    "/withdrawal",
    "/cancel-contract",
)
"""Pages that are opened before their data are there: what they show first has the size of what comes."""

_FONT_KEPT = "() => window.localStorage.font"
_SETTLED = 250
"""Milliseconds after the font, the last of all that a page loads."""


def shift_of(page: Page, path: str) -> float:
    """How far a page moves until everything is there, in thousandths."""
    page.goto(path)
    wait_until_quiet(page)
    page.wait_for_function(_FONT_KEPT)
    page.wait_for_timeout(_SETTLED)
    return 1000 * float(page.evaluate("() => window.__shift ?? 0"))


_PUBLIC = [sample_path(page.route) for page in _all if not page.protected]
"""Pages for everybody: also the page that is not found, and links of mails that do not work."""


def _by_turns(paths: Sequence[str], width: int) -> Sequence[str]:
    """Every other page: those that are laid out alike are each seen on one screen."""
    return paths[WIDTHS.index(width) :: len(WIDTHS)]


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_moves_for_a_stranger(visit: Visit, width: int) -> None:
    page = visit(width=width).page()
    page.add_init_script(f"({SHIFTS})()")
    found = {path: shift_of(page, path) for path in ("/", *_by_turns(_PUBLIC, width), "/orders")}
    moving = {path: round(value) for path, value in found.items() if value > MOST}
    assert not moving, str(moving)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_of_the_account_moves_while_it_loads(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    page = visitor.page()
    page.add_init_script(f"({SHIFTS})()")
    visitor.log_in(*SANNE)
    found = {path: shift_of(page, path) for path in (*_PAGES, *_by_turns(_NOT_FOUND, width))}
    moving = {path: round(value) for path, value in found.items() if value > MOST}
    assert not moving, str(moving)


def test_no_page_moves_whose_data_come_late(start_portal: Callable[..., PortalServer], visit: Visit) -> None:
    server, moving = start_portal(**FAST_LOGIN, PORTAL_DRAWING_SECONDS="0.001"), {}
    for width in WIDTHS:
        visitor = visit(width=width, server=server)
        page = visitor.page()
        page.add_init_script(f"({SHIFTS})()")
        visitor.log_in(*CASES[0].customer)
        if width == WIDTHS[0]:
            Walk(visitor, CASES[0], page).start()  # There is a draft from then on.
        for path in _by_turns(_LATE, width):
            if (value := shift_of(page, path)) > MOST:
                moving[path, width] = round(value)
    assert not moving, str(moving)


@pytest.mark.parametrize("width", [375, 1280])
def test_no_flow_moves_that_is_opened_where_another_was_shown(walk: Walking, width: int) -> None:
    walking = walk(width=width)
    page = walking.page
    page.add_init_script(f"({SHIFTS})()")
    shift_of(page, "/dashboard")  # With its font kept.
    walking.until("damage")
    moving = {}
    for path in ("/service-request", "/claim-request", "/return-request", "/return-accessories-request"):
        walking.open("damage")
        walking.at("damage")
        if (value := shift_of(page, path)) > MOST:
            moving[path] = round(value)
    assert not moving, str(moving)


def test_a_page_that_moves_is_noticed(visit: Visit) -> None:
    page = visit(width=375).page()
    page.add_init_script(f"({SHIFTS})()")
    page.goto("/contact")
    page.wait_for_function(_FONT_KEPT)
    page.evaluate("() => document.querySelector('main').style.marginTop = '200px'")
    page.wait_for_timeout(_SETTLED)
    assert page.evaluate("() => window.__shift ?? 0") > MOST / 1000
