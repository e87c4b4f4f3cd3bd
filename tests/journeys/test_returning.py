"""What is special in returns: refusals, batteries, amounts, withdrawal, the link (part-2 §2, §5, §8)."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.returning_steps import sent, walk_through
from tests.support.browser import Visitor, assert_accessible
from tests.support.flows import BATTERY, BIKE, PINNED, RETURN, WHY

pytestmark = pytest.mark.usefixtures("nothing_sent")


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
