"""The standard of every flow (flow-standard F1-F11): what the same pages do in all of them, seen in one."""

import re

import pytest
from playwright.sync_api import expect

from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE
from tests.support.flows import TEXT
from tests.support.walks import Walking

_HEADINGS_SEEN = """(() => {
    window.headings = [];
    new MutationObserver(() => {
        for (const heading of document.querySelectorAll('h1'))
            if (window.headings.at(-1) !== heading.textContent) window.headings.push(heading.textContent);
    }).observe(document, {childList: true, subtree: true, characterData: true});
})()"""

_LATE_FRAMES = """(() => {
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = then => setTimeout(() => frame(then), 500);
})()"""


def test_f3_the_focus_goes_to_the_heading_or_the_summary_and_is_left_alone_by_a_reload(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    heading = page.locator("h1")
    walking.start()
    first, second = walking.case.steps[:2]
    expect(heading).to_be_focused()
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    page.go_back()
    walking.at(walking.flow.intro_step)
    page.go_forward()
    walking.at(first)
    expect(page).not_to_have_title(re.compile("^Fout: "))
    walking.answer(first.name)
    walking.at(second)
    expect(heading).to_be_focused()
    assert page.evaluate("window.scrollY") == 0
    page.get_by_role("link", name=walking.say("Previous step")).click()
    walking.at(first)
    expect(heading).to_be_focused()
    page.go_back()
    walking.at(second)
    expect(heading).to_be_focused()
    page.go_forward()
    walking.at(first)
    expect(heading).to_be_focused()
    page.reload()
    walking.at(first)
    assert page.evaluate("document.activeElement === document.body")


def test_f3_whoever_types_before_the_next_frame_keeps_the_focus(walk: Walking) -> None:
    walking = walk()
    walking.page.add_init_script(_LATE_FRAMES)
    walking.stand_at(MAINTENANCE.name)
    walking.page.get_by_role("link", name=walking.say("Previous step")).click()
    walking.at(DAMAGE)
    field = walking.page.locator("[name=details_chain]")
    field.fill("")
    field.press_sequentially(TEXT[:12], delay=60)
    expect(field).to_have_value(TEXT[:12])
    expect(field).to_be_focused()


def test_f4_back_and_forward_show_every_step_as_it_was_left(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    before = page.evaluate("history.length")
    for step in walking.case.steps:
        walking.at(step)
        walking.fill(walking.case.answers[step.name])
        walking.next()
    walking.at(walking.flow.check_step)
    assert page.evaluate("history.length") == before + len(walking.case.steps)
    for step in reversed(walking.case.steps):
        page.go_back()
        walking.at(step)
        answers = walking.case.answers[step.name]
        found = walking.filled(*answers)
        for name, value in answers.items():
            if isinstance(value, list):
                assert found[name] == value
    for step in [*walking.case.steps[1:], walking.flow.check_step]:
        page.go_forward()
        walking.at(step)


@pytest.mark.parametrize("answered", [0, 1])
def test_f6_a_step_too_early_leads_to_the_first_open_one_without_being_seen(walk: Walking, answered: int) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in walking.case.steps[:answered]:
        walking.answer(step.name)
    expected = walking.case.steps[answered]
    walking.at(expected)
    page.add_init_script(_HEADINGS_SEEN)
    for target in (walking.case.steps[answered + 1], walking.flow.check_step):
        length = page.evaluate("history.length")
        walking.open(target)
        walking.at(expected)
        assert walking.say(target.title) not in page.evaluate("window.headings")
        assert page.evaluate("history.length") <= length + 1


def test_f6_f7_without_a_draft_steps_lead_to_the_beginning_and_the_confirmation_explains_itself(walk: Walking) -> None:
    walking = walk()
    walking.page.add_init_script(_HEADINGS_SEEN)
    for step in (walking.case.steps[0], walking.flow.check_step):
        walking.open(step)
        walking.at(walking.flow.intro_step)
        assert walking.say(step.title) not in walking.page.evaluate("window.headings")
    walking.page.goto(walking.flow.confirmation)
    expect(walking.page.locator("h1")).to_have_text(walking.say("No request has been sent"))
    expect(walking.page).to_have_title(f"{walking.say('No request has been sent')} – Bovenbuis")
    expect(walking.page.locator("main a").first).to_have_attribute("href", walking.flow.path)
