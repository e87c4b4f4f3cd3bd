"""The administrator changes a price on the staff site, and the manager of a store its opening hours."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.days import today
from tests.journeys.desk_steps import log_in_at_desk
from tests.journeys.test_account import assert_fits
from tests.support.browser import Visitor, assert_accessible
from tests.support.server import DeskServer

_WORDS = {
    "nl": {
        "prices": "Prijzen", "package": "Deluxe (SERVICE31)", "price": "Prijs per maand in euro", "from": "Geldt vanaf",
        "save": "Opslaan", "summary": "Niet alle velden zijn goed ingevuld.", "wrong": "Vul een getal in van 0 tot",
        "typed": "9,25", "shown": "€ 9,25 per maand", "announced": "Aangekondigd", "none": "Er is niets aangekondigd.",
        "take_back": "Intrekken", "included": "Lekke banden gratis geplakt",
        "opens": "maandag, open vanaf", "closes": "maandag, open tot", "save_hours": "Openingstijden opslaan",
        "both": "maandag: vul beide tijden in, of geen van beide.", "today": "Vandaag",
    },
    "en": {
        "prices": "Prices", "package": "Carefree (SERVICE42)", "price": "Price per month in euros",
        "from": "Applies from",
        "save": "Save", "summary": "Not all fields are filled correctly", "wrong": "Enter a number from 0 to",
        "typed": "9.25", "shown": "€9.25 a month", "announced": "Announced", "none": "Nothing has been announced.",
        "take_back": "Take back", "included": "Punctures repaired free of charge",
        "opens": "Monday, open from", "closes": "Monday, open until", "save_hours": "Save the opening hours",
        "both": "Monday: fill in both times, or neither.", "today": "Today",
    },
}  # fmt: skip

on_both_sides = pytest.mark.parametrize(("language", "width"), [("nl", 1440), ("en", 390)])


def _opened(
    visit: Callable[..., Visitor], server: DeskServer, language: str, width: int, email: str, name: str
) -> tuple[Page, dict[str, str]]:
    """The staff site, where somebody has logged in, and its texts."""
    visitor = visit(language=language, width=width, server=server, address=server.desk_url)
    page = visitor.page()
    page.goto("/login")
    log_in_at_desk(page, server, name, email, language=language)
    page.wait_for_url(re.compile(r"^(?!.*/login)"))
    return page, _WORDS[language]


def _check(page: Page) -> None:
    """Run axe from the top: what is below the fixed header counts as hidden."""
    page.evaluate("scrollTo(0, 0)")
    assert_accessible(page)


def _panel(page: Page, heading: str):
    return page.locator("section", has=page.get_by_role("heading", level=2, name=heading, exact=True))


@on_both_sides
def test_a_price_is_announced_and_taken_back(
    visit: Callable[..., Visitor], desk_server: DeskServer, language: str, width: int
) -> None:
    page, words = _opened(visit, desk_server, language, width, "carla@example.com", "Carla Janssen")
    page.goto("/prices/service-packages")
    expect(page.get_by_role("heading", level=1, name=words["prices"])).to_be_visible()
    package = page.get_by_role("link", name=words["package"])
    expect(package).to_be_visible()
    _check(page)
    assert_fits(page)
    package.click()
    field = page.get_by_role("textbox", name=words["price"])
    field.fill("veel")
    page.get_by_role("checkbox", name=words["included"]).uncheck()
    page.get_by_role("button", name=words["save"], exact=True).click()
    expect(page.get_by_role("heading", name=words["summary"])).to_be_visible()
    expect(field).to_have_accessible_description(re.compile(words["wrong"]))
    expect(field).to_have_value("veel")
    expect(page.get_by_role("checkbox", name=words["included"])).not_to_be_checked()
    _check(page)
    field.fill(words["typed"])
    page.get_by_label(words["from"]).fill(str(today() + timedelta(days=9)))
    page.get_by_role("button", name=words["save"], exact=True).click()
    announced = _panel(page, words["announced"])
    expect(announced).to_contain_text(words["shown"])
    expect(announced).not_to_contain_text(words["included"])
    expect(page.get_by_role("heading", name=words["summary"])).to_have_count(0)
    _check(page)
    assert_fits(page)
    announced.get_by_role("button", name=words["take_back"]).click()
    expect(announced).to_contain_text(words["none"])


@on_both_sides
def test_opening_hours_are_changed(
    visit: Callable[..., Visitor], desk_server: DeskServer, language: str, width: int
) -> None:
    page, words = _opened(visit, desk_server, language, width, "femke@example.com", "Femke Dijkstra")
    page.goto("/store-hours")
    closes = page.get_by_role("textbox", name=words["closes"])
    closes.fill("")
    page.get_by_role("textbox", name=words["opens"]).fill("10.15")
    page.get_by_role("button", name=words["save_hours"]).click()
    expect(page.get_by_text(words["both"])).to_have_count(2)
    expect(page.get_by_role("textbox", name=words["opens"])).to_have_value("10.15")
    _check(page)
    assert_fits(page)
    closes.fill("17")
    page.get_by_role("button", name=words["save_hours"]).click()
    expect(_panel(page, words["today"])).to_contain_text("10:15–17:00")
    expect(page.get_by_text(words["both"])).to_have_count(0)
    _check(page)
