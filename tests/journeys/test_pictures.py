"""Pictures on pages: few bytes in the first screen, room kept for them, and a bike of which parts are pressed."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor, assert_accessible, wait_until_quiet
from tests.support.flows import CASES
from tests.support.people import ROOS, SANNE
from tests.support.tours import MAX_BYTES, PICTURES
from tests.support.walks import Walk

pytestmark = pytest.mark.usefixtures("nothing_sent")
LARGE_ENOUGH = 44
"""Pixels that a finger needs in both directions."""

_SHIFT = """() => new Promise(done => new PerformanceObserver(list => done(
    list.getEntries().filter(entry => entry.sources.some(source => source.node?.tagName === 'IMG'))
        .reduce((sum, entry) => sum + entry.value, 0)
)).observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))"""

_MAX_SHIFT = 0.001
"""Layout shift that nobody sees. A row that arrives in two parts centres its picture twice, which is 0.0001."""

_PAGES = {
    SANNE: (
        "/dashboard",
        "/orders",
        "/orders/900000001",
        "/order-status/900000001",
        "/bikes",
        "/bikes/*",
        "/maintenance",
        "/maintenance/*",
        "/repair-request",
    ),
    ROOS: ("/returns", "/returns/*", "/return-request"),
}
"""Pages that show pictures, by customer. A star stands for the first entry of the list before it."""


@pytest.mark.parametrize("customer", _PAGES)
def test_the_first_screen_has_few_bytes_of_pictures_and_nothing_moves(
    visitor: Visitor, customer: tuple[str, str]
) -> None:
    visitor.log_in(*customer)
    page = visitor.page()
    heavy, first = {}, ""
    for path in _PAGES[customer]:
        address = first if path.endswith("*") else path
        page.goto(address)
        wait_until_quiet(page)
        expect(page.locator("main img.picture").first).to_be_attached()
        page.wait_for_function(f"() => ({PICTURES})().loaded")
        found = page.evaluate(PICTURES)
        moved = page.evaluate(_SHIFT)
        if found["bytes"] > MAX_BYTES or moved > _MAX_SHIFT:
            heavy[path] = found | {"moved": moved}
        entries = page.locator(f'main a[href^="{path}/"]')
        first = entries.first.get_attribute("href") or "" if entries.count() else ""
    assert not heavy


def _at(visitor: Visitor, flow: str, step: str) -> Page:
    case = next(case for case in CASES if case.flow.name == flow)
    visitor.log_in(*case.customer)
    walking = Walk(visitor, case)
    walking.stand_at(step)
    return walking.page


def _lit(page: Page) -> list[str]:
    return sorted(image.get_attribute("data-part") or "" for image in page.locator(".lit").all() if image.is_visible())


@pytest.mark.parametrize(("flow", "step"), [("repair-request", "damage"), ("claim-request", "parts")])
def test_a_part_is_pressed_on_the_bike_or_ticked_in_the_list(visitor: Visitor, flow: str, step: str) -> None:
    page = _at(visitor, flow, step)
    wheels, saddle = page.locator("#part-wheels"), page.locator("#part-saddle")
    for box in page.locator("[name=parts]:checked").all():
        box.uncheck()
    assert _lit(page) == []
    page.locator("[data-part=wheels] .spot").last.click()
    expect(wheels).to_be_checked()
    saddle.check()
    assert _lit(page) == ["saddle", "wheels"]
    page.locator("[data-part=saddle] .spot").hover()
    expect(page.locator("[data-part=saddle] .spot-name")).to_be_visible()
    page.locator("[data-part=saddle] .spot").click()
    expect(saddle).not_to_be_checked()
    assert _lit(page) == ["wheels"]
    # The list is the question; the drawing adds no names and no stops of the keyboard.
    expect(page.get_by_role("checkbox", name="Zadel", exact=True)).to_have_count(1)
    assert page.locator(".pressed-bike :is(a, button, input, [tabindex])").count() == 0
    assert_accessible(page)


def test_every_spot_is_large_enough_for_a_finger_on_a_telephone(visitor: Visitor) -> None:
    page = _at(visitor, "repair-request", "damage")
    page.set_viewport_size({"width": 375, "height": 812})
    boxes = [spot.bounding_box() for spot in page.locator(".spot").all()]
    assert len(boxes) > 8
    for number, one in enumerate(boxes):
        assert one is not None
        assert min(one["width"], one["height"]) >= LARGE_ENOUGH
        for two in boxes[:number]:
            assert two is not None
            assert max(abs(one["x"] - two["x"]), abs(one["y"] - two["y"])) >= LARGE_ENOUGH - 0.5
