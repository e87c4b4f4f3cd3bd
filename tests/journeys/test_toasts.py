"""Notifications keep to part-1 §4: how many, how long, and what makes them wait."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.gallery_page import Gallery
from tests.support.browser import assert_accessible

SUCCESS, ERROR, NEVER, ELEVEN = "success 3000 1", "error 4000 1", "info -1 1", "success 3000 11"


@pytest.fixture
def page(open_gallery: Callable[..., Gallery]) -> Page:
    """The gallery with a clock that the test moves."""
    opened = open_gallery().open()
    expect(opened.locator("#language")).to_have_text("")
    opened.clock.install()
    return opened


def toasts(page: Page) -> int:
    """How many notifications are shown."""
    return page.locator("[data-toast]").count()


def show(page: Page, kind: str, count: int = 1) -> None:
    """Let the server send notifications; time stands still until the test moves it."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.get_by_role("button", name=kind, exact=True).click()
    expect(page.locator("[data-toast]")).to_have_count(count)


def test_a_notification_leaves_after_three_seconds_the_regions_that_were_there_before(page: Page) -> None:
    expect(page.locator("[data-toasts] [role=alert]")).to_have_count(1)
    expect(page.locator("[data-toasts] [role=status]")).to_have_count(1)
    show(page, SUCCESS)
    page.clock.run_for(2900)
    assert toasts(page) == 1
    page.clock.run_for(200)
    assert toasts(page) == 0


def test_a_notification_without_a_time_stays_for_an_hour(page: Page) -> None:
    show(page, NEVER)
    page.clock.fast_forward("01:00:00")
    assert toasts(page) == 1


def test_the_eleventh_is_dropped_and_there_is_room_again_after_ten_have_left(page: Page) -> None:
    show(page, ELEVEN, count=10)
    page.clock.run_for(3100)
    assert toasts(page) == 0
    page.clock.run_for(10_000)
    assert toasts(page) == 0
    show(page, SUCCESS)


_HIDE = """state => {
    Object.defineProperty(document, 'visibilityState', {value: state, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def _pointer(page: Page, holds: bool) -> None:
    page.locator("[data-toast]").hover() if holds else page.mouse.move(10, 500)


def _focus(page: Page, holds: bool) -> None:
    button = page.get_by_role("button", name=SUCCESS, exact=True)
    (page.locator("[data-toast] button") if holds else button).focus()


def _hidden_tab(page: Page, holds: bool) -> None:
    page.evaluate(_HIDE, "hidden" if holds else "visible")


@pytest.mark.parametrize("held_by", [_pointer, _focus, _hidden_tab])
def test_time_stands_still_while_something_holds_it(page: Page, held_by: Callable[[Page, bool], None]) -> None:
    show(page, SUCCESS)
    held_by(page, True)
    page.clock.run_for(10_000)
    assert toasts(page) == 1
    held_by(page, False)
    page.clock.run_for(2000)
    assert toasts(page) == 1
    page.clock.run_for(1100)
    assert toasts(page) == 0


def test_escape_closes_the_focused_notification_and_gives_the_focus_back(page: Page) -> None:
    show(page, NEVER)
    page.locator("[data-toast] button").focus()
    page.keyboard.press("Escape")
    expect(page.locator("[data-toast]")).to_have_count(0)
    expect(page.get_by_role("button", name=NEVER, exact=True)).to_be_focused()


def test_a_passing_notification_is_not_shown_again_by_a_reload_and_a_lasting_one_is(page: Page) -> None:
    show(page, SUCCESS)
    show(page, NEVER, count=2)
    page.reload()
    expect(page.locator("[data-toast=info]")).to_have_count(1)
    expect(page.locator("[data-toast]")).to_have_count(1)


def test_an_open_notification_changes_language(page: Page) -> None:
    show(page, NEVER)
    page.get_by_role("button", name="EN English").click()
    expect(page.locator("[data-toast]")).to_contain_text("Please try again")
    expect(page.get_by_role("button", name="Close notification: Copied")).to_be_visible()


def test_notifications_are_accessible(page: Page) -> None:
    show(page, NEVER)
    show(page, ERROR, count=2)
    page.clock.resume()
    assert_accessible(page, "[data-toasts]")


@pytest.mark.parametrize(("width", "kind"), [(375, ERROR), (768, SUCCESS), (1280, ERROR)])
def test_a_notification_covers_neither_the_heading_nor_what_stands_below(
    open_gallery: Callable[..., Gallery], width: int, kind: str
) -> None:
    page = open_gallery(width=width).open()
    page.evaluate("window.scrollTo(0, 0)")
    page.get_by_role("button", name=kind, exact=True).evaluate("(button) => button.click()")
    shown = page.locator("[data-toast]").bounding_box()
    heading = page.locator("h1").bounding_box()
    words = page.locator("h1").evaluate(
        "(heading) => { const range = document.createRange(); range.selectNodeContents(heading);"
        " return range.getBoundingClientRect().right; }"
    )
    assert shown
    assert heading
    assert shown["y"] + shown["height"] <= heading["y"] or shown["x"] >= words
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= width


def test_a_notification_steps_aside_for_the_keyboard_in_the_header(open_gallery: Callable[..., Gallery]) -> None:
    page = open_gallery(width=375).open()
    page.get_by_role("button", name=NEVER, exact=True).evaluate("(button) => button.click()")
    expect(page.locator("[data-toast]")).to_have_count(1)
    page.keyboard.press("Tab")  # the skip link
    page.keyboard.press("Tab")
    focused = page.locator("header :focus")
    expect(focused).to_have_count(1)
    on_top = "(element) => { const box = element.getBoundingClientRect(); return element.contains("
    on_top += "document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"
    assert focused.evaluate(on_top)
