"""Pages that change by themselves: a request, lists, and an order on its way."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.back_office import move, reference_of, set_back
from tests.journeys.delivery_steps import DAAN, PARTED, heading_shown
from tests.journeys.test_account import shown
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import JORIS


def _repair(visitor: Visitor, path: str = "") -> tuple[Page, str]:
    """The page of a repair that is going on, or another one about it; its reference."""
    visitor.log_in(*JORIS)
    reference = reference_of(visitor.server, JORIS[1])
    set_back(visitor.server, reference)
    page = visitor.page()
    page.goto(path or f"/maintenance/{reference}")
    shown(page)
    return page, reference


def test_a_request_changes_by_itself_without_moving_the_reader(abroad: Visitor) -> None:
    page, reference = _repair(abroad)
    page.wait_for_timeout(1300)
    link = page.get_by_role("link", name=re.compile("Plan your route"))
    link.focus()
    # The browser may scroll along with what changes above the reader; here only the page itself could scroll.
    page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    page.evaluate("window.scrollTo(0, 300)")
    before = page.evaluate("window.scrollY")
    move(abroad.server, reference, "wait_for_parts", "--note", "De cassette komt morgen.")
    expect(page.get_by_text("De cassette komt morgen.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Updated on")).to_contain_text("Waiting for parts")
    expect(link).to_be_focused()
    assert page.evaluate("window.scrollY") == before
    assert_accessible(page)
    set_back(abroad.server, reference)


def test_the_keyboard_goes_through_the_status_of_an_order_on_the_smallest_screen(visit: Visit) -> None:
    visitor = visit(width=320)
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(f"/orders/{PARTED}")
    page.get_by_role("link", name="Volg je bestelling").press("Enter")
    page.wait_for_url(f"**/order-status/{PARTED}")
    heading_shown(page, f"Status van bestelling {PARTED}")
    number = page.locator("main dd > span", has_text=PARTED).first.bounding_box()
    assert number
    assert number["height"] < 40, "the number stands on one line, whatever is beside it"
    assert_fits(page)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.innerText.trim()"))
    assert {"Bezorgdag wijzigen", "Zet in je agenda", "Artikelen, prijzen en facturen"} <= reached
