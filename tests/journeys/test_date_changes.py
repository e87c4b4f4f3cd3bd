"""A request for another delivery day: mailed again, taken back, and the same day in every time zone (part-2 §2)."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.journeys.back_office import moved
from tests.journeys.delivery_steps import (
    DAAN,
    FREE,
    confirm_by_mail,
    days,
    forget_requests,
    heading_shown,
    weeks,
    written,
)
from tests.support.browser import Visit
from tests.support.channels import plain
from tests.support.mailbox import text_of
from tests.support.server import PortalServer
from tests.support.stored import execute

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
    assert day_text in confirm_by_mail(visitor, DAAN[1], seen)
    # The open page follows by itself.
    heading_shown(page, "We kijken of je nieuwe dag lukt")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download als pdf").click()
    document = PdfReader(BytesIO(download.value.path().read_bytes()))
    assert day_text in plain(" ".join(part.extract_text() for part in document.pages))
    reference = execute(visitor.server, "SELECT reference FROM date_changes ORDER BY id DESC LIMIT 1")[0][0]
    seen = len(visitor.server.mailbox.mails_to(DAAN[1]))
    moved(visitor.server, "date-change", reference, "accepted")
    heading_shown(page, "Bezorgdag wijzigen")
    expect(page.get_by_role("main")).to_contain_text("Geaccepteerd")
    assert day_text in plain(text_of(visitor.server.mailbox.wait_for(DAAN[1], after=seen)))
    page.goto(f"/order-status/{FREE}")
    expect(page.get_by_role("main")).to_contain_text(day_text)
    with page.expect_download() as download:
        page.get_by_role("link", name="Zet in je agenda").click()
    assert f"DTSTART;VALUE=DATE:{day.replace('-', '')}" in download.value.path().read_text()
