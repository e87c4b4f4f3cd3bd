"""Moving a delivery to another day (part-2 §2): from the entry to the retailer's answer, and every refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.delivery_steps import (
    ACCEPTED,
    CONFIRMED,
    DAAN,
    EXPIRED,
    FREE,
    GONE,
    PENDING,
    REFUSED,
    UNPLANNED,
    days,
    empty_days,
    fill_day,
    fill_days,
    forget_requests,
    heading_shown,
    weeks,
    written,
)
from tests.journeys.test_account import word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.looks import assert_filled
from tests.support.server import PortalServer
from tests.support.stored import all_sent, execute
from tests.support.windows import ON_A_WIDE_SCREEN

ENTRY, CHOOSE = f"/delivery-date/{FREE}", f"/delivery-date/{FREE}/choose"


@pytest.fixture(autouse=True)
def _untouched(portal_server: PortalServer) -> Iterator[None]:
    forget_requests(portal_server)
    [(planned,)] = execute(portal_server, "SELECT scheduled_day FROM orders WHERE order_number = ?", FREE)
    yield
    forget_requests(portal_server)
    execute(portal_server, "UPDATE orders SET scheduled_day = ? WHERE order_number = ?", planned, FREE)


def chosen_day(page: Page) -> str:
    """The day that the form holds."""
    return page.locator("main fieldset.reveal input:checked").first.get_attribute("value") or ""


def test_a_full_day_of_the_calendar_has_a_sign_and_says_so(abroad: Visitor) -> None:
    abroad.log_in(*DAAN)
    page = abroad.page()
    page.goto(ENTRY)
    free = page.locator("main table a").first
    day = (free.get_attribute("href") or "").partition("day=")[2]
    fill_day(abroad.server, day)
    try:
        page.reload()
        expect(page.locator("main table a").first).to_be_visible()
        full = page.locator("main table td").filter(has_text=f"{written(day, abroad)}, full").locator("> span")
        expect(full.locator("a, button")).to_have_count(0)
        page.emulate_media(forced_colors="active")
        with_sign = full.screenshot()
        full.evaluate("cell => cell.style.textDecoration = 'none'")
        assert full.screenshot() != with_sign, "a line through the number, whatever the colours"
    finally:
        empty_days(abroad.server)


@ON_A_WIDE_SCREEN
def test_from_the_entry_to_the_mail(visitor_crosswise: Visitor) -> None:
    visitor = visitor_crosswise
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(ENTRY)
    heading_shown(page, word(visitor, "Bezorgdag wijzigen", "Change delivery day"))
    expect(page.locator("main ol > li")).to_have_count(3)
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    page.get_by_role("link", name=word(visitor, "Kies uit een lijst met weken", "Choose from a list of weeks")).click()
    page.wait_for_url(f"**{CHOOSE}")
    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title(re.compile(word(visitor, "Stap 1 van 2", "Step 1 of 2")))
    expect(page.locator("main input:checked")).to_have_count(0)
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    button = page.get_by_role("main").locator("form button[type=submit]")
    summary = page.locator("[aria-labelledby=error-summary]")
    for again in (lambda: expect(weeks(page).first).to_be_focused(), lambda: expect(days(page).first).to_be_focused()):
        button.click()
        expect(summary).to_be_focused()
        expect(page).to_have_title(re.compile(word(visitor, "^Fout: ", "^Error: ")))
        assert_accessible(page)
        summary.get_by_role("link").click()
        again()
        weeks(page).first.check()
    assert page.url.endswith(CHOOSE), "choosing alone goes nowhere"
    # The calendar chooses in the list.
    page.locator("main table button").last.click()
    day = chosen_day(page)
    assert page.evaluate("document.activeElement.value") == day
    expect(page.locator("main table button[aria-pressed=true]")).to_have_count(1)
    button.click()
    page.wait_for_url(f"**/check?day={day}")
    main = page.get_by_role("main")
    expect(main).to_contain_text(written(day, visitor))
    expect(page).to_have_title(re.compile(word(visitor, "Stap 2 van 2", "Step 2 of 2")))
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    page.go_back()
    expect(page.locator("h1")).to_be_focused()
    assert chosen_day(page) == day, "back shows what was chosen"
    page.go_forward()
    seen = len(visitor.server.mailbox.mails_to(DAAN[1]))
    button.dblclick()
    title = word(visitor, "Nog één stap: bevestig de nieuwe dag via je e-mail", "One more step: confirm the new day")
    page.wait_for_url(f"**{ENTRY}")
    heading_shown(page, title)
    expect(main).to_contain_text(written(day, visitor))
    assert_fits(page)
    assert_accessible(page)
    requests = "SELECT 1 FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"
    assert len(execute(visitor.server, requests, FREE)) == 1, "pressed twice it is one request"
    assert len(visitor.server.mailbox.mails_to(DAAN[1])) <= seen + 1


VIEWS = {
    PENDING: ("Nog één stap: bevestig de nieuwe dag via je e-mail", "One more step: confirm the new day by email"),
    CONFIRMED: ("We kijken of je nieuwe dag lukt", "We’re checking whether your new day works"),
    ACCEPTED: ("Bezorgdag wijzigen", "Change delivery day"),
    REFUSED: ("Bezorgdag wijzigen", "Change delivery day"),
    EXPIRED: ("Bezorgdag wijzigen", "Change delivery day"),
    GONE: ("Deze bezorging kun je niet meer verzetten", "This delivery can no longer be moved"),
    UNPLANNED: ("Er is nog geen bezorgdag gepland", "No delivery day is planned yet"),
}


def test_every_status_has_its_view(abroad: Visitor) -> None:
    visitor = abroad
    visitor.log_in(*DAAN)
    page = visitor.page()
    for number, (dutch, english) in VIEWS.items():
        page.goto(f"/delivery-date/{number}{'/choose' if number == GONE else ''}")
        heading_shown(page, word(visitor, dutch, english))
        assert_fits(page)
        assert_accessible(page)
    features = "UPDATE orders SET features = ? WHERE order_number = ?"
    [(kept,)] = execute(visitor.server, "SELECT features FROM orders WHERE order_number = ?", FREE)
    try:
        execute(visitor.server, features, "[]", FREE)
        page.goto(ENTRY)
        heading_shown(
            page, word(visitor, "Deze bezorging kun je niet online verzetten", "You can’t move this delivery")
        )
        assert_accessible(page)
    finally:
        execute(visitor.server, features, kept, FREE)
    fill_days(visitor.server)
    try:
        page.goto(ENTRY)
        heading_shown(page, word(visitor, "Er zijn nu geen bezorgdagen", "No delivery days at the moment"))
        expect(page.get_by_role("main")).to_contain_text(
            word(visitor, "Probeer het over een uur opnieuw.", "Try again in an hour.")
        )
        assert_accessible(page)
    finally:
        empty_days(visitor.server)
    page.get_by_role("button", name=word(visitor, "Probeer het opnieuw", "Please try again")).click()
    heading_shown(page, word(visitor, "Bezorgdag wijzigen", "Change delivery day"))


def test_a_day_that_is_taken_while_it_is_checked_leads_back_to_the_days(visitor: Visitor) -> None:
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(CHOOSE)
    weeks(page).last.check()
    days(page).last.check()
    day = chosen_day(page)
    page.get_by_role("main").locator("form button[type=submit]").click()
    page.wait_for_url("**/check?day=*")
    # The page asks once more when it opens; what it then finds wrong it tells without a button being pressed.
    page.wait_for_timeout(1500)
    execute(
        visitor.server,
        "INSERT INTO delivery_days (country_code, day, capacity, taken) VALUES ('NL', ?, 0, 0)"
        " ON CONFLICT (country_code, day) DO UPDATE SET capacity = taken",
        day,
    )
    try:
        page.get_by_role("button", name="Deze dag aanvragen").click()
        page.wait_for_url(f"**{CHOOSE}")
        summary = page.locator("[aria-labelledby=error-summary]")
        expect(summary).to_contain_text("Deze dag is niet meer beschikbaar. Kies een andere dag.")
        expect(page.locator(f"main input[value='{day}']")).to_have_count(0)
        assert_accessible(page)
    finally:
        empty_days(visitor.server)


def test_what_could_not_be_sent_is_reported_in_place_and_can_be_sent_again(visitor: Visitor) -> None:
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(CHOOSE)
    weeks(page).last.check()
    days(page).last.check()
    page.get_by_role("main").locator("form button[type=submit]").click()
    send = page.get_by_role("button", name="Deze dag aanvragen")
    expect(send).to_be_visible()
    execute(visitor.server, "ALTER TABLE confirmation_links RENAME TO away")
    try:
        send.click()
        failure = page.locator("main [data-focus-target]").filter(has_text="De bezorgdag kon niet worden gewijzigd.")
        expect(failure).to_be_focused()
        expect(page.locator("[data-toast]")).to_contain_text("De bezorgdag kon niet worden gewijzigd.")
        expect(page).to_have_title(re.compile("^Fout: "))
        assert_accessible(page)
    finally:
        execute(visitor.server, "ALTER TABLE away RENAME TO confirmation_links")
    send.click()
    heading_shown(page, "Nog één stap: bevestig de nieuwe dag via je e-mail")
    expect(failure).to_have_count(0)
    all_sent(visitor.server)
    failed = "UPDATE outbox_mails SET dropped_at = datetime('now') WHERE template = 'confirm_delivery_date'"
    execute(visitor.server, failed)
    page.reload()
    expect(page.get_by_text("We konden de e-mail niet versturen.")).to_be_visible()
    assert_accessible(page)


def test_the_keyboard_alone_asks_for_a_day_on_a_small_screen(visit: Visit) -> None:
    visitor = visit(width=320)
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(CHOOSE)
    heading_shown(page, "Welke dag komt je goed uit?")
    weeks(page).first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(weeks(page).nth(1)).to_be_checked()
    page.keyboard.press("Tab")
    expect(days(page).first).to_be_focused()
    page.keyboard.press("Space")
    assert_fits(page)
    day = chosen_day(page)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/check?day={day}")
    assert_fits(page)
    page.get_by_role("button", name="Deze dag aanvragen").press("Enter")
    heading_shown(page, "Nog één stap: bevestig de nieuwe dag via je e-mail")
    expect(page.locator("h1")).to_be_focused()
    assert_fits(page)
