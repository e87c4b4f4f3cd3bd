"""The home of a bike: its story, service and mileage, papers, what can be done, and news that comes by itself."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.back_office import move, reference_of, set_back
from tests.journeys.test_account import assert_fits_everywhere, shown, word
from tests.support.browser import ON_A_PHONE, ON_A_WIDE_SCREEN, Visitor, assert_accessible
from tests.support.people import FLEUR, JORIS

RIDDEN, FRESH, ASKED, OLD = "900000084", "900000081", "900000082", "900000085"


def open_bike(page: Page, order: str) -> str:
    """Open the page of the bike that came with an order."""
    page.goto("/bikes")
    page.locator("main li").filter(has_text=order).locator("a[href^='/bikes/']").first.click()
    page.wait_for_url("**/bikes/*")
    shown(page)
    expect(page.locator("h1")).to_be_focused()
    return page.url


def save(page: Page, visitor: Visitor, mileage: str) -> None:
    """Type a mileage and send it with the keyboard."""
    field = page.get_by_label(word(visitor, "Kilometerstand", "Mileage"), exact=True)
    field.fill(mileage)
    field.press("Enter")


@ON_A_PHONE
def test_a_bike_takes_its_mileage(visitor_crosswise: Visitor) -> None:
    visitor_crosswise.log_in(*FLEUR)
    page = visitor_crosswise.page()
    open_bike(page, FRESH)
    field = page.get_by_label("Kilometerstand", exact=True)
    save(page, visitor_crosswise, "12,555")
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    expect(page.locator("#mileage-error")).to_contain_text("Voer een geldige numerieke waarde in")
    expect(field).to_have_value("12,555")
    assert_accessible(page)
    summary.get_by_role("link").press("Enter")
    expect(field).to_be_focused()
    save(page, visitor_crosswise, "9 000,5")
    saved = page.get_by_text("De kilometerstand is opgeslagen.")
    expect(saved).to_be_visible()
    expect(field).to_have_value("")
    known = "9.000,5 km"
    expect(page.get_by_role("main")).to_contain_text(known)
    save(page, visitor_crosswise, "90")
    correct = page.get_by_role("button", name="Het klopt: sla 90 km op")
    expect(correct).to_be_visible()
    assert_accessible(page)
    correct.press("Enter")
    expect(correct).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"90\skm (op|on) "))


def test_what_cannot_be_done_says_why_and_the_page_changes_by_itself(visitor: Visitor) -> None:
    reference = reference_of(visitor.server, JORIS[1])
    set_back(visitor.server, reference)
    visitor.log_in(*JORIS)
    page = visitor.page()
    address = open_bike(page, JORIS[0]).rpartition("/")[2]
    closed = page.locator("main li").filter(has_text="Reparatie aanmelden")
    expect(closed).to_be_hidden()
    page.get_by_role("heading", name="Niet beschikbaar").click()
    expect(closed).to_contain_text("Er loopt al een aanvraag voor deze fiets.")
    expect(closed.get_by_role("link", name="Bekijk de aanvraag")).to_have_attribute("href", f"/maintenance/{reference}")
    expect(closed.get_by_role("link", name="Neem contact op")).to_have_attribute("href", "/contact?topic=repair")
    package = page.get_by_role("link", name="Servicepakket", exact=True)
    expect(package).to_have_attribute("href", f"/service-package?bike={address}")
    page.locator("#mileage").fill("33,3")
    move(visitor.server, reference, "wait_for_parts")
    expect(page.get_by_role("main")).to_contain_text("Reparatie: wacht op onderdelen")
    expect(page.locator("main").get_by_role("status").filter(has_text="Bijgewerkt op")).to_be_visible()
    expect(page.locator("#mileage")).to_have_value("33,3")
    set_back(visitor.server, reference)
    page.get_by_role("link", name="Bekijk de status").first.click()
    page.wait_for_url(f"**/maintenance/{reference}")


@ON_A_WIDE_SCREEN
def test_what_is_due_stands_before_what_can_be_done(visitor_crosswise: Visitor) -> None:
    visitor_crosswise.log_in(*FLEUR)
    page = visitor_crosswise.page()
    open_bike(page, RIDDEN)
    for place, name in enumerate(("Service and warranty", "What you can do for this bike", "Mileage and insurance")):
        expect(page.locator("main h2").nth(place)).to_have_text(name)
    assert_fits_everywhere(page)
    assert_accessible(page)
