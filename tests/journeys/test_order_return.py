"""What is special in an exchange and in the older return of an order (part-2 §2)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.returning_steps import amounts, sent, walk_through
from tests.support.browser import Visitor, assert_accessible
from tests.support.return_cases import EXCHANGE, ORDER_RETURN, PUMP, STRAPS
from tests.support.returning import PARTLY, RETURNED

pytestmark = pytest.mark.usefixtures("nothing_sent")


def test_another_bike_shows_what_it_costs_more_and_what_is_sold_out(visitor: Visitor) -> None:
    walking = walk_through(visitor, EXCHANGE)
    page = walking.page
    walking.until("product")
    walking.fill({"exchange_type": "other"})
    cards = page.locator("label.choice", has=page.locator("[name=product]"))
    expect(cards.first).to_contain_text(re.compile(r"€\s\d.*(duurder|goedkoper)|dezelfde prijs"))
    assert_accessible(page)
    walking.fill({"product": "*"})
    walking.next()
    for name in ("reason", "condition", "method"):
        walking.answer(name)
    walking.at(EXCHANGE.flow.check_step)
    assert [row for row in amounts(page) if ": Nieuw artikel" in row]


def test_only_products_of_the_chosen_order_are_sent(visitor: Visitor) -> None:
    walking = walk_through(visitor, ORDER_RETURN)
    page = walking.page
    walking.start()
    walking.fill({"order": RETURNED, "items": [f"{RETURNED}-1*1"]})
    walking.fill({"order": PARTLY, "items": [f"{STRAPS}*3", f"{PUMP}*1"]})
    # What was chosen and not sent is still there after a look at the page before.
    page.get_by_role("link", name="Vorige stap").click()
    walking.at(ORDER_RETURN.flow.intro_step)
    page.go_back()
    walking.at("items")
    assert set(walking.filled("items")["items"]) == {f"{STRAPS}*3", f"{PUMP}*1", f"{RETURNED}-1*1"}
    walking.next()
    walking.at("condition")
    page.go_back()
    walking.at("items")
    assert walking.filled("items") == {"items": [f"{STRAPS}*3", f"{PUMP}*1"]}


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
