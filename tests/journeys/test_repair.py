"""What is special in requesting a repair (part-1 §2, §5)."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from portal.kernel.days import today
from tests.support.browser import Visitor
from tests.support.flows import CASES, TEXT
from tests.support.stored import execute
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


def test_f24_a_month_that_is_written_as_a_name_is_understood(visitor: Visitor) -> None:
    walking = _walk(visitor)
    walking.stand_at("maintenance")
    walking.fill({"maintenance": "known", "maintenance_month": "mrt", "maintenance_year": "2024"})
    walking.next()
    for step in ("photos", "address", "location", "handover"):
        walking.answer(step)
    walking.at("check")
    expect(walking.page.locator("main dl").first).to_contain_text("maart 2024")


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
    for step in ("photos", "address", "location", "handover"):
        walking.answer(step)
    walking.at("check")
    expect(page.locator("main")).to_contain_text("Deze datum ligt in de toekomst.")


def test_f24_a_month_that_does_not_exist_names_the_field(visitor: Visitor) -> None:
    walking = _walk(visitor)
    walking.stand_at("maintenance")
    walking.fill({"maintenance": "known", "maintenance_month": "13", "maintenance_year": "2024"})
    walking.next()
    link = walking.page.locator("[aria-labelledby=error-summary] a")
    expect(link).to_have_attribute("href", "#maintenance_month-error")
    expect(link).to_contain_text("maand")
    expect(walking.page.locator(".toast")).to_have_text("Controleer wanneer de fiets het laatste onderhoud had.")


@pytest.mark.parametrize("answer", ["never", "unsure"])
def test_no_maintenance_and_not_knowing_are_answers(visitor: Visitor, answer: str) -> None:
    walking = _walk(visitor)
    walking.stand_at("maintenance")
    walking.fill({"maintenance": answer})
    walking.next()
    walking.at("photos")


def test_a_wrong_pin_code_is_reported_and_not_knowing_it_is_an_answer(visitor: Visitor) -> None:
    walking = _walk(visitor, AMBER)
    page = walking.page
    walking.start()
    walking.answer("bike")
    walking.at("pincode")
    walking.fill({"pin_known": "known", "pin_code": "0000"})
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_contain_text("Dit is niet de pincode van deze fiets.")
    walking.fill({"pin_known": "unknown"})
    walking.next()
    walking.at("damage")


def test_a_repair_becomes_a_work_order_in_the_list(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    execute(visitor.server, "UPDATE customers SET locale = 'nl'")
    walking.to_check()
    walking.next()
    expect(page).to_have_url(re.compile("confirmation$"))
    reference = page.locator("main p.text-h2").inner_text().replace(" ", "")
    query = "SELECT kind, status, title, description FROM requests WHERE reference = ?"
    [row] = execute(visitor.server, query, reference)
    assert row[:3] == ("repair", "new", "Ketting, Remmen")
    assert TEXT in row[3]
    page.goto("/maintenance")
    expect(page.locator("main")).to_contain_text("Ketting, Remmen")
    walking.open("intro")
    walking.start()
    expect(page.locator("main")).to_contain_text("Er loopt al een aanvraag voor deze fiets.")
