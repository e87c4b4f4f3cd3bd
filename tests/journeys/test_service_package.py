"""Service packages: two series side by side, taken out, and used by the next service (part-1 §2; part-2 §3)."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visit, Visitor
from tests.support.flows import FLEUR, PACKAGING
from tests.support.people import PIETER
from tests.support.server import PortalServer
from tests.support.stored import forget_aftercare
from tests.support.walks import Walk, begin_button

NAMES = ["Basic", "Comfort", "Deluxe", "Start", "Complete", "Carefree"]


@pytest.fixture(autouse=True)
def _afresh(portal_server: PortalServer) -> Iterator[None]:
    forget_aftercare(portal_server)
    yield
    forget_aftercare(portal_server)


@pytest.fixture
def walking(visit: Visit) -> Walk:
    window: Visitor = visit()
    window.log_in(*FLEUR)
    return Walk(window, PACKAGING)


def test_the_seven_packages_stand_in_two_series_with_what_a_service_then_costs(walking: Walk) -> None:
    walking.page.goto("/dashboard")
    walking.page.locator("main a[href='/service-package']").click()
    begin_button(walking.page).click()
    walking.answer("bike")
    walking.at("package")
    page = walking.page
    cards = page.locator("label.choice")
    expect(cards).to_have_count(6)
    for place, name in enumerate(NAMES):
        expect(cards.nth(place)).to_contain_text(name)
        expect(cards.nth(place)).to_contain_text(re.compile(r"€\s\d+,95 per maand"))
    comfort = cards.nth(1)
    expect(comfort).to_contain_text("Als je elke week fietst")
    expect(comfort).to_contain_text("Meest gekozen")
    expect(comfort).to_contain_text("Lekke banden gratis geplakt")
    expect(comfort).to_contain_text(re.compile(r"Eerste servicebeurt\s*was €\s\d+,\d\d\s*€\s\d+,\d\d"))
    expect(page.get_by_role("main")).to_contain_text("Geen servicepakket")
    series = page.locator("main fieldset h2")
    expect(series).to_have_text(["Alleen servicebeurten", "Met pechhulp"])
    first, second = (series.nth(place).bounding_box() for place in range(2))
    assert first
    assert second
    assert (first["y"], first["x"] < second["x"]) == (second["y"], True)
    page.set_viewport_size({"width": 375, "height": 812})
    first, second = (series.nth(place).bounding_box() for place in range(2))
    assert first
    assert second
    assert first["y"] < second["y"]


def test_the_table_says_for_whom_each_package_is_and_marks_one_on_a_single_line(visitor: Visitor) -> None:
    visitor.log_in(*PIETER)
    page = visitor.page()
    page.goto("/service-package")
    heads = page.locator("thead th[scope=col]")
    expect(heads).to_have_count(7)
    expect(heads.nth(2)).to_contain_text("Als je elke week fietst")
    mark = page.locator("thead").get_by_text("Meest gekozen")
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 900})
        assert mark.evaluate("e => e.scrollWidth <= e.clientWidth && e.clientHeight < 32"), width
    names = [head.locator("span.block").first.bounding_box() for head in heads.all()[1:]]
    assert len({name["y"] for name in names if name}) == 1
