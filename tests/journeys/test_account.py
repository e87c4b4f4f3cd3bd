"""What a customer finds in the account: overview, orders, invoices, bikes, service requests, customer service."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import HEIGHTS, Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import MAX, PIETER, SANNE

PAGES = {
    "/dashboard": ("Hoi Sanne, waarmee kunnen we je helpen?", "Hi Sanne, how can we help you?"),
    "/my-data": ("Mijn gegevens", "My data"),
    "/orders": ("Bestellingen", "Orders"),
    "/orders/900000001": ("Bestelling 900000001", "Order 900000001"),
    "/invoices": ("Facturen", "Invoices"),
    "/bikes": ("Fietsen", "Bikes"),
    "/maintenance": ("Serviceaanvragen", "Service requests"),
    "/contact?topic=repair": ("Klantenservice", "Customer service"),
}


def word(visitor: Visitor, dutch: str, english: str) -> str:
    """A text in the language of the visitor."""
    return dutch if visitor.language == "nl" else english


def heading(page: Page, name: str | re.Pattern[str]) -> Locator:
    """The one heading of the page."""
    return page.get_by_role("heading", level=1, name=name)


def shown(page: Page) -> None:
    """Wait until the answer of the provider is there."""
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


def assert_fits_everywhere(page: Page) -> None:
    """Nothing sticks out at the side, on the other screen as well."""
    seen_at = page.viewport_size
    assert seen_at
    for width, height in HEIGHTS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert_fits(page)
    page.set_viewport_size(seen_at)


def test_every_page_of_the_account_is_complete_and_accessible(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    for place, (path, (dutch, english)) in enumerate(PAGES.items()):
        page.goto(path)
        expect(heading(page, word(sanne_crosswise, dutch, english))).to_be_visible()
        shown(page)
        expect(page).to_have_title(re.compile(r" – Bovenbuis$"))
        expect(page.locator("h1")).to_have_count(1)
        assert_fits_everywhere(page)
        # Each page once, by turns in both languages and on both screens.
        if place % 2 == (sanne_crosswise.language == "nl"):
            assert_accessible(page)


def test_a_bike_is_complete_and_its_numbers_can_be_copied(sanne_abroad: Visitor) -> None:
    sanne_abroad.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = sanne_abroad.page()
    page.goto("/bikes")
    page.get_by_role("link", name="Noordveld Horizon 5").click()
    expect(heading(page, "Noordveld Horizon 5")).to_be_focused()
    copy = page.get_by_role("button", name="Copy Frame number")
    copy.click()
    expect(page.get_by_text("Copied")).to_be_visible()
    number = page.evaluate("navigator.clipboard.readText()")
    expect(page.get_by_role("main")).to_contain_text(number)
    assert re.fullmatch(r"[A-Z0-9]{6,20}", number)
    assert_accessible(page)


def test_the_whole_tile_is_the_link_and_the_keyboard_reaches_it(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/dashboard")
    tile = page.locator("main li").filter(has_text="Reparatie aanmelden")
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 8, box["y"] + box["height"] - 8)
    page.wait_for_url("**/repair-request")
    page.go_back()
    tile.get_by_role("link").press("Enter")
    page.wait_for_url("**/repair-request")


def test_rows_of_a_small_screen_are_high_enough_for_a_thumb(visit: Visit) -> None:
    visitor = visit(width=375)
    visitor.log_in(*SANNE)
    page = visitor.page()
    page.goto("/dashboard")
    rows = page.locator("main section").filter(has_text="Direct regelen").locator("li")
    expect(rows).to_have_count(6)
    for row in rows.all():
        box = row.bounding_box()
        assert box
        assert box["height"] >= 56


def test_orders_and_invoices_come_a_page_at_a_time(abroad: Visitor) -> None:
    abroad.log_in(*MAX)
    page = abroad.page()
    page.goto("/invoices")
    rows = page.locator("main li")
    expect(rows).to_have_count(25)
    page.get_by_role("link", name="Next page").click()
    page.wait_for_url("**/invoices?page=2")
    expect(rows).to_have_count(15)
    expect(page.locator("h1")).to_be_focused()
    page.reload()
    expect(rows).to_have_count(15)
    page.go_back()
    expect(rows).to_have_count(25)
    assert_fits(page)


def test_amounts_of_invoices_line_up_on_a_phone(abroad: Visitor) -> None:
    abroad.log_in(*MAX)
    page = abroad.page()
    page.set_viewport_size({"width": 375, "height": HEIGHTS[375]})
    page.goto("/invoices")
    expect(page.locator("main li")).to_have_count(25)
    places = page.locator("main li").evaluate_all(
        """rows => rows.map(row => {
            const place = name => row.querySelector(name).getBoundingClientRect();
            const [number, amount] = [place("h2"), place("p.font-semibold")];
            return [Math.round(amount.right), Math.round(amount.top - number.top)];
        })"""
    )
    assert len({tuple(place) for place in places}) == 1
    assert abs(places[0][1]) <= 1


def test_colours_of_the_visitor_show_the_current_step(visitor: Visitor) -> None:
    visitor.log_in(*PIETER)
    page = visitor.page()
    page.goto("/orders/900000004")
    steps = page.locator("main .tracker > li")
    here, others = steps.and_(page.locator("[aria-current=step]")), steps.and_(page.locator("[aria-current=false]"))
    expect(here).to_have_count(1)
    page.emulate_media(forced_colors="active")
    expect(here.locator("> :first-child")).to_have_css("outline", re.compile("solid 3px"))
    for other in others.all():
        expect(other.locator("> :first-child")).to_have_css("outline-style", "none")
    page.emulate_media(forced_colors="none", media="print")
    expect(here.locator("> :first-child")).to_have_css("print-color-adjust", "exact")  # else the marks are white


@pytest.mark.parametrize("width", [375, 768, 1280, 1440])
def test_whoever_waits_for_a_first_bike_sees_it_and_what_can_be_arranged_now(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    visitor.log_in(*PIETER)
    page = visitor.page()
    page.goto("/dashboard")
    waiting = page.locator("main section").filter(has_text="Je nieuwe fiets")
    expect(waiting.locator("img.picture")).to_be_visible()
    expect(waiting).to_contain_text("Bezorging op")
    expect(waiting.get_by_role("listitem").get_by_role("link")).to_have_count(3)
    expect(page.get_by_text("Direct regelen")).to_have_count(0)
    assert_fits(page)


def test_the_returns_variant_offers_returns_first(sanne: Visitor) -> None:
    page = sanne.page()
    order = "[...document.querySelectorAll('main h2')].map(heading => heading.textContent)"
    page.goto("/dashboard")
    shown(page)
    assert page.evaluate(order)[-2:] == ["Direct regelen", "Bestelling en bezorging"]
    # The same customer at the other host name: there the browser holds no session yet.
    session = [cookie for cookie in sanne.context.cookies() if cookie.get("name") == "session"]
    sanne.context.add_cookies([{"name": "session", "value": session[0]["value"], "url": sanne.server.returns_url}])
    page.goto(f"{sanne.server.returns_url}/dashboard")
    shown(page)
    assert page.evaluate(order)[-2:] == ["Bestelling en bezorging", "Direct regelen"]
    assert_fits_everywhere(page)
    assert_accessible(page)


def test_what_can_be_done_with_an_order_stands_in_its_row_on_a_wide_screen(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders")
    back = page.get_by_role("link", name="Retourneren of omruilen 900000001")
    expect(back).to_be_visible()
    page.set_viewport_size({"width": 375, "height": 812})
    expect(back).to_be_hidden()
    expect(page.get_by_role("link", name="Bestelling 900000001")).to_be_visible()
