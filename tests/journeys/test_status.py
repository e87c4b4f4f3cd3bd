"""The status flow and the list: choosing the bike, and every way to the page of a request."""

import re

from playwright.sync_api import expect

from tests.journeys.test_account import heading, shown
from tests.support.browser import Visitor, assert_accessible
from tests.support.people import MAX


def test_the_bike_is_chosen_and_its_status_seen_with_the_keyboard_alone(visitor: Visitor) -> None:
    visitor.log_in(*MAX)
    page = visitor.page()
    page.goto("/dashboard")
    page.get_by_role("link", name="Bekijk de status", exact=True).last.press("Enter")
    page.wait_for_url("**/status")
    expect(heading(page, "Om welke fiets gaat het?")).to_be_focused()
    expect(page).to_have_title(re.compile("Stap 1 van 2"))
    shown(page)
    assert_accessible(page)
    button = page.get_by_role("main").get_by_role("button")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    button.press("Enter")
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    expect(page).to_have_title(re.compile("^Fout: "))
    assert_accessible(page)
    summary.get_by_role("link").press("Enter")
    expect(page.get_by_role("radio").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    chosen = page.get_by_role("radio", checked=True)
    name = chosen.locator("xpath=..").locator(".font-semibold").inner_text()
    assert page.url.endswith("/status"), "choosing alone goes nowhere"
    button.press("Enter")
    page.wait_for_url("**/status/step-1?bike=*")
    expect(heading(page, re.compile(re.escape(name)))).to_be_visible()
    expect(page).to_have_title(re.compile("Stap 2 van 2"))
    assert_accessible(page)
    page.reload()
    expect(heading(page, re.compile(re.escape(name)))).to_be_visible()
    page.get_by_role("link", name="Vorige stap").click()
    page.wait_for_url("**/status?bike=*")
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
