"""The queue by keyboard and on a phone, saved views, the search, and what a case says about wrong input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.texts import catalogue
from tests.journeys.desk_steps import SCREENS, assert_well_made, at_desk
from tests.support.browser import Visitor
from tests.support.server import DeskServer

FEMKE, HANS = "femke@example.com", "hans@example.com"

Say = Callable[[str], str]
Desk = Callable[..., tuple[Page, Say]]


@pytest.fixture
def desk(visit: Callable[..., Visitor], desk_server: DeskServer) -> Iterator[Desk]:
    """Opens the queue of somebody; also returns the texts of the language."""

    def window(who: str, path: str, language: str = "nl", width: int = 1440) -> tuple[Page, Say]:
        page = at_desk(visit, desk_server, who, path, language=language, width=width)
        expect(page.locator("[data-row]").first).to_be_visible()
        return page, catalogue(language).gettext

    yield window
    desk_server.renew_shop()


def test_the_queue_is_worked_with_keys_and_a_view_is_saved_and_removed(desk: Desk) -> None:
    page, say = desk(FEMKE, "/cases?kind=repair")
    rows, open_links = page.locator("[data-row]"), page.locator("[data-row] [data-open]")
    for key, place in (("j", 0), ("j", 1), ("k", 0), ("j", 1)):
        page.keyboard.press(key)
        expect(open_links.nth(place)).to_be_focused()
    page.keyboard.press("x")
    expect(rows.nth(1)).to_have_attribute("data-selected", "true")
    chosen = page.get_by_role("region", name=say("Selected cases"))
    # What the customer will read stands there before anything is sent.
    chosen.get_by_role("combobox", name=say("Next step")).select_option(index=1)
    expect(chosen.locator("q")).not_to_be_empty()
    assert_well_made(page)
    page.keyboard.press("a")
    expect(chosen).to_be_hidden()
    expect(rows.nth(1)).to_contain_text("Femke Dijkstra")

    main, links = page.get_by_role("main"), page.get_by_role("navigation", name=say("Views"))
    main.get_by_text(say("Save this view"), exact=True).click()
    main.get_by_role("button", name=say("Save"), exact=True).click()
    expect(page.locator("#view-name-error")).to_be_visible()
    assert_well_made(page)
    main.get_by_role("textbox", name=say("Name of the view")).fill("Alle reparaties")
    main.get_by_role("button", name=say("Save"), exact=True).click()
    expect(links.get_by_role("link", name=re.compile("Alle reparaties"))).to_be_visible()
    main.get_by_role("button", name=say("Remove this view")).click()
    expect(links.get_by_role("link", name=re.compile("Alle reparaties"))).to_have_count(0)

    reference = open_links.first.inner_text().rpartition(":")[2].strip()  # an unread one says so
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type(reference)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search")
    expect(rows).to_have_count(1)
    assert_well_made(page)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/cases/repair/"))
    expect(page.locator("h1 + div")).to_contain_text(reference)
    expect(page).to_have_title(re.compile(reference))
    page.keyboard.press("Escape")
    page.wait_for_url("**/search")  # the list that the case was opened from
    expect(rows).to_have_count(1)


def test_a_case_says_on_a_phone_what_is_missing_where_it_is_missing(desk: Desk) -> None:
    page, say = desk(FEMKE, "/cases?kind=repair", "en", 390)
    assert_well_made(page)
    page.locator("[data-row] [data-open]").first.click()
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name=say("Next step"))).to_be_visible()
    for summary, button, field in (
        ("Plan a day", "Plan this day", "plan-day"),
        ("Hand over to another store", "Hand over", "hand_over-store"),
        ("Correct the frame number", "Save the frame number", "frame-frame_number"),
    ):
        main.get_by_text(say(summary), exact=True).click()
        main.get_by_role("button", name=say(button), exact=True).click()
        expect(page.locator(f"#{field}-error")).to_be_visible()
        summary_link = main.get_by_role("group", name=say("Not all fields are filled correctly")).get_by_role("link")
        expect(summary_link).to_be_visible()
        summary_link.click()
        expect(page.locator(f"#{field}")).to_be_focused()
        assert_well_made(page)


_WHOLE = """() => [...document.querySelectorAll('main select')].filter(one => one.checkVisibility()).flatMap(one => {
    const look = getComputedStyle(one), pen = document.createElement('canvas').getContext('2d');
    pen.font = look.font;
    const room = one.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight);
    return pen.measureText(one.selectedOptions[0].text).width > room + 1 ? [one.selectedOptions[0].text] : [];
})"""


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_filter_of_the_queue_is_cut_on_a_phone(desk: Desk, language: str) -> None:
    page, _ = desk(FEMKE, "/cases", language, 375)
    assert page.evaluate(_WHOLE) == []


def test_who_comes_back_to_a_list_finds_it_as_it_was(desk: Desk) -> None:
    page, say = desk(FEMKE, "/cases?kind=repair")
    links, path = page.locator("[data-row] [data-open]"), "**/cases?kind=repair"
    links.nth(24).focus()
    page.keyboard.press("x")
    expect(page.locator("[data-selected=true]")).to_have_count(1)
    ways = (lambda: page.keyboard.press("Escape"), lambda: page.locator("[data-back]").click(), page.go_back)
    for way in ways:
        left = page.evaluate("scrollY")
        assert left > 0
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/cases/repair/"))
        expect(page.get_by_role("heading", name=say("Next step"))).to_be_visible()
        way()
        page.wait_for_url(path)
        expect(links.nth(24)).to_be_focused()
        expect(links.nth(24)).to_be_in_viewport()
        assert abs(page.evaluate("scrollY") - left) < 2
        expect(page.locator("[data-row]").nth(24)).to_have_attribute("data-selected", "true")
    # The next case, and back to it in the list.
    following = links.nth(25).get_attribute("href") or ""
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/cases/repair/"))
    expect(page.locator("[data-key=j]")).to_be_visible()
    page.keyboard.press("j")
    page.wait_for_url(f"**{following}")
    expect(page.get_by_role("heading", name=say("Next step"))).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_url(path)
    expect(links.nth(25)).to_be_focused()


@pytest.mark.parametrize(("width", "screens"), [(1440, 1), (390, 2)])
def test_a_case_shows_photos_and_conversation_first(desk: Desk, width: int, screens: int) -> None:
    page, say = desk(FEMKE, "/cases?kind=claim", width=width)  # every claim of the demonstration has photos
    page.locator("[data-row] [data-open]").first.click()
    expect(page.get_by_role("textbox", name=re.compile("^Bericht aan"))).to_be_visible()
    tops = {
        name: page.get_by_role("heading", name=say(name)).first.evaluate("one => one.getBoundingClientRect().bottom")
        for name in ("Photos and other files", "Conversation")
    }
    assert max(tops.values()) < screens * SCREENS[width], tops
