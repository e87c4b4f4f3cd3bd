"""A flow done with the keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.flows import FIRST
from tests.support.walks import SEND, Walk


def do_by_keyboard(walking: Walk) -> None:
    """From the first page to the page after sending, without touching anything else."""
    page, case = walking.page, walking.case

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
                chosen = f'[name="{name}"]' + ("" if one == FIRST else f'[value="{one}"]')
                if kind == "file":
                    walking.fill({name: value})
                elif kind == "radio":
                    # One stop for the whole group; the arrows choose within it.
                    reach(f'[name="{name}"]')
                    page.keyboard.press("Space")
                    while not page.evaluate("s => document.activeElement.matches(s)", chosen):
                        page.keyboard.press("ArrowDown")
                elif kind == "checkbox":
                    reach(chosen)
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
