"""The administrator changes a price on the staff site, and the manager of a store its opening hours."""

import re
from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Page, expect

from portal.kernel.days import today
from tests.journeys.desk_steps import assert_well_made, at_desk
from tests.support.browser import Visitor
from tests.support.server import DeskServer


def _panel(page: Page, heading: str):
    return page.locator("section", has=page.get_by_role("heading", level=2, name=heading, exact=True))


def test_a_price_is_announced_and_taken_back(visit: Callable[..., Visitor], desk_server: DeskServer) -> None:
    page = at_desk(visit, desk_server, "carla@example.com", "/prices/service-packages")
    expect(page.get_by_role("heading", level=1, name="Prijzen")).to_be_visible()
    package = page.get_by_role("link", name="Deluxe (SERVICE31)")
    expect(package).to_be_visible()
    assert_well_made(page)
    package.click()
    field = page.get_by_role("textbox", name="Prijs per maand in euro")
    field.fill("veel")
    page.get_by_role("checkbox", name="Lekke banden gratis geplakt").uncheck()
    page.get_by_role("button", name="Opslaan", exact=True).click()
    expect(page.get_by_role("heading", name="Niet alle velden zijn goed ingevuld.")).to_be_visible()
    expect(field).to_have_accessible_description(re.compile("zoals 8,50"))
    expect(field).to_have_value("veel")
    expect(page.get_by_role("checkbox", name="Lekke banden gratis geplakt")).not_to_be_checked()
    assert_well_made(page)
    field.fill("9,25")
    page.get_by_label("Geldt vanaf").fill(str(today() + timedelta(days=9)))
    page.get_by_role("button", name="Opslaan", exact=True).click()
    announced = _panel(page, "Aangekondigd")
    expect(announced).to_contain_text("€ 9,25 per maand")
    expect(announced).not_to_contain_text("Lekke banden gratis geplakt")
    expect(page.get_by_role("heading", name="Niet alle velden zijn goed ingevuld.")).to_have_count(0)
    assert_well_made(page)
    announced.get_by_role("button", name="Intrekken").click()
    expect(announced).to_contain_text("Er is niets aangekondigd.")


def test_opening_hours_are_changed(visit: Callable[..., Visitor], desk_server: DeskServer) -> None:
    page = at_desk(visit, desk_server, "femke@example.com", "/store-hours", language="en", width=390)
    closes = page.get_by_role("textbox", name="Monday, open until")
    closes.fill("")
    page.get_by_role("textbox", name="Monday, open from").fill("10.15")
    page.get_by_role("button", name="Save the opening hours").click()
    expect(page.get_by_text("Monday: fill in both times, or neither.")).to_have_count(2)
    expect(page.get_by_role("textbox", name="Monday, open from")).to_have_value("10.15")
    assert_well_made(page)
    closes.fill("17")
    page.get_by_role("button", name="Save the opening hours").click()
    expect(_panel(page, "Today")).to_contain_text("10:15–17:00")
    expect(page.get_by_text("Monday: fill in both times, or neither.")).to_have_count(0)
    assert_well_made(page)
