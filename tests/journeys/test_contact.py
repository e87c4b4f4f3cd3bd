"""The customer service: when somebody is there, where each subject is arranged, and the service points nearby."""

import re

from playwright.sync_api import expect

from tests.journeys.test_account import heading, shown
from tests.support.browser import ON_A_PHONE, ON_A_WIDE_SCREEN, Visitor, assert_accessible, assert_fits

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
    expect(heading(page, "Klantenservice")).to_be_visible()
    shown(page)
    main = page.get_by_role("main")
    expect(
        main.get_by_role("status").filter(has_text=re.compile("open|gesloten|closed", re.IGNORECASE))
    ).to_be_visible()
    expect(main).to_contain_text("maandag t/m zaterdag")
    expect(main.locator("a[href^='tel:']").first).to_be_visible()
    expect(main.locator("a[href^='mailto:'][href*='900000001']")).to_be_visible()
    links = page.evaluate(
        "[...document.querySelectorAll('main section:not(#service-points) li a')].map(a => a.getAttribute('href'))"
    )
    assert set(links) == _ABOUT_A_BIKE | _ABOUT_AN_ORDER | _BACK
    field = page.get_by_label("Postcode of plaats", exact=True)
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
    expect(count).to_contain_text("binnen 25 km van Antwerpen")
    points = page.locator("#service-points li.card")
    expect(points.first).to_contain_text(re.compile(r"\d{4} "))
    hours = points.locator("summary").first
    hours.focus()
    hours.press("Enter")
    expect(points.locator("details[open] dd").first).to_contain_text(re.compile(r"\d\d:\d\d-\d\d:\d\d"))
    expect(points.locator("a[href^='https://']").first).to_have_attribute("target", "_blank")
    assert_accessible(page)


@ON_A_WIDE_SCREEN
def test_a_customer_finds_the_nearest_service_points_on_the_map(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    page.goto("/contact")
    points = page.locator("#service-points li.card")
    expect(points).to_have_count(5)
    unfold = page.get_by_role("button", name="Map", exact=True)
    if unfold.is_visible():
        unfold.click()
        expect(unfold).to_have_attribute("aria-expanded", "true")
    pins = page.get_by_role("group", name="On the map").get_by_role("link")
    last = points.last
    name = last.get_by_role("heading").text_content() or ""
    pins.filter(has_text=name).press("Enter")
    expect(last).to_have_attribute("data-lit", "true")
    expect(last.get_by_role("heading")).to_be_in_viewport()
    assert_accessible(page)
    points.first.get_by_role("button", name="Show on the map").click()
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
