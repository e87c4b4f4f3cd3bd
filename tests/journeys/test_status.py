"""The status flow and the list: choosing the bike, and every way to the page of a request."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.journeys.test_account import heading, shown, word
from tests.support.browser import Visitor, assert_accessible, assert_fits
from tests.support.people import MAX


def test_the_bike_is_chosen_and_its_status_seen_with_the_keyboard_alone(visitor: Visitor) -> None:
    visitor.log_in(*MAX)
    page = visitor.page()
    page.goto("/dashboard")
    page.get_by_role("link", name=word(visitor, "Bekijk de status", "View the status"), exact=True).last.press("Enter")
    page.wait_for_url("**/status")
    expect(heading(page, word(visitor, "Om welke fiets gaat het?", "Which bike is it about?"))).to_be_focused()
    expect(page).to_have_title(re.compile(word(visitor, "Stap 1 van 2", "Step 1 of 2")))
    shown(page)
    assert_accessible(page)
    button = page.get_by_role("main").get_by_role("button")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    button.press("Enter")
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    expect(page).to_have_title(re.compile(word(visitor, "^Fout: ", "^Error: ")))
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
    expect(page).to_have_title(re.compile(word(visitor, "Stap 2 van 2", "Step 2 of 2")))
    assert_fits(page)
    assert_accessible(page)
    page.reload()
    expect(heading(page, re.compile(re.escape(name)))).to_be_visible()
    page.get_by_role("link", name=word(visitor, "Vorige stap", "Previous step")).click()
    page.wait_for_url("**/status?bike=*")
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)


def test_nothing_to_follow_is_shown_exactly(sanne_abroad: Visitor) -> None:
    page = sanne_abroad.page()
    page.goto("/status")
    text = word(sanne_abroad, "Geen te repareren fietsen", "No bikes to repair")
    expect(page.get_by_text(text, exact=True)).to_be_visible()
    name = word(sanne_abroad, "Reparatie aanmelden", "Request a repair")
    expect(page.get_by_role("main").get_by_role("link", name=name)).to_have_attribute("href", "/repair-request")
    assert_fits(page)
    assert_accessible(page)


def test_every_request_of_the_list_leads_to_its_page(abroad: Visitor) -> None:
    abroad.log_in(*MAX)
    page = abroad.page()
    page.goto("/maintenance")
    parts = page.locator("main section")
    expect(parts.first.get_by_role("heading", level=2)).to_have_text(word(abroad, "Lopend", "Under way"))
    expect(parts.last.get_by_role("heading", level=2)).to_have_text(word(abroad, "Eerder", "Earlier"))
    links = page.locator("main section h3 a")
    expect(links).to_have_count(6)
    for place in range(6):
        links.nth(place).click()
        page.wait_for_url("**/maintenance/S*")
        expect(page.locator("h1")).to_be_focused()
        expect(page.get_by_role("navigation", name=word(abroad, "Terug", "Back"))).to_be_visible()
        page.go_back()
        expect(links).to_have_count(6)
