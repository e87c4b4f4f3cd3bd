"""Looking for a service location (flow-standard F54; part-1 §2, §5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.held_socket import Socket
from tests.support.browser import CROSSWISE, HEIGHTS, Visit, Visitor, assert_accessible, assert_fits, split
from tests.support.built import MAP
from tests.support.flows import CASES
from tests.support.server import PortalServer
from tests.support.stored import execute, forget_requests
from tests.support.tours import NARROWEST
from tests.support.walks import Walk

CASE = next(case for case in CASES if case.flow.name == "service-request")
CHECK = re.compile(CASE.flow.url(CASE.flow.check_step))


FAILURE = "Service partners konden niet worden opgehaald. Probeer het later nog eens."


@pytest.fixture
def visitor(visit: Visit) -> Iterator[Visitor]:
    window = visit()
    forget_requests(window.server)
    yield window
    forget_requests(window.server)


def _at_the_list(visitor: Visitor) -> Page:
    visitor.log_in(*CASE.customer)
    walking = Walk(visitor, CASE)
    walking.stand_at("location")
    expect(walking.page.locator("[name=location]").first).to_be_visible()
    return walking.page


def _unfold(page: Page, name: str) -> None:
    """Show a part of the step that stands behind a button on a small screen, unless it is shown."""
    button = page.get_by_role("button", name=re.compile(f"^({name})$"))
    if button.is_visible() and button.get_attribute("aria-expanded") == "false":
        button.click()
        expect(button).to_have_attribute("aria-expanded", "true")


def _search(page: Page, text: str, km: str = "25") -> None:
    _unfold(page, "Zoek en filter|Search and filter")
    page.locator("#search_distance").select_option(km)
    page.locator("#search_text").fill(text)
    page.locator("#search_text").press("Enter")


@contextmanager
def _changed(server: PortalServer, change: str, back: str) -> Iterator[None]:
    execute(server, change)
    try:
        yield
    finally:
        execute(server, back)


def test_nothing_moves_while_a_search_takes_long(visitor: Visitor) -> None:
    visitor.log_in(*CASE.customer)
    walking = Walk(visitor, CASE)
    page = walking.page
    socket = Socket(page)
    socket.let_go()
    walking.stand_at("location")
    seen = page.locator("#search_text, form[role=search] button, [name=location]")
    expect(seen.last).to_be_visible()
    socket.settle()
    before = [found.bounding_box() for found in seen.all()]
    socket.hold()
    button = page.get_by_role("button", name=walking.say("Search"), exact=True)
    button.click()
    expect(page.get_by_role("status").get_by_text(walking.say("Searching…"))).to_be_attached()
    expect(button).to_have_attribute("aria-disabled", "true")
    assert [found.bounding_box() for found in seen.all()] == before
    assert_accessible(page)
    socket.let_go()
    expect(button).not_to_have_attribute("aria-disabled", "true")


def test_more_are_shown_eight_at_a_time_and_the_focus_goes_to_the_first_new_one(visitor: Visitor) -> None:
    page = _at_the_list(visitor)
    _search(page, "Utrecht", "100")
    cards = page.locator("main form:not([role=search]) fieldset").first.locator("[name=location], .bg-paper-2")
    expect(page.get_by_text(re.compile(r"^8 van \d+ getoond"))).to_be_visible()
    page.locator("[name=location]").first.check()
    page.get_by_role("button", name="Toon meer locaties").click()
    expect(page.get_by_text(re.compile(r"^16 van \d+ getoond"))).to_be_visible()
    expect(page.locator("[data-focus-target]:focus")).to_have_count(1)
    expect(page.locator("[name=location]").first).to_be_checked()
    expect(cards).to_have_count(16)


def test_a_provider_that_cannot_tell_offers_to_try_again(visitor: Visitor) -> None:
    page = _at_the_list(visitor)
    with _changed(visitor.server, "ALTER TABLE partners RENAME TO hidden", "ALTER TABLE hidden RENAME TO partners"):
        _search(page, "Amsterdam")
        expect(page.locator("main [role=alert]", has_text=FAILURE)).to_be_visible()
        expect(page.locator(".toast")).to_contain_text(FAILURE)
        assert_accessible(page)
    page.locator("[data-retry]").click()
    expect(page.locator("main")).to_contain_text("van Amsterdam")
    expect(page.locator("[name=location]").first).to_be_visible()


_OVERLAPPING = """() => {
    const shown = [...document.querySelectorAll('.map-name, .map-pin')].filter(one => one.checkVisibility());
    const boxes = shown.map(one => [one.textContent, one.getBoundingClientRect()]);
    return boxes.flatMap(([name, a], place) => boxes.slice(place + 1).filter(([, b]) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(([other]) => [name, other]));
}"""

# Pins that do not stand where the drawing has their place.
_MISPLACED = """() => {
    const drawn = document.querySelector('.map-layers').getScreenCTM();
    return [...document.querySelectorAll('.map-at > :is(.map-pin, .map-dot)')].filter(pin => {
        const [x, y] = ['--at-x', '--at-y'].map(name => Number(pin.parentElement.style.getPropertyValue(name)));
        const place = new DOMPoint(x, y).matrixTransform(drawn), box = pin.getBoundingClientRect();
        return Math.hypot(box.x + box.width / 2 - place.x, box.y + box.height / 2 - place.y) > 1;
    }).length;
}"""

_BYTES_OF_THE_MAP = """() => performance.getEntriesByType('resource').filter(entry => /benelux\\.svg/.test(entry.name))
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""


@pytest.mark.parametrize("window", CROSSWISE)
def test_list_and_map_move_together(visit: Visit, window: str) -> None:
    language, width = split(window)
    visitor = visit(language=language, width=width)
    forget_requests(visitor.server)
    page = _at_the_list(visitor)
    radios, pins, view = page.locator("[name=location]"), page.locator(".map-pin"), page.locator(".map-view")
    if width < 1024:
        name = page.locator(".choice [id^=name-]").first.bounding_box()
        bar = page.locator("main form:not([role=search]) button[type=submit]").bounding_box()
        assert name
        assert bar
        assert name["y"] + name["height"] < bar["y"], "the first location stands in the first screen"
        expect(pins.first).to_be_hidden()
        for behind in ("#search_text", "#search_distance", "#order"):
            expect(page.locator(behind), "the filters stand behind one button").to_be_hidden()
        expect(page.locator("#search_text")).to_have_value("3523 AB")
        _unfold(page, "Kaart|Map")
    expect(pins.first).to_be_visible()
    whole = view.get_attribute("style") or ""
    assert not page.evaluate(_OVERLAPPING)
    assert page.evaluate(_MISPLACED) == 0
    assert_accessible(page)
    pins.nth(2).click()
    chosen = page.locator(".choice:has([name=location]:checked)")
    expect(chosen).to_have_count(1)
    expect(chosen.get_by_role("radio")).to_be_in_viewport()
    number = chosen.locator(".map-number").text_content() or ""
    lit = page.locator(".map-pin[data-lit=true]")
    expect(lit).to_have_text(number)
    expect(view).not_to_have_attribute("style", whole)
    assert not page.evaluate(_OVERLAPPING)
    assert page.evaluate(_MISPLACED) == 0
    radios.first.check()
    expect(lit).to_have_text("1")
    page.get_by_role("button", name=re.compile("^(Toon alles|Show all)$")).click()
    expect(view).to_have_attribute("style", whole)
    expect(radios.first).to_be_checked()
    page.get_by_role("button", name=re.compile("^(Inzoomen|Zoom in)$")).press("Enter")
    expect(view).not_to_have_attribute("style", whole)
    assert_accessible(page)
    assert 0 < page.evaluate(_BYTES_OF_THE_MAP) <= MAP
    forget_requests(visitor.server)


@pytest.mark.parametrize("window", CROSSWISE)
def test_every_state_of_the_list_is_accessible_and_fits(visit: Visit, window: str) -> None:
    language, width = split(window)
    visitor = visit(language=language, width=width)
    forget_requests(visitor.server)
    page = _at_the_list(visitor)

    # The narrowest screen in Dutch, where lines are the longest.
    screens = (NARROWEST, width) if language == "nl" else (width,)

    def check() -> None:
        for at in screens:
            # So tall that the bar with the button covers no half of a row, which axe takes for a small target.
            page.set_viewport_size({"width": at, "height": 3000})
            assert_accessible(page)
            page.set_viewport_size({"width": at, "height": HEIGHTS[width]})
            assert_fits(page)

    check()
    for text, km, result in (
        ("Brussel", "100", re.compile(r"\d+ .*100\skm .*Brussel")),
        ("qqqqq", "25", re.compile("Vul een geldige postcode of plaats in|Enter a valid postcode or city")),
        ("Vlieland", "5", re.compile("Geen locatie gevonden|No location found")),
    ):
        _search(page, text, km)
        expect(page.get_by_role("main")).to_contain_text(result)
        check()
    forget_requests(visitor.server)


def test_the_list_is_used_with_the_keyboard_alone(visitor: Visitor) -> None:
    page = _at_the_list(visitor)

    def reach(selector: str) -> None:
        for _ in range(60):
            if page.evaluate("s => document.activeElement?.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with the keyboard")

    reach("#search_text")
    page.keyboard.type("Rotterdam")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("van Rotterdam")
    reach(".chip")
    page.keyboard.press("Enter")
    expect(page.locator(".chip[aria-pressed=true]")).to_have_count(1)
    reach("[name=location]")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    if page.locator("[name=handover]:visible").count():
        reach("[name=handover]")
        page.keyboard.press("Space")
    reach("main form:not([role=search]) button[type=submit]")
    page.keyboard.press("Enter")
    expect(page).to_have_url(CHECK)
