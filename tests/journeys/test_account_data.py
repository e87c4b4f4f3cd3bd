"""A customer changes their own data, and nothing that was typed is lost (the e-mail address: `test_login_code`)."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.test_account import heading, shown, word
from tests.support.browser import ON_A_WIDE_SCREEN, Visitor, assert_accessible
from tests.support.people import AMBER, NOOR


def my_data(visitor: Visitor, customer: tuple[str, str]) -> Page:
    """The page of somebody who logged in."""
    visitor.log_in(*customer)
    page = visitor.page()
    page.goto("/my-data")
    shown(page)
    return page


def change(visitor: Visitor, page: Page, dutch: str, english: str) -> None:
    """Begin to edit a section."""
    name = word(visitor, f"Wijzig {dutch}", f"Change {english}")
    page.get_by_role("button", name=name, exact=True).click()


def save(visitor: Visitor, page: Page) -> None:
    """Send the form."""
    page.get_by_role("button", name=word(visitor, "Opslaan", "Save"), exact=True).click()


def field(visitor: Visitor, page: Page, dutch: str, english: str) -> Locator:
    """A field by its label."""
    return page.get_by_label(word(visitor, dutch, english), exact=True)


@ON_A_WIDE_SCREEN
def test_what_is_wrong_is_reported_twice_in_the_same_words_and_nothing_typed_is_lost(
    visitor_crosswise: Visitor,
) -> None:
    visitor = visitor_crosswise
    page = my_data(visitor, AMBER)
    change(visitor, page, "Adres", "Address")
    expect(field(visitor, page, "Land", "Country")).to_be_focused()
    assert_accessible(page)
    postcode, city = field(visitor, page, "Postcode", "Postcode"), field(visitor, page, "Woonplaats", "City")
    street = field(visitor, page, "Straat", "Street")
    postcode.fill("35 XX")
    city.fill("")
    street.fill("Nieuwe Gracht")
    postcode.press("Tab")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)
    save(visitor, page)

    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Not all fields are filled correctly")
    messages = summary.get_by_role("link").all_inner_texts()
    assert messages == ["Enter a valid postcode.", "City is required."]
    for control, text in zip((postcode, city), messages, strict=True):
        expect(control).to_have_attribute("aria-invalid", "true")
        described = control.get_attribute("aria-describedby")
        assert described
        expect(page.locator(f"#{described.split()[-1]}")).to_contain_text(text)
    expect(page).to_have_title(re.compile("^Error: "))
    expect(street).to_have_value("Nieuwe Gracht")
    expect(postcode).to_have_value("35 XX")
    assert_accessible(page)

    summary.get_by_role("link").first.click()
    expect(postcode).to_be_focused()
    postcode.fill("3511bd")
    city.fill("Utrecht")
    save(visitor, page)
    saved = "Your details have been saved"
    expect(page.get_by_role("main").get_by_role("status").filter(has_text=saved)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("3511 BD")
    expect(page.get_by_role("main")).to_contain_text("Nieuwe Gracht")
    assert_accessible(page)
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("Nieuwe Gracht")


def test_cancelling_changes_nothing_and_gives_the_focus_back(visitor: Visitor) -> None:
    page = my_data(visitor, NOOR)
    change(visitor, page, "Naam", "Name")
    first = field(visitor, page, "Voornaam", "First name")
    expect(first).to_have_value("Noor")
    first.fill("Iemand anders")
    page.get_by_role("button", name="Annuleren").click()
    expect(page.get_by_role("button", name="Wijzig Naam")).to_be_focused()
    expect(page.get_by_role("main")).not_to_contain_text("Iemand anders")


def test_leaving_with_something_unsaved_asks_first(abroad: Visitor) -> None:
    visitor = abroad
    page = my_data(visitor, NOOR)
    change(visitor, page, "Naam", "Name")
    first = field(visitor, page, "Voornaam", "First name")
    first.fill("Noortje")
    link = page.get_by_role("main").get_by_role("link", name="View your orders")
    link.click()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    stay = question.get_by_role("button", name="Stay here")
    expect(stay).to_be_focused()
    assert_accessible(page)
    stay.click()
    expect(question).to_be_hidden()
    expect(first).to_have_value("Noortje")
    link.click()
    question.get_by_role("button", name="Leave anyway").click()
    expect(heading(page, "Orders")).to_be_visible()
