"""What a customer finds in the account: overview, orders, invoices, bikes, service requests, customer service."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import HEIGHTS, Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import BRAM, DAAN, EVA, JORIS, MAX, NOOR, PIETER, SANNE, TESS

HELMET_ONLY = ("810000222", "klant222@example.org")
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
    copy = page.get_by_role("button", name=word(sanne_abroad, "Kopieer Framenummer", "Copy Frame number"))
    copy.click()
    expect(page.get_by_text(word(sanne_abroad, "Gekopieerd", "Copied"))).to_be_visible()
    number = page.evaluate("navigator.clipboard.readText()")
    expect(page.get_by_role("main")).to_contain_text(number)
    assert re.fullmatch(r"[A-Z0-9]{6,20}", number)
    assert_fits(page)
    assert_accessible(page)


def test_what_is_going_on_comes_first_and_a_closed_tile_says_why(abroad: Visitor) -> None:
    abroad.log_in(*JORIS)
    page = abroad.page()
    page.goto("/dashboard")
    first = page.locator("main section").first
    expect(first).to_contain_text("Duinroos Zilt Comfort")
    expect(first).to_contain_text(word(abroad, "In reparatie", "In repair"))
    repair = page.locator("main li").filter(has_text=word(abroad, "Reparatie aanmelden", "Request a repair"))
    expect(repair).to_contain_text(word(abroad, "Niet beschikbaar", "Not available"))
    expect(repair).to_contain_text(word(abroad, "Er loopt al een aanvraag", "already an open request"))
    # The three that are closed for it say it once.
    for other in (word(abroad, "Servicebeurt aanvragen", "Request a service"), word(abroad, "Schade claimen", "Claim")):
        expect(repair).to_contain_text(other)
    expect(page.get_by_text(word(abroad, "Er loopt al een aanvraag", "already an open request"))).to_have_count(1)
    assert_fits(page)
    assert_accessible(page)
    expect(repair.get_by_role("link", name=word(abroad, "Bekijk de aanvraag", "View the request"))).to_be_visible()
    repair.get_by_role("link", name=word(abroad, "Neem contact op", "Contact us")).click()
    page.wait_for_url("**/contact?topic=repair")
    expect(heading(page, word(abroad, "Klantenservice", "Customer service"))).to_be_focused()
    expect(page.get_by_role("main")).to_contain_text(word(abroad, "Lukte het online niet", "Couldn’t do it online"))
    page.goto("/maintenance")
    running = page.locator("main li").filter(has_text=word(abroad, "In reparatie", "In repair"))
    expect(running.locator("dt").first).to_be_visible()
    expect(running.locator("dd").filter(has_not_text=re.compile(r"\S"))).to_have_count(0)


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


def test_f56_a_status_is_a_text_and_never_a_link(visitor: Visitor) -> None:
    visitor.log_in("900000002", "joris@example.com")
    page = visitor.page()
    for path in ("/dashboard", "/maintenance"):
        page.goto(path)
        badges = page.locator("main .badge")
        expect(badges.first).to_be_visible()
        for badge in badges.all():
            assert badge.inner_text().strip()
            assert badge.evaluate("e => e.closest('a, button, [role=button], [role=link]')") is None


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


def test_an_order_without_features_says_so(abroad: Visitor) -> None:
    abroad.log_in(*EVA)
    page = abroad.page()
    page.goto("/dashboard")
    text = word(
        abroad,
        "Je bent ingelogd, maar voor deze bestelling kun je hier niets regelen.",
        "Logged in, but there are no features for this order.",
    )
    expect(page.get_by_text(text, exact=True)).to_be_visible()
    expect(page.get_by_text(word(abroad, "Direct regelen", "Quick actions"))).to_have_count(0)
    assert_accessible(page)


def test_whoever_waits_for_a_first_bike_sees_it_and_what_can_be_arranged_now(abroad: Visitor) -> None:
    abroad.log_in(*PIETER)
    page = abroad.page()
    page.goto("/dashboard")
    waiting = page.locator("main section").filter(has_text=word(abroad, "Je nieuwe fiets", "Your new bike"))
    expect(waiting).to_contain_text("Noordveld Signaal Connect")
    expect(waiting.locator("img.picture")).to_be_visible()
    expect(waiting).to_contain_text(word(abroad, "Bezorging op", "Delivery on"))
    names = ("Bezorgdag wijzigen", "Verzekering", "Accessoires")
    if abroad.language == "en":
        names = ("Change delivery day", "Insurance", "Accessories")
    expect(waiting.get_by_role("listitem").get_by_role("link")).to_have_text(names)
    expect(page.get_by_text(word(abroad, "Direct regelen", "Quick actions"))).to_have_count(0)
    expect(page.get_by_text(word(abroad, "Zodra je je fiets hebt", "As soon as you have your bike"))).to_be_visible()
    expect(page.get_by_text(word(abroad, "Niet beschikbaar", "Not available"))).to_have_count(0)
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize(
    ("customer", "bike", "known"),
    [
        (DAAN, "Noordveld Horizon 5", "Bezorging op"),
        (BRAM, "Noordveld Horizon 5", "Zodra het binnen is, plannen we de bezorging"),
        (TESS, "Duinroos Kuststreek 3", "Bezorging op"),
    ],
    ids=["daan", "bram", "tess"],
)
def test_the_first_bike_is_there_with_what_is_known_of_its_day(
    visitor: Visitor, customer: tuple[str, str], bike: str, known: str
) -> None:
    visitor.log_in(*customer)
    page = visitor.page()
    page.goto("/dashboard")
    waiting = page.locator("main section").filter(has_text="Je nieuwe fiets")
    expect(waiting.locator("img.picture")).to_be_visible()
    expect(waiting).to_contain_text(bike)
    expect(waiting).to_contain_text(known)
    expect(page.get_by_text("Zodra je je fiets hebt")).to_be_visible()


def test_without_any_bike_one_sentence_stands_for_the_closed_tiles(visitor: Visitor) -> None:
    visitor.log_in(*HELMET_ONLY)
    page = visitor.page()
    page.goto("/dashboard")
    expect(page.get_by_text("Met een fiets van ons regel je hier ook")).to_be_visible()
    expect(page.get_by_text("Direct regelen")).to_have_count(0)


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
    # ReturnFlowState leads there with a picture, and nothing else does.
    first = page.locator("main li", has=page.get_by_role("link", name="Retourneren of omruilen"))
    expect(first.locator("img.picture")).to_have_count(1)
    expect(page.locator("main section").filter(has_text="Direct regelen").locator("img")).to_have_count(0)
    assert_fits_everywhere(page)
    assert_accessible(page)
    expect(page.locator("footer")).to_contain_text("maandag t/m vrijdag")


def test_what_can_be_done_with_an_order_stands_in_its_row_on_a_wide_screen(sanne: Visitor) -> None:
    page = sanne.page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto("/orders")
    row = page.locator("main li").filter(has_text="900000001")
    back = row.get_by_role("link", name="Retourneren of omruilen 900000001")
    expect(back).to_have_attribute("href", "/return-request?order=900000001")
    expect(row.get_by_role("link", name="Volg je bestelling")).to_have_count(0)
    expect(row.get_by_role("link", name="Factuur downloaden 900000001")).to_be_visible()
    travelling = page.locator("main li").filter(has_text="900000021")
    travelling.get_by_role("link", name="Volg je bestelling 900000021").click()
    page.wait_for_url("**/order-status/900000021")
    page.go_back()
    page.set_viewport_size({"width": 375, "height": 812})
    expect(back).to_be_hidden()
    expect(row.get_by_role("link", name="Bestelling 900000001")).to_be_visible()


def test_orders_and_invoices_come_a_page_at_a_time(abroad: Visitor) -> None:
    abroad.log_in(*MAX)
    page = abroad.page()
    page.goto("/invoices")
    rows = page.locator("main li")
    expect(rows).to_have_count(25)
    page.get_by_role("link", name=word(abroad, "Volgende pagina", "Next page")).click()
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


def test_an_order_leads_to_its_bike_and_its_invoice(sanne_abroad: Visitor) -> None:
    page = sanne_abroad.page()
    page.goto("/orders")
    page.get_by_role("link", name=re.compile("900000001")).click()
    expect(heading(page, re.compile("900000001"))).to_be_focused()
    with page.expect_download() as download:
        page.locator("a[href^='/files/invoices/']").first.click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    name = word(sanne_abroad, "Bekijk deze fiets", "View this bike")
    page.get_by_role("link", name=re.compile(name)).first.click()
    page.wait_for_url("**/bikes/*")
    expect(heading(page, re.compile("Noordveld|Duinroos"))).to_be_visible()


@pytest.mark.parametrize("customer", [PIETER, NOOR])
def test_what_is_still_to_be_paid_is_shown(visitor: Visitor, customer: tuple[str, str]) -> None:
    visitor.log_in(*customer)
    page = visitor.page()
    page.goto(f"/orders/{customer[0]}")
    expect(page.get_by_text("Nog te betalen", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(r"Voor deze bestelling staat nog €\s[\d.,]+ open\."))).to_be_visible()
    assert_accessible(page)


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


def test_the_tracker_of_an_order_shows_where_it_is(abroad: Visitor) -> None:
    abroad.log_in(*PIETER)
    page = abroad.page()
    page.goto("/orders/900000004")
    tracker = page.get_by_role("list", name=word(abroad, "Bezorging", "Delivery"))
    expect(tracker.get_by_role("listitem")).to_have_count(5)
    here = tracker.locator("[aria-current=step]")
    expect(here).to_have_count(1)
    expect(here).to_contain_text(word(abroad, "Klaar voor transport", "Ready for transport"))
    assert_accessible(page)


def test_what_is_not_this_customers_is_the_same_as_what_is_not_there(sanne: Visitor) -> None:
    page = sanne.page()
    for path in ("/orders/900000002", "/orders/x", "/bikes/B234567890"):
        page.goto(path)
        expect(heading(page, "Pagina niet gevonden")).to_be_visible()
        expect(page).to_have_title("Pagina niet gevonden – Bovenbuis")
    assert_accessible(page)


def test_an_expired_warranty_is_shown_on_the_card_and_on_the_page(visitor: Visitor) -> None:
    visitor.log_in(*NOOR)
    page = visitor.page()
    page.goto("/bikes")
    expect(page.get_by_text("Garantie verlopen")).to_be_visible()
    page.get_by_role("link", name="Duinroos Zilt Comfort").click()
    expect(page.get_by_text(re.compile("De garantie is verlopen op"))).to_be_visible()
    assert_accessible(page)


def test_switching_the_language_changes_a_page_in_place(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders/900000001")
    expect(page.get_by_text("Bezorgadres", exact=True)).to_be_visible()
    page.evaluate("window.same = true")
    page.get_by_role("button", name="EN English").click()
    expect(page.get_by_text("Delivery address", exact=True)).to_be_visible()
    expect(page).to_have_title("Order 900000001 – Bovenbuis")
    assert page.evaluate("window.same")
