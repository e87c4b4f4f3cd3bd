"""What is special in requesting a service (part-1 §2, §8, §9)."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor, assert_accessible
from tests.support.flows import CASES
from tests.support.stored import execute
from tests.support.walks import Walk

pytestmark = pytest.mark.usefixtures("nothing_sent")
CASE = next(case for case in CASES if case.flow.name == "service-request")
AMBER = ("900000003", "amber@example.com")
NOOR = ("900000005", "noor@example.com")


def _walk(visitor: Visitor, customer: tuple[str, str] = CASE.customer) -> Walk:
    visitor.log_in(*customer)
    return Walk(visitor, CASE)


def test_every_job_shows_its_price_with_and_without_the_discount_of_the_package(visitor: Visitor) -> None:
    walking = _walk(visitor)
    walking.until("job")
    cards = walking.page.locator("label.choice")
    expect(cards).to_have_count(4)
    expect(cards.nth(1)).to_contain_text("Tweede servicebeurt")
    expect(cards.nth(1)).to_contain_text(re.compile(r"€\s49,50was €\s99,00"))
    expect(cards.nth(1)).to_contain_text("Ook motor, accu en software kijken we na.")
    main = walking.page.locator("main")
    expect(main).to_contain_text("korting van je servicepakket Carefree")
    for text in ("Volgende servicebeurt voor deze fiets: eerste servicebeurt", "of bij 500 km", "42 km"):
        expect(main).to_contain_text(text)
    expect(cards.filter(has_text="Volgende servicebeurt")).to_have_count(1)


def test_a_bike_without_a_package_or_a_motor_has_plain_prices(visitor: Visitor) -> None:
    walking = _walk(visitor)
    walking.start()
    walking.page.locator("[name=bike]").nth(1).check()
    walking.next()
    walking.at("job")
    main = walking.page.locator("main")
    expect(walking.page.locator("label.choice").first).to_contain_text(re.compile(r"€\s49,00"))
    expect(main).not_to_contain_text("was €")
    expect(main).not_to_contain_text("accu en software")


def test_jobs_that_cannot_be_loaded_say_so_and_can_be_asked_again(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.start()
    execute(visitor.server, "ALTER TABLE service_products RENAME TO hidden")
    try:
        walking.fill(CASE.answers["bike"])
        walking.next()
        block = page.locator("main [role=alert]", has_text="Service product kon niet worden opgehaald.")
        expect(block).to_be_visible()
        expect(page.locator(".toast")).to_contain_text("Service product kon niet worden opgehaald.")
        assert_accessible(page)
    finally:
        execute(visitor.server, "ALTER TABLE hidden RENAME TO service_products")
    page.locator("[data-retry]").click()
    expect(page.locator("[name=job]")).to_have_count(4)


def test_a_price_that_changed_is_shown_before_it_is_sent(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.to_check()
    text = "Een servicebeurt of een prijs is veranderd. Controleer je keuze en de kosten."
    execute(visitor.server, "UPDATE service_products SET price = price + 1000 WHERE job = '2'")
    try:
        walking.next()
        box = page.locator("main [data-focus-target]:has([role=alert])").first
        expect(box).to_contain_text("Servicebeurt kon niet worden aangevraagd.")
        expect(page.locator("main")).to_contain_text(text)
        toast = page.locator(".toast")
        expect(toast).to_contain_text("Servicebeurt kon niet worden aangevraagd.")
        expect(toast).to_contain_text(text)
        expect(page.locator("main")).to_contain_text(re.compile(r"€\s109,00"))
        assert_accessible(page)
        walking.next()
        expect(page).to_have_url(re.compile("confirmation$"))
        expect(page.locator("main")).to_contain_text(re.compile(r"€\s109,00"))
    finally:
        execute(visitor.server, "UPDATE service_products SET price = price - 1000 WHERE job = '2'")


def test_the_same_costs_stand_on_every_page_and_in_the_request(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.stand_at("location")
    walking.fill({"location": "*", "handover": "pick_up"})
    walking.next()
    walking.at("check")
    for _ in range(2):
        main = page.locator("main")
        for amount in (r"€\s99,00", r"€\s?-\s?49,50", r"€\s60,00", r"€\s109,50"):
            expect(main).to_contain_text(re.compile(amount))
        if "confirmation" not in page.url:
            walking.next()
            expect(page).to_have_url(re.compile("confirmation$"))
    expect(page.locator("main")).to_contain_text("Bovenbuis Utrecht")
    expect(page.locator("main")).to_contain_text("Bovenbuis Utrecht neemt contact met je op voor een afspraak.")
    expect(page.locator("main")).to_contain_text("binnen een week")
    reference = page.locator("main p.text-h2").inner_text().replace(" ", "")
    [row] = execute(
        visitor.server,
        "SELECT kind, status, title, partners.name, json_extract(details, '$.costs.total'),"
        " json_extract(details, '$.home.city') FROM requests JOIN partners ON partners.id = requests.partner_id"
        " WHERE reference = ?",
        reference,
    )
    assert row == ("service", "new", "Tweede servicebeurt", "Bovenbuis Utrecht", "109.50", "Utrecht")
    assert Decimal(row[4]) == Decimal("99.00") - Decimal("49.50") + Decimal("60.00")


def test_f20_the_address_is_offered_and_never_typed_again(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.stand_at("address")
    expect(page.locator("label.choice").first).to_contain_text("3512 PH Utrecht")
    expect(page.locator("#phone")).to_have_value("+31 6 12345601")
    walking.fill({"address": "known"})
    walking.next()
    walking.at("location")
    expect(page.locator("#search_text")).to_have_value("3512 PH")
