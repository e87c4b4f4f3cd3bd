"""A customer who uses the keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from portal.flow import Step
from tests.support.flows import FIRST
from tests.support.walks import SEND, Walk, begin_button

_FOCUSED = "s => document.activeElement?.matches(s)"


def by_keyboard(walking: Walk) -> None:
    """Go from the first page of a flow to the page after sending."""
    page, case = walking.page, walking.case
    walking.open("intro")
    expect(begin_button(page)).to_be_visible()
    _reach(walking, "main form:not(li form) button[type=submit]")
    page.keyboard.press("Enter")
    for step in case.steps:
        walking.at(step)
        _answer(walking, step)
        _reach(walking, SEND)
        page.keyboard.press("Enter")
    walking.at(case.flow.check_step)
    _reach(walking, SEND)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(case.flow.confirmation)))


def _reach(walking: Walk, selector: str) -> None:
    for _ in range(80):
        if walking.page.evaluate(_FOCUSED, selector):
            return
        walking.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with the keyboard")


def _answer(walking: Walk, step: Step) -> None:
    for name, value in walking.case.answers[step.name].items():
        kind = walking.page.locator(f'[name="{name}"]').first.get_attribute("type")
        if kind == "file":
            walking.fill({name: value})
            continue
        for one in [value] if isinstance(value, str) else value:
            _give(walking, name, one)


def _give(walking: Walk, name: str, one: str) -> None:
    page = walking.page
    chosen = f'[name="{name}"]' + ("" if one == FIRST else f'[value="{one}"]')
    if page.locator(f'select[name="{name}"] option[value="{one}"]').count():
        listed = f'select[name="{name}"]:has(option[value="{one}"])'
        _reach(walking, listed)
        for _ in range(20):
            if page.locator(listed).input_value() == one:
                return
            page.keyboard.press("ArrowDown")
        raise AssertionError(f"{one} cannot be chosen with the keyboard")
    kind = page.locator(chosen).first.get_attribute("type") if page.locator(chosen).count() else None
    if kind == "radio":
        # One stop for the whole group; the arrows choose within it.
        _reach(walking, f'[name="{name}"]')
        page.keyboard.press("Space")
        while not page.evaluate("s => document.activeElement.matches(s)", chosen):
            page.keyboard.press("ArrowDown")
    elif kind == "checkbox":
        _reach(walking, chosen)
        page.keyboard.press("Space")
    else:
        _reach(walking, f'[name="{name}"]')
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(one)
