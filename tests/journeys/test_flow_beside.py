"""The column beside the steps of a flow: nothing of it is cut, however low the screen."""

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.journeys.conftest import Walking

pytestmark = [pytest.mark.timeout(400), pytest.mark.each_flow]

SIZES = ((1366, 650), (1440, 900), (1920, 950))

_END = """height => {
    const aside = document.querySelector('main aside');
    window.scrollBy(0, Math.max(0, aside.getBoundingClientRect().bottom - height));
    return Math.floor(aside.getBoundingClientRect().bottom);
}"""
"""The end of the column on the screen, once the page is scrolled as far as the column is longer than the screen."""

_MEASURED = """() => {
    const aside = document.querySelector('main aside');
    if (!aside || !aside.offsetParent) return null;
    const inner = [aside, ...aside.querySelectorAll('*')].filter(part =>
        ['auto', 'scroll'].includes(getComputedStyle(part).overflowY) && part.scrollHeight > part.clientHeight + 1);
    const bottom = aside.getBoundingClientRect().bottom + window.scrollY;
    const rows = [...aside.querySelectorAll('dl > div')].map(row => row.getBoundingClientRect().height);
    return {
        scrolls: inner.length,
        below: Math.round(bottom - document.documentElement.scrollHeight),
        bottom: Math.round(bottom),
        row: Math.max(0, ...rows),
        first: aside.querySelector('h2')?.textContent,
    };
}"""


def _measure(page: Page, width: int, height: int) -> dict[str, object] | None:
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.evaluate("window.scrollTo(0, 0)")
    return page.evaluate(_MEASURED)


def test_the_column_beside_the_last_steps_is_never_cut(walk: Walking) -> None:
    walking = walk()
    walking.until(walking.case.steps[-1].name)
    seen = 0
    for place in ("step", "check"):
        if place == "check":
            walking.answer(walking.case.steps[-1].name)
            walking.at(walking.flow.check_step)
        for width, height in SIZES:
            found = _measure(walking.page, width, height)
            if found is None:
                continue  # The step takes the whole width.
            seen += 1
            assert found["scrolls"] == 0, found
            assert walking.page.evaluate(_END, height) <= height, found
            assert int(str(found["below"])) <= 0, found
            assert found["first"] == walking.say("Need help?"), found
            assert float(str(found["row"])) < 50, "an answer takes one line"
            if height >= 900:
                assert int(str(found["bottom"])) <= height, (place, width, found)
    assert seen, "one of them has the column"
