"""The customer service: when somebody is there, where each subject is arranged, and the service points nearby."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.journeys.test_account import heading, shown, word
from tests.support.browser import Visitor, assert_accessible, assert_fits
from tests.support.windows import ON_A_PHONE, ON_A_WIDE_SCREEN

_ABOUT_A_BIKE = {
    "/repair-request",
    "/service-request",
    "/claim-request",
    "/status",
    "/service-package",
    "/insurance-package",
}

_ABOUT_AN_ORDER = {"/order-status/900000001", "/delivery-date/900000001", "/invoices", "/my-data"}
_BACK = {"/return-request", "/return-accessories-request", "/exchange-request", "/withdrawal", "/returns"}


@ON_A_PHONE
def test_it_says_when_how_and_where_everything_is_arranged(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    page.goto("/contact")
    expect(heading(page, word(sanne_crosswise, "Klantenservice", "Customer service"))).to_be_visible()
    shown(page)
    main = page.get_by_role("main")
    expect(
        main.get_by_role("status").filter(has_text=re.compile("open|gesloten|closed", re.IGNORECASE))
    ).to_be_visible()
    expect(main).to_contain_text(word(sanne_crosswise, "maandag t/m zaterdag", "Monday to Saturday"))
    expect(main.locator("a[href^='tel:']").first).to_be_visible()
    expect(main.locator("a[href^='mailto:'][href*='900000001']")).to_be_visible()
    links = page.evaluate(
        "[...document.querySelectorAll('main section:not(#service-points) li a')].map(a => a.getAttribute('href'))"
    )
    assert set(links) == _ABOUT_A_BIKE | _ABOUT_AN_ORDER | _BACK
    field = page.get_by_label(word(sanne_crosswise, "Postcode of plaats", "Postcode or city"), exact=True)
    expect(field).to_have_value("3512 PH")
    field.fill("")
    field.press("Enter")
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    assert_accessible(page)
    summary.get_by_role("link").press("Enter")
    expect(field).to_be_focused()
    field.fill("Antwerpen")
    field.press("Enter")
    count = page.get_by_role("status").filter(has_text="Antwerpen")
    expect(count).to_contain_text(word(sanne_crosswise, "binnen 25 km van Antwerpen", "within 25 km of Antwerpen"))
    points = page.locator("#service-points li.card")
    expect(points.first).to_contain_text(re.compile(r"\d{4} "))
    hours = points.locator("summary").first
    hours.focus()
    hours.press("Enter")
    expect(points.locator("details[open] dd").first).to_contain_text(re.compile(r"\d\d:\d\d-\d\d:\d\d"))
    expect(points.locator("a[href^='https://']").first).to_have_attribute("target", "_blank")
    assert_fits(page)
    assert_accessible(page)


def test_a_visitor_comes_from_the_login_and_finds_a_service_point(abroad: Visitor) -> None:
    page = abroad.page()
    page.goto("/")
    name = word(abroad, "Klantenservice, openingstijden en servicepunten", "Customer service, opening hours")
    page.get_by_role("main").get_by_role("link", name=name).click()
    expect(heading(page, word(abroad, "Klantenservice", "Customer service"))).to_be_visible()
    expect(page.get_by_role("main").locator("a[href^='tel:']").first).to_be_visible()
    hours = word(abroad, "maandag t/m", "Monday to")
    expect(page.get_by_role("main")).to_contain_text(hours)
    page.get_by_label(word(abroad, "Postcode of plaats", "Postcode or city"), exact=True).fill("Antwerpen")
    page.get_by_role("button", name=word(abroad, "Zoek", "Search"), exact=True).click()
    points = page.locator("#service-points li.card")
    expect(points.first).to_contain_text(word(abroad, "Wachttijd", "Waiting time"))
    assert_fits(page)
    assert_accessible(page)
    # A subject leads through the login.
    page.locator("main a[href='/repair-request']").click()
    expect(page.locator("[name=order_number]")).to_be_visible()
    assert any(str(cookie.get("name")).endswith("next") for cookie in page.context.cookies())


@ON_A_WIDE_SCREEN
def test_a_customer_finds_the_nearest_service_points_on_the_map(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    page.goto("/contact")
    points = page.locator("#service-points li.card")
    expect(points).to_have_count(5)
    unfold = page.get_by_role("button", name=word(sanne_crosswise, "Kaart", "Map"), exact=True)
    if unfold.is_visible():
        unfold.click()
        expect(unfold).to_have_attribute("aria-expanded", "true")
    pins = page.get_by_role("group", name=word(sanne_crosswise, "Op de kaart", "On the map")).get_by_role("link")
    last = points.last
    name = last.get_by_role("heading").text_content() or ""
    pins.filter(has_text=name).press("Enter")
    expect(last).to_have_attribute("data-lit", "true")
    expect(last.get_by_role("heading")).to_be_in_viewport()
    assert_accessible(page)
    points.first.get_by_role("button", name=word(sanne_crosswise, "Toon op de kaart", "Show on the map")).click()
    expect(page.locator(".map-pin[data-lit=true]")).to_contain_text("1")
    assert_fits(page)


def test_more_service_points_are_shown_and_a_subject_says_what_to_have_at_hand(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/contact?topic=delivery_date")
    expect(page.get_by_role("main")).to_contain_text("Houd dit bij de hand")
    online = page.get_by_role("link", name="Online regelen")
    expect(online).to_have_attribute("href", "/delivery-date/900000001")
    assert_accessible(page)
    page.get_by_label("Afstand").select_option("100")
    page.get_by_role("button", name="Zoek", exact=True).click()
    points = page.locator("#service-points li.card")
    expect(points).to_have_count(6)
    page.get_by_role("button", name="Toon meer locaties").press("Enter")
    expect(points).to_have_count(12)
    assert points.nth(6).evaluate("point => point.contains(document.activeElement)")
    page.get_by_label("Postcode of plaats", exact=True).fill("B-2000")
    page.get_by_role("button", name="Zoek", exact=True).click()
    found = page.get_by_role("status").filter(has_text="2000 Antwerpen")
    expect(found).to_be_visible()
    page.reload()
    expect(found).to_be_visible()
    expect(page.get_by_label("Postcode of plaats", exact=True)).to_have_value("B-2000")


def test_the_returns_variant_has_its_own_hours_and_its_own_return(sanne: Visitor) -> None:
    page = sanne.page()
    session = [cookie for cookie in sanne.context.cookies() if cookie.get("name") == "session"]
    sanne.context.add_cookies([{"name": "session", "value": session[0]["value"], "url": sanne.server.returns_url}])
    page.goto(f"{sanne.server.returns_url}/contact")
    shown(page)
    expect(page.get_by_role("main")).to_contain_text("maandag t/m vrijdag")
    expect(page.get_by_role("main").locator("a[href='/order-return']")).to_be_visible()
