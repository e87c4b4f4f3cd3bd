"""Moving a delivery to another day (part-2 §2): from the entry to the retailer's answer, and every refusal."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.back_office import moved
from tests.journeys.delivery_steps import (
    DAAN,
    FREE,
    confirm_by_mail,
    days,
    empty_days,
    fill_day,
    forget_requests,
    heading_shown,
    weeks,
    written,
)
from tests.support.browser import ON_A_WIDE_SCREEN, Visit, Visitor, assert_accessible, assert_fits
from tests.support.server import PortalServer
from tests.support.stored import execute
from tests.support.tours import assert_filled

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
    heading_shown(page, "Change delivery day")
    expect(page.locator("main ol > li")).to_have_count(3)
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    page.get_by_role("link", name="Choose from a list of weeks").click()
    page.wait_for_url(f"**{CHOOSE}")
    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title(re.compile("Step 1 of 2"))
    expect(page.locator("main input:checked")).to_have_count(0)
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    button = page.get_by_role("main").locator("form button[type=submit]")
    summary = page.locator("[aria-labelledby=error-summary]")
    for again in (lambda: expect(weeks(page).first).to_be_focused(), lambda: expect(days(page).first).to_be_focused()):
        button.click()
        expect(summary).to_be_focused()
        expect(page).to_have_title(re.compile("^Error: "))
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
    expect(page).to_have_title(re.compile("Step 2 of 2"))
    assert_fits(page)
    assert_filled(page)
    assert_accessible(page)
    page.go_back()
    expect(page.locator("h1")).to_be_focused()
    assert chosen_day(page) == day, "back shows what was chosen"
    page.go_forward()
    seen = len(visitor.server.mailbox.mails_to(DAAN[1]))
    button.dblclick()
    title = "One more step: confirm the new day"
    page.wait_for_url(f"**{ENTRY}")
    heading_shown(page, title)
    expect(main).to_contain_text(written(day, visitor))
    assert_accessible(page)
    requests = "SELECT 1 FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)"
    assert len(execute(visitor.server, requests, FREE)) == 1, "pressed twice it is one request"
    assert len(visitor.server.mailbox.mails_to(DAAN[1])) <= seen + 1


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


@pytest.mark.parametrize("timezone", ["Pacific/Kiritimati", "Pacific/Honolulu"])
def test_the_day_is_the_same_everywhere_until_the_retailer_has_answered(visit: Visit, timezone: str) -> None:
    visitor = visit(timezone=timezone)
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(CHOOSE)
    weeks(page).nth(1).check()
    days(page).nth(1).check()
    day = chosen_day(page)
    day_text = written(day, visitor)
    label = page.locator("label").filter(has=page.locator(f"input[value='{day}']"))
    expect(label).to_contain_text(day_text.rpartition(" ")[0])
    page.get_by_role("main").locator("form button[type=submit]").click()
    expect(page.locator("main dl")).to_contain_text(day_text)
    seen = len(visitor.server.mailbox.mails_to(DAAN[1]))
    page.get_by_role("button", name="Deze dag aanvragen").click()
    heading_shown(page, "Nog één stap: bevestig de nieuwe dag via je e-mail")
    expect(page.get_by_role("main")).to_contain_text(day_text)
    confirm_by_mail(visitor, DAAN[1], seen)
    # The open page follows by itself.
    heading_shown(page, "We kijken of je nieuwe dag lukt")
    reference = execute(visitor.server, "SELECT reference FROM date_changes ORDER BY id DESC LIMIT 1")[0][0]
    moved(visitor.server, "date-change", reference, "accepted")
    heading_shown(page, "Bezorgdag wijzigen")
    expect(page.get_by_role("main")).to_contain_text("Geaccepteerd")
    page.goto(f"/order-status/{FREE}")
    expect(page.get_by_role("main")).to_contain_text(day_text)
