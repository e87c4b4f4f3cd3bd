"""What is special in requesting a repair (part-1 §2, §5)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from portal.kernel.days import today
from tests.support.browser import Visitor
from tests.support.flows import CASES, TEXT
from tests.support.walks import Walk

pytestmark = pytest.mark.usefixtures("nothing_sent")
CASE = next(case for case in CASES if case.flow.name == "repair-request")
AMBER = ("900000003", "amber@example.com")


def _walk(visitor: Visitor, customer: tuple[str, str] = CASE.customer) -> Walk:
    visitor.log_in(*customer)
    return Walk(visitor, CASE)


def test_f23_the_description_counts_characters_as_people_see_them(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.until("damage")
    walking.fill({"parts": "chain"})
    field, seen = page.locator("#details_chain"), page.locator("[data-count]").first
    for text, shown in (
        ("", "Nog 31 tekens nodig"),
        ("a" * 30, "Nog 1 teken nodig"),
        ("a" * 31, "Nog 969 tekens"),
        ("👨‍👩‍👧" * 31, "Nog 969 tekens"),
        ("a" * 1001, "1 teken te veel"),
    ):
        field.fill(text)
        expect(seen).to_contain_text(shown)
    field.fill("a" * 1200)
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_contain_text("Ketting: gebruik hoogstens 1000 tekens.")
    expect(field).to_have_value("a" * 1200)
    field.fill("b" * 9000)
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_contain_text("Ketting: gebruik hoogstens 1000 tekens.")
    field.fill("a" * 1000)
    walking.next()
    walking.at("maintenance")


def test_a_part_that_is_chosen_opens_its_description_and_keeps_it(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.until("damage")
    field = page.locator("#details_saddle")
    expect(field).to_be_hidden()
    box = page.get_by_role("checkbox", name="Zadel")
    box.check()
    expect(field).to_be_visible()
    field.fill(TEXT)
    box.uncheck()
    expect(field).to_be_hidden()
    box.check()
    expect(field).to_have_value(TEXT)


def test_f24_a_month_ahead_is_a_warning_that_one_can_go_past(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.stand_at("maintenance")
    ahead = today().replace(day=1) + timedelta(days=32)
    walking.fill({"maintenance": "known", "maintenance_month": str(ahead.month), "maintenance_year": str(ahead.year)})
    walking.next()
    box = page.locator("main [role=alert]").first
    expect(box).to_contain_text("Deze datum ligt in de toekomst.")
    expect(page.locator("[data-focus-target]:focus")).to_have_count(1)
    walking.at("maintenance")
    walking.next()
    walking.at("photos")
