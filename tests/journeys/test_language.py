"""The language switch: at once, nothing lost, and without a flash of the other language (flow-standard F48)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.gallery_page import Gallery, until
from tests.journeys.test_first_data import settled
from tests.support.browser import Visitor

pytestmark = pytest.mark.fresh_windows
Open = Callable[..., Gallery]


def test_switching_keeps_what_was_typed_the_page_and_the_focus(open_gallery: Open) -> None:
    gallery = open_gallery()
    page = gallery.open("/")
    page.locator("[name=name]").fill("half-typed")
    page.locator("[name=story]").fill("Piept")
    page.get_by_role("button", name="EN English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bikes")
    expect(page).to_have_title("Bikes – Bovenbuis")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("[name=name]")).to_have_value("half-typed")
    expect(page.locator("[name=story]")).to_have_value("Piept")
    expect(page.get_by_role("button", name="EN English")).to_be_focused()
    expect(page.get_by_role("button", name="EN English")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(gallery.server.base_url + "/")


def test_the_choice_is_kept_for_a_year(open_gallery: Open) -> None:
    gallery = open_gallery()
    page = gallery.open("/")
    page.get_by_role("button", name="EN English").click()
    cookie = next(cookie for cookie in gallery.context.cookies() if cookie.get("name") == "lang")
    assert (cookie.get("value"), cookie.get("sameSite"), cookie.get("path")) == ("en", "Lax", "/")
    assert cookie.get("expires", 0) - page.evaluate("Date.now() / 1000") > 364 * 24 * 3600
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bikes")


@pytest.mark.parametrize("value", ["de", "<evil>"])
def test_a_cookie_that_is_no_language_of_ours_means_dutch(open_gallery: Open, value: str) -> None:
    gallery = open_gallery()
    gallery.context.add_cookies([{"name": "lang", "value": value, "url": gallery.server.base_url}])
    page = gallery.open("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fietsen")
    expect(page.locator("html")).to_have_attribute("lang", "nl")


def test_an_english_visitor_never_sees_dutch(open_gallery: Open) -> None:
    gallery = open_gallery(language="en")
    page = gallery.page()
    page.add_init_script(
        """window.seen = []; const look = () => { const h = document.querySelector('h1');
        if (h && getComputedStyle(h).visibility === 'visible') window.seen.push(h.textContent);
        requestAnimationFrame(look); }; look();"""
    )
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bikes")
    until(page, "window.seen.length > 3")
    assert set(page.evaluate("window.seen")) == {"Bikes"}


def test_a_failed_script_does_not_leave_the_page_empty(open_gallery: Open) -> None:
    gallery = open_gallery(language="en")
    gallery.troubles.allow("ERR_FAILED|Failed to fetch")
    page = gallery.page()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto("/orders")
    expect(page.get_by_role("heading", level=1)).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_another_tab_follows_at_once_with_the_names_in_its_data(sanne: Visitor) -> None:
    first, second = sanne.page(), sanne.page()
    settled(first, "/bikes")
    settled(second, "/contact")
    expect(first.get_by_role("main")).to_contain_text("Nachtblauw")
    second.get_by_role("button", name="EN English").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Bikes")
    expect(first.get_by_role("main")).to_contain_text("Midnight blue")
    first.get_by_role("button", name="NL Nederlands").click()
    expect(second.locator("html")).to_have_attribute("lang", "nl")


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        (
            "nl",
            {
                "money": "€ 1.234,50",
                "day": "3\u00a0juni 2026",
                "weekday": "woensdag 3\u00a0juni 2026",
                "moment": "4\u00a0juni 2026, 00:30",
                "number": "1.250,3",
                "distance": "1.250,5\u00a0km",
                "nothing": "",
                "plural": "2 bestellingen, nieuwste eerst",
                "status": "In reparatie",
                "unknown": "Status onbekend",
            },
        ),
        (
            "en",
            {
                "money": "€1,234.50",
                "day": "3\u00a0June 2026",
                "weekday": "Wednesday 3\u00a0June 2026",
                "moment": "4\u00a0June 2026, 00:30",
                "number": "1,250.3",
                "distance": "1,250.5\u00a0km",
                "nothing": "",
                "plural": "2 orders, newest first",
                "status": "In repair",
                "unknown": "Status unknown",
            },
        ),
    ],
)
def test_amounts_days_and_statuses_speak_the_language(open_gallery: Open, language: str, shown: dict[str, str]) -> None:
    page = open_gallery(language=language).open("/")
    for name, text in shown.items():
        expect(page.locator(f"#{name}")).to_have_text(text)
