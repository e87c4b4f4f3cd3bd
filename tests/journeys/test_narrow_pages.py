"""Pages in letters twice as large, in a wider font, on a tablet, and after Back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.test_first_data import settled
from tests.support.browser import Visit, Visitor, assert_fits
from tests.support.flows import CASES, RETURN, FlowCase
from tests.support.walks import Walking

_PUBLIC = ("/", "/contact", "/accessibility", "/privacy", "/withdrawal")
_OWN = (
    "/dashboard",
    "/orders",
    "/orders/900000001",
    "/invoices",
    "/bikes",
    "/my-data",
    "/maintenance",
    "/returns",
    "/repair-request",
    "/service-package",
    "/insurance-package",
)

# The words of a selector on more than one line, though no hyphen stands in them.
_BROKEN = """([within, pattern]) => {
    const broken = [];
    for (const element of document.querySelectorAll(within)) {
        if (!element.checkVisibility()) continue;
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const word of texts.currentNode.data.matchAll(new RegExp(pattern, 'gi'))) {
                const range = document.createRange();
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map(box => Math.round(box.bottom)));
                if (lines.size > 1) broken.push(word[0]);
            }
        }
    }
    return broken;
}"""
_HEADINGS = ["main :is(h1, h2, h3)", r"(?<![\S])[^\s\u00ad-]+(?![\S])"]


def _loaded(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("main .skeleton")).to_have_count(0)


def _enlarged(page: Page) -> Page:
    """Set the letters of the browser, not of the page, to 200 %."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    return page


# Names whose price, or other end of the line, is further below than the next line, and ticks without a text beside.
_TORN = """() => [...document.querySelectorAll('main .flex')].flatMap(row => {
    const parts = [...row.children].filter(part => part.checkVisibility());
    const gaps = parts.slice(1).map((part, place) =>
        part.getBoundingClientRect().top - parts[place].getBoundingClientRect().bottom);
    const alone = parts.length === 2 && parts.some(part => part.localName === 'svg') && gaps[0] >= 0;
    const torn = row.classList.contains('justify-between') && gaps.some(gap => gap > 8);
    return alone || torn ? [row.innerText] : [];
})"""


def _assert_readable(page: Page) -> None:
    expect(page.locator("html")).to_have_css("font-size", "32px")
    assert_fits(page)
    assert page.evaluate(_BROKEN, _HEADINGS) == [], page.url
    assert page.evaluate(_TORN) == [], page.url
    for phase in page.locator(".tracker > li").all():
        expect(phase).to_have_css("flex-direction", "row")  # else the line lies on the names


@pytest.mark.parametrize("language", ["nl", "en"])
def test_letters_twice_as_large_fit_a_phone(visit: Visit, language: str) -> None:
    visitor = visit(width=375, language=language)
    page = _enlarged(visitor.page())
    for path in _PUBLIC:
        _loaded(page, path)
        _assert_readable(page)
    visitor.log_in("900000001", "sanne@example.com")
    for path in _OWN:
        _loaded(page, path)
        _assert_readable(page)


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize("case", [CASES[0], RETURN], indirect=True, ids=str)
def test_every_step_fits_a_phone_in_letters_twice_as_large(walk: Walking, case: FlowCase, language: str) -> None:
    walking = walk(width=375, language=language)
    page = _enlarged(walking.page)
    walking.start()
    for step in case.steps:
        walking.at(step)
        _assert_readable(page)
        walking.answer(step.name)
    walking.at(case.flow.check_step)
    _assert_readable(page)
    walking.next()
    expect(page.locator("main p.text-h2")).to_be_visible()
    _assert_readable(page)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_words_stay_whole_on_the_smallest_screen(visit: Visit, language: str) -> None:
    visitor = visit(width=375, language=language)
    page = visitor.page()
    page.set_viewport_size({"width": 320, "height": 800})
    visitor.log_in("900000081", "fleur@example.com")
    found = 0
    for path in (*_PUBLIC, *_OWN, "/cancel-contract", "/contracts", "/insurance-request", "/my-data/privacy"):
        if path == "/orders/900000001":
            continue
        _loaded(page, path)
        assert_fits(page)
        assert page.evaluate(_BROKEN, _HEADINGS) == [], path
        assert page.evaluate(_BROKEN, ["main", r"e-?mail\w*"]) == [], path
        found += page.get_by_role("main").get_by_text(re.compile("e-?mail", re.IGNORECASE)).count()
    assert found


_APART = """() => {
    const box = selector => document.querySelector(`header ${selector}`).getBoundingClientRect();
    return box('[role=group]').left - box('nav a').right;
}"""


def test_without_the_web_font_nothing_in_the_header_overlaps(visit: Visit) -> None:
    visitor = visit(width=375)
    visitor.troubles.allow("ERR_FAILED")
    page = visitor.page()
    page.route("**/*.woff2", lambda route: route.abort())
    _loaded(page, "/")
    # As wide as the widest that a system has.
    page.evaluate("document.body.style.fontFamily = 'DejaVu Sans, Verdana, sans-serif'")
    for width in (320, 447, 768):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(_APART) >= 0
        assert_fits(page)


def test_the_login_has_its_font_on_the_first_visit(page: Page) -> None:
    page.goto("/")
    page.wait_for_function("() => window.localStorage.font")
    expect(page.locator("main h1")).to_have_css("font-family", re.compile('^"Instrument Sans Variable"'))


def test_a_bike_is_shown_with_both_wheels(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/bikes")
    page.get_by_role("link", name="Noordveld Horizon 5").click()
    expect(page.locator("main h1")).to_contain_text("Noordveld Horizon 5")
    picture = page.locator("main img.picture").first
    expect(picture).to_be_visible()
    for width in (375, 768, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        expect(picture).to_have_css("object-fit", "contain")
        box = picture.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


_WATCH = """() => {
    window.highest = Infinity;
    const look = () => {
        const footer = document.querySelector('footer').getBoundingClientRect();
        window.highest = Math.min(window.highest, footer.top + scrollY);
        requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.parametrize(
    ("path", "away"), [("/orders/900000001", "/order-status/900000001"), ("/my-data", "/orders"), ("/bikes", "/orders")]
)
def test_a_page_is_there_at_once_after_back(sanne: Visitor, path: str, away: str) -> None:
    page = sanne.page()
    # The server keeps nothing of a page that is left before it has loaded.
    settled(page, path)
    height = page.evaluate("document.querySelector('footer').getBoundingClientRect().top + scrollY")
    page.locator(f"a[href='{away}']").first.evaluate("link => link.click()")
    page.wait_for_url(f"**{away}")
    expect(page.locator("main .skeleton")).to_have_count(0)
    before = page.evaluate("document.querySelector('footer').getBoundingClientRect().top + scrollY")
    page.evaluate(_WATCH)
    page.go_back()
    page.wait_for_url(f"**{path}")
    expect(page.locator("main .skeleton")).to_have_count(0)
    assert page.evaluate("window.highest") >= min(height, before) - 1, "the footer stood nowhere else in between"


def test_no_line_ends_within_a_word_of_letters_and_a_hyphen(visit: Visit) -> None:
    page = visit(width=375).page()
    _loaded(page, "/privacy")
    words = page.locator("main span.whitespace-nowrap", has_text="e-mail")
    expect(words.first).to_be_visible()
    assert all(word.evaluate("e => e.getClientRects().length") == 1 for word in words.all())
