"""What is special in returns: refusals, batteries, amounts, withdrawal, the link (part-2 §2, §5, §8)."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.journeys.returning_steps import amounts, sent, walk_through
from tests.support.browser import Visitor, assert_accessible
from tests.support.return_cases import ACCESSORIES, BATTERY, BIKE, PICK_UP, PINNED, RETURN, WHY
from tests.support.returning import BUNDLE, NOT_SENT, OLD, PENDING
from tests.support.stored import execute
from tests.support.walks import begin_button

pytestmark = pytest.mark.usefixtures("nothing_sent")
PIETER = ("900000004", "pieter@example.org")


def test_f17_what_cannot_come_back_says_why_and_what_to_do_before_the_first_step(visitor: Visitor) -> None:
    walking = walk_through(visitor, ACCESSORIES)
    walking.open("intro")
    main = walking.page.locator("main")
    for order, reason, target in (
        (OLD, "meer dan 100 dagen geleden", "/contact?topic=return"),
        (NOT_SENT, "Dit is nog niet verzonden.", f"/orders/{NOT_SENT}"),
        (PENDING, "", ""),
    ):
        row = main.locator("li", has_text=f"Bestelling {order} van")
        if reason:
            expect(row.first).to_contain_text(reason)
            expect(row.first.get_by_role("link")).to_have_attribute("href", target)
    walking.start()
    expect(main).to_contain_text("Wat je nu niet kunt retourneren")
    expect(main.locator("[aria-invalid]")).to_have_count(0)


def test_f17_who_can_return_nothing_cannot_begin_and_learns_why(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN, PIETER)
    walking.open("intro")
    main = walking.page.locator("main")
    expect(main).to_contain_text("Dit is nog niet verzonden.")
    expect(begin_button(walking.page)).to_have_count(0)
    assert_accessible(walking.page)


def test_the_same_amounts_stand_before_and_after_sending_and_are_kept(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    walking.until("method")
    walking.answer("method", {"method": "pick_up"})
    walking.at("pickup")
    expect(page.get_by_text(re.compile(r"^Week \d+")).first).to_be_visible()
    assert_accessible(page)
    walking.fill({"address": "other"})
    assert_accessible(page)
    walking.answer("pickup", PICK_UP)
    walking.at(RETURN.flow.check_step)
    before = amounts(page)
    assert [row for row in before if "Gebruikssporen, 25%" in row]
    assert [row for row in before if re.search(r"Thuis ophalen € ?-?39,95|Thuis ophalen -€ 39,95", row)]
    walking.next()
    expect(page).to_have_url(re.compile("confirmation$"))
    assert amounts(page) == before
    page.reload()
    assert amounts(page) == before
    (kept,) = sent(visitor, page, "settlement")
    settlement = json.loads(str(kept))
    # Nothing of this order is paid yet: what is left is the pick-up.
    assert (settlement["refund"], settlement["charge"]) == ("0.00", "39.95")
    assert re.search("Je betaalt € ?39,95", before[-2])
    assert re.search("Nog te betalen voor je bestelling € ?277,20", before[-1])
    assert settlement["open"] == "277.20"
    expect(page.locator("main a", has_text="Retourlabel")).to_have_attribute(
        "href", re.compile(r"^/files/returns/\w+/label\.pdf")
    )


def test_a_battery_that_must_not_travel_gets_advice_in_the_place_of_a_pick_up(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    walking.start()
    walking.answer("item", {"item": BATTERY})
    walking.answer("reason", {"fault": "none", "reason": WHY})
    walking.at("condition")
    advice = page.get_by_text("Deze accu mag niet worden vervoerd")
    walking.fill({"state": "unused", "battery": "fine"})
    expect(advice).to_be_hidden()
    walking.fill({"battery": "hot"})
    expect(advice).to_be_visible()
    assert_accessible(page)
    walking.next()
    walking.at(RETURN.flow.check_step)
    main = page.locator("main")
    expect(advice).to_be_visible()
    expect(main).not_to_contain_text("Retourmethode")
    walking.next()
    expect(page).to_have_url(re.compile("confirmation$"))
    expect(advice).to_be_visible()
    expect(main).to_contain_text("Rookt of brandt")
    expect(main.locator("a", has_text="Retourlabel")).to_have_count(0)
    assert sent(visitor, page, "urgent, method, pickup_day") == (1, "none", None)


def test_a_mileage_comes_back_as_it_was_typed_and_another_bike_says_that_it_is_gone(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    walking.start()
    walking.answer("item", {"item": BIKE})
    walking.answer("reason", {"fault": "product_is_defect"})
    walking.answer("condition", {"state": "used_with_signs_of_use", "mileage": "1077,5"})
    walking.at("method")
    page.go_back()
    walking.at("condition")
    expect(page.locator("#mileage")).to_have_value("1077,5")
    walking.next()
    walking.at("method")
    walking.open("item")
    walking.at("item")
    walking.answer("item", {"item": PINNED})
    gone = page.get_by_text("Door je wijziging zijn deze antwoorden vervallen")
    expect(gone).to_be_visible()
    expect(page.locator("main")).to_contain_text("Kilometerstand")
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    expect(gone).to_have_count(0)


def test_how_many_is_asked_where_there_are_several(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    walking.start()
    number = page.locator("#quantity")
    walking.fill({"item": BIKE})
    expect(number).to_be_hidden()
    walking.fill({"item": f"{BUNDLE}-3"})
    number.fill("3")
    walking.next()
    expect(page.locator("#quantity-error")).to_contain_text("niet meer dan je kunt retourneren")
    number.fill("2")
    walking.next()
    walking.answer("reason", {"fault": "none", "reason": WHY})
    walking.answer("condition", {"state": "unused"})
    walking.answer("method", {"method": "store", "store": "*"})
    walking.at(RETURN.flow.check_step)
    expect(page.locator("main dl.facts")).to_contain_text("2 ×")


def test_stores_are_shown_with_distance_and_hours_the_nearest_first(visitor: Visitor) -> None:
    walking = walk_through(visitor, ACCESSORIES)
    walking.until("method")
    page = walking.page
    walking.fill({"method": "pick_up"})
    expect(page.locator("[name=store]").first).to_be_hidden()
    walking.fill({"method": "store"})
    cards = page.locator("label.choice", has=page.locator("[name=store]"))
    expect(cards.first).to_be_visible()
    texts = cards.all_inner_texts()
    distances = [float(found[1].replace(",", ".")) for text in texts if (found := re.search(r"([\d,]+)\skm", text))]
    assert distances == sorted(distances)
    expect(cards.first).to_contain_text(re.compile(r"\d\d:\d\d-\d\d:\d\d"))


def test_the_right_of_withdrawal_is_shown_while_it_lasts(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    walking.start()
    walking.answer("item", {"item": PINNED})
    walking.at("reason")
    link = page.locator(f"main a[href='/withdrawal/{BUNDLE}']")
    expect(link).to_be_visible()
    page.get_by_role("link", name="Vorige stap").click()
    walking.answer("item", {"item": BIKE})
    walking.at("reason")
    expect(page.locator("main a[href^='/withdrawal']")).to_have_count(0)


def test_the_bike_of_its_own_page_is_filled_in(visitor: Visitor) -> None:
    walking = walk_through(visitor, RETURN)
    page = walking.page
    [(bike,)] = execute(
        visitor.server,
        "SELECT bikes.public_id FROM bikes JOIN orders ON orders.id = bikes.order_id WHERE orders.order_number = ?",
        BUNDLE,
    )
    page.goto(f"/bikes/{bike}")
    page.get_by_role("link", name="Deze fiets retourneren").click()
    page.get_by_role("button", name="Start", exact=True).click()
    walking.at("reason")
    page.get_by_role("link", name="Vorige stap").click()
    walking.at("item")
    assert walking.values("item") == {"item": [PINNED]}
