"""What every page of a flow has in common: reach, size, language, leaving, ended sessions (design: F33 to F48)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import assert_accessible
from tests.support.flows import SEND, FlowCase, Walking

_HIDDEN = """() => {
    const box = document.activeElement.getBoundingClientRect();
    if (!box.width || document.activeElement === document.body) return 9;
    let seen = 0;
    for (const x of [0.1, 0.5, 0.9]) for (const y of [0.1, 0.5, 0.9]) {
        const at = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
        if (at && (document.activeElement.contains(at) || at.contains(document.activeElement))) seen += 1;
    }
    return seen;
}"""


@pytest.mark.parametrize("window", ["nl-1280", "en-375", "nl-320"])
def test_f42_f45_every_page_is_accessible_and_fits(walk: Walking, case: FlowCase, window: str) -> None:
    language, width = window.split("-")
    walking = walk(language=language, width=int(width))
    page = walking.page

    def check() -> None:
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    walking.open("")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    check()
    walking.start()
    for step in case.steps:
        walking.at(step)
        check()
        walking.fill(case.wrong[step.slug])
        walking.next()
        expect(page.locator("[aria-labelledby=error-summary]")).to_be_visible()
        check()
        page.reload()
        walking.at(step)
        walking.fill(case.answers[step.slug])
        check()
        walking.next()
    walking.at(case.flow.check)
    check()
    walking.open("")
    expect(page.get_by_role("link", name=walking.say("Go on with your request"))).to_be_visible()
    check()
    page.goto(case.flow.url(case.flow.check))
    walking.at(case.flow.check)
    walking.next()
    expect(page).to_have_url(re.compile(re.escape(case.flow.confirmation)))
    expect(page.locator("main p.text-h2")).to_be_visible()
    check()
    walking.open(case.steps[0])
    expect(page.locator("h1")).to_have_text(walking.say("This request has already been sent"))
    check()


def test_a_flow_is_done_with_the_keyboard_alone(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page

    def reach(selector: str) -> None:
        for _ in range(80):
            if page.evaluate("s => document.activeElement?.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with the keyboard")

    walking.open("")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    reach("main button.btn-primary")
    page.keyboard.press("Enter")
    for step in case.steps:
        walking.at(step)
        for name, value in case.answers[step.slug].items():
            kind = page.locator(f'[name="{name}"]').first.get_attribute("type")
            for one in [value] if isinstance(value, str) else value:
                if kind in {"radio", "checkbox"}:
                    reach(f'[name="{name}"]' + ("" if one == "*" or kind == "radio" else f'[value="{one}"]'))
                    page.keyboard.press("Space")
                    while one != "*" and not page.evaluate("v => document.activeElement.value === v", one):
                        page.keyboard.press("ArrowDown")
                else:
                    reach(f'[name="{name}"]')
                    page.keyboard.type(one)
        reach(SEND)
        page.keyboard.press("Enter")
    walking.at(case.flow.check)
    reach(SEND)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(case.flow.confirmation)))


def test_f33_the_road_ahead_stands_on_the_first_page(walk: Walking) -> None:
    walking = walk()
    walking.open("")
    road = walking.page.locator("main ol").first
    expect(road.locator("li")).not_to_have_count(0)
    expect(road.locator("[aria-current=step]")).to_have_count(1)
    walking.start()
    expect(walking.page.locator("main ol")).to_have_count(0)


def test_f36_a_step_changes_within_four_tenths_of_a_second(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in case.steps:
        walking.at(step)
        walking.fill(case.answers[step.slug])
        page.evaluate(
            """() => {
                const before = document.querySelector('h1');
                window.changed = new Promise(done => {
                    document.querySelector('main form').addEventListener('submit', () => {
                        const pressed = performance.now();
                        new MutationObserver((_, watcher) => {
                            const now = document.querySelector('h1');
                            if (!now || now.textContent === before.textContent) return;
                            watcher.disconnect();
                            requestAnimationFrame(() => done(performance.now() - pressed));
                        }).observe(document.body, {childList: true, subtree: true, characterData: true});
                    }, true);
                });
            }"""
        )
        walking.next()
        assert page.evaluate("window.changed") < 400


def test_f43_the_bar_never_hides_what_has_the_focus(walk: Walking, case: FlowCase) -> None:
    walking = walk(width=375)
    page = walking.page
    page.set_viewport_size({"width": 375, "height": 667})
    walking.start()
    for step in case.steps:
        walking.at(step)
        walking.fill(case.answers[step.slug])
        for key in ("Tab", "Shift+Tab"):
            for _ in range(30):
                page.keyboard.press(key)
                assert page.evaluate(_HIDDEN) >= 1, page.evaluate("document.activeElement.outerHTML")
        walking.next()


def test_f44_the_button_stays_in_reach_on_a_small_screen(walk: Walking, case: FlowCase) -> None:
    walking = walk(width=375)
    page = walking.page
    page.set_viewport_size({"width": 375, "height": 667})
    walking.start()
    for step in case.steps:
        walking.at(step)
        expect(walking.button).to_be_in_viewport(ratio=1)
        box = walking.button.bounding_box()
        assert box
        assert box["height"] >= 48
        assert box["width"] >= 300
        walking.answer(step.slug)


def test_the_next_step_is_loaded_before_it_is_asked_for(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in case.steps[1:]:
        walking.page.wait_for_load_state("networkidle")
        loaded = _scripts(page)
        assert any(step.slug in name for name in loaded), f"{step.slug} is not there yet"
        walking.answer(case.steps[case.steps.index(step) - 1].slug)
        walking.at(step)


def _scripts(page: Page) -> list[str]:
    return page.evaluate("() => performance.getEntriesByType('resource').map(entry => entry.name)")
