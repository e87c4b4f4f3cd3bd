"""The home of a bike: its story, service and mileage, papers, what can be done, and news that comes by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.back_office import move, reference_of, set_back
from tests.journeys.test_account import assert_fits_everywhere, shown, word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import FLEUR, JORIS
from tests.support.windows import ON_A_PHONE, ON_A_WIDE_SCREEN

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


@ON_A_WIDE_SCREEN
def test_a_bike_tells_its_story(visitor_crosswise: Visitor) -> None:
    visitor_crosswise.log_in(*FLEUR)
    page = visitor_crosswise.page()
    open_bike(page, RIDDEN)
    story = page.locator("section").filter(
        has=page.get_by_role("heading", name=word(visitor_crosswise, "Tijdlijn", "Timeline"))
    )
    first = story.locator("ol > li").first
    expect(first).to_contain_text(word(visitor_crosswise, "Garantie loopt af", "Warranty ends"))
    expect(first).to_contain_text(word(visitor_crosswise, "Gepland", "Planned"))
    for dutch, english in (
        ("Kilometerstand: 512,4 km", "Mileage: 512.4 km"),
        ("Servicepakket Complete afgesloten", "Service package Complete taken out"),
        ("Verzekering (", "Insurance ("),
        ("Bezorging: bezorgd", "Delivery: delivered"),
        (f"Besteld: bestelling {RIDDEN}", f"Ordered: order {RIDDEN}"),
    ):
        expect(story).to_contain_text(word(visitor_crosswise, dutch, english))
    main = page.get_by_role("main")
    # The bike stands above; then what is due, then what can be done, then all else.
    for place, (dutch, english) in enumerate(
        (
            ("Servicebeurten en garantie", "Service and warranty"),
            ("Regelen voor deze fiets", "What you can do for this bike"),
            ("Kilometerstand en verzekering", "Mileage and insurance"),
        )
    ):
        expect(main.locator("h2").nth(place)).to_have_text(word(visitor_crosswise, dutch, english))
    expect(main).to_contain_text(word(visitor_crosswise, "Polisnummer", "Policy number"))
    expect(main).to_contain_text(word(visitor_crosswise, "Verzekerd vanaf", "Insured from"))
    expect(main).to_contain_text(word(visitor_crosswise, "Nu nodig", "Due now"))
    assert_fits_everywhere(page)
    assert_accessible(page)


@ON_A_PHONE
def test_a_bike_takes_its_mileage(visitor_crosswise: Visitor) -> None:
    visitor_crosswise.log_in(*FLEUR)
    page = visitor_crosswise.page()
    open_bike(page, FRESH)
    field = page.get_by_label(word(visitor_crosswise, "Kilometerstand", "Mileage"), exact=True)
    save(page, visitor_crosswise, "12,555")
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    expect(page.locator("#mileage-error")).to_contain_text(
        word(visitor_crosswise, "Voer een geldige numerieke waarde in", "Please enter a valid numerical value.")
    )
    expect(field).to_have_value("12,555")
    assert_accessible(page)
    summary.get_by_role("link").press("Enter")
    expect(field).to_be_focused()
    save(page, visitor_crosswise, "9 000,5")
    saved = page.get_by_text(word(visitor_crosswise, "De kilometerstand is opgeslagen.", "The mileage has been saved."))
    expect(saved).to_be_visible()
    expect(field).to_have_value("")
    known = word(visitor_crosswise, "9.000,5 km", "9,000.5 km")
    expect(page.get_by_role("main")).to_contain_text(known)
    save(page, visitor_crosswise, "90")
    correct = page.get_by_role(
        "button", name=word(visitor_crosswise, "Het klopt: sla 90 km op", "That’s right: save 90 km")
    )
    expect(correct).to_be_visible()
    assert_fits(page)
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


@pytest.mark.parametrize(
    ("window", "order", "text"), [("nl-375", OLD, "te laat"), ("en-1280", ASKED, "Waiting for your confirmation")]
)
def test_an_old_bike_and_one_that_waits_are_complete_with_their_documents(
    visit: Visit, window: str, order: str, text: str
) -> None:
    language, width = window.split("-")
    visitor = visit(language=language, width=int(width))
    visitor.log_in(*FLEUR)
    page = visitor.page()
    open_bike(page, order)
    with page.expect_download() as download:
        page.locator("a[href^='/files/invoices/']").first.click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    expect(page.get_by_role("main")).to_contain_text(text)
    assert_fits(page)
    assert_accessible(page)
