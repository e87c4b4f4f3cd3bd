"""Where the visitor's system is dark, the pages are: axe finds enough contrast on them and in their states."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from portal.work_orders.flow.repair import DAMAGE
from tests.journeys.desk_steps import assert_well_made, log_in_at_desk
from tests.journeys.test_account import shown
from tests.support.browser import Visit, Visitor, assert_enough_contrast
from tests.support.people import JORIS, SANNE
from tests.support.server import DeskServer
from tests.support.walks import Walking

_PAPER, _LIGHT_PAPER = "rgb(12, 20, 18)", "rgb(247, 245, 240)"
_STRANGERS = ("/", "/nowhere", "/gone", "/privacy", "/withdrawal")
_CUSTOMERS = (
    "/dashboard",
    "/orders",
    "/orders/900000001",
    "/order-status/900000001",
    "/invoices",
    "/bikes",
    "/maintenance",
    "/returns",
    "/contracts",
    "/insurance-package",
    "/my-data",
    "/contact?topic=repair",
    "/repair-request",
    "/delivery-date/900000031",
)
_FEMKE = ("Femke Dijkstra", "femke@example.com")


def dark(page: Page) -> Page:
    """The tab, in a system that is dark."""
    page.emulate_media(color_scheme="dark")
    return page


def assert_dark(page: Page) -> None:
    """The page is dark to its edges, with its fields, and everything on it can be read."""
    expect(page.locator("body")).to_have_css("background-color", _PAPER)
    expect(page.locator("html")).to_have_css("color-scheme", "light dark")
    assert_enough_contrast(page)


def test_pages_for_strangers_are_dark(visit: Visit) -> None:
    page = dark(visit(width=375).page())
    for path in _STRANGERS:
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        assert_dark(page)
    page.goto("/")
    page.locator("main form button[type=submit]").first.click()
    expect(page.locator("main [role=alert]")).to_be_visible()
    assert_dark(page)


def test_pages_of_a_customer_are_dark(visit: Visit) -> None:
    visitor = visit(width=375)
    visitor.log_in(*SANNE)
    page = dark(visitor.page())
    for path in _CUSTOMERS:
        page.goto(path)
        shown(page)
        assert_dark(page)
    page.goto("/bikes")
    page.locator("main a[href^='/bikes/']").first.click()
    page.wait_for_url("**/bikes/*")
    shown(page)
    assert_dark(page)
    plate = page.locator("main img.picture").first
    expect(plate).to_have_css("background-color", "rgb(228, 232, 228)")
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert_dark(page)


@pytest.mark.parametrize("path", ["/dashboard", "/bikes"])
def test_what_waits_for_another_answer_is_dark_on_a_wide_screen(visitor: Visitor, path: str) -> None:
    visitor.log_in(*JORIS)
    page = dark(visitor.page())
    page.goto(path)
    shown(page)
    assert_dark(page)


def test_a_step_with_errors_is_dark(walk: Walking) -> None:
    walking = walk(width=375)
    walking.stand_at(DAMAGE.name)
    page = dark(walking.visitor.page())
    page.goto(walking.flow.url(DAMAGE))
    expect(page.locator("main form")).to_be_visible()
    assert_dark(page)
    page.locator("main form button[type=submit]").click()
    expect(page.locator("main [role=alert]")).to_be_visible()
    assert_dark(page)


def test_the_staff_site_is_dark(visit: Callable[..., Visitor], desk_server: DeskServer) -> None:
    page = dark(visit(server=desk_server, address=desk_server.desk_url, width=1440).page())
    page.goto("/cases")
    expect(page.get_by_role("main").get_by_role("radio").first).to_be_visible()
    assert_dark(page)
    log_in_at_desk(page, desk_server, *_FEMKE)
    expect(page.locator("[data-row]").first).to_be_visible()
    assert_dark(page)
    page.locator("[data-row] [data-open]").first.click()
    page.wait_for_url("**/cases/*/*")
    expect(page.locator("main h1")).to_be_visible()
    assert_dark(page)
    assert_well_made(page)


def test_paper_is_light(visit: Visit) -> None:
    page = dark(visit().page())
    page.goto("/contact")
    page.emulate_media(color_scheme="dark", media="print")
    ink = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--color-ink').trim()")
    assert ink == "#12231e"
    page.emulate_media(color_scheme="light", media="screen")
    expect(page.locator("body")).to_have_css("background-color", _LIGHT_PAPER)
