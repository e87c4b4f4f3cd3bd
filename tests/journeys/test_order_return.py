"""What is special in an exchange and in the older return of an order (part-2 §2)."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.returning_steps import amounts, sent, walk_through
from tests.support.browser import Visitor, assert_accessible
from tests.support.flows import ORDER_RETURN

pytestmark = pytest.mark.usefixtures("nothing_sent")


def test_f32_an_order_return_waits_in_amber_for_its_link(visitor: Visitor) -> None:
    walking = walk_through(visitor, ORDER_RETURN)
    page = walking.page
    walking.to_check()
    expect(page.locator("main dl.facts")).to_contain_text("Buren van 12")
    before = amounts(page)
    walking.next()
    panel = page.locator("main .bg-warn-bg").first
    expect(panel.locator("h1")).to_have_text("Nog één stap: bevestig via je e-mail binnen 24 uur")
    expect(panel).to_contain_text(re.compile(r"link gestuurd naar r\S+@"))
    expect(page.locator("main .bg-ok-bg")).to_have_count(0)
    expect(page.get_by_role("link", name="Stuur de link opnieuw")).to_have_attribute("href", re.compile("^/returns/"))
    assert amounts(page) == before
    assert_accessible(page)
    assert sent(visitor, page, "status, pickup_window") == ("pending_confirmation", "evening")
    page.reload()
    expect(panel).to_contain_text("Nog één stap")
