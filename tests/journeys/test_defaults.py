"""Next alone accepts what is chosen beforehand; where something is missing, its field is in view."""

from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.support.browser import HEIGHTS
from tests.support.flows import AFTERCARE, CASES, RETURNS
from tests.support.walks import Walk, Walking

EVERY = [*CASES, *RETURNS, *AFTERCARE]

_REFUSED = """() => [...document.querySelectorAll('main form:not([role=search]) [id$="-error"]')]
    .filter(error => error.offsetParent).map(error => error.id.replace(/-error$/, ''))"""

_CHOSEN = """() => [...document.querySelectorAll('main form:not([role=search]) [type=radio]:checked')]
    .filter(control => control.offsetParent).map(control => control.name)"""


def _press(walking: Walk, address: str) -> list[str]:
    """Press Next; the fields that were refused, none if the next step is shown."""
    walking.next()
    walking.page.wait_for_function(
        f"address => location.pathname !== address || ({_REFUSED})().length", arg=address, timeout=15_000
    )
    return [] if walking.page.evaluate("location.pathname") != address else walking.page.evaluate(_REFUSED)


# Each flow on one screen, by turns.
@pytest.mark.parametrize(("case", "width"), list(zip(EVERY, cycle(HEIGHTS), strict=False)), ids=str)
def test_next_alone_accepts_what_is_chosen_beforehand(walk: Walking, width: int) -> None:
    walking = walk(width=width)
    page, accepted = walking.page, set[str]()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        if step.name in {"location", "method"}:  # both are looked up after the step is shown
            expect(page.locator("main form:not([role=search]) [type=radio]:checked").first).to_be_visible()
        chosen = page.evaluate(_CHOSEN)
        refused = _press(walking, walking.flow.url(step))
        if not refused:
            accepted |= {*chosen}
            continue
        # What is chosen beforehand is complete: only what has to be typed may be missing beside it, such as a number.
        typed = page.locator(f"[name={refused[0]}]").first.get_attribute("type") in {"tel", "text"}
        assert typed or not chosen, (step.name, refused)
        expect(page.locator(f"[id='{refused[0]}-error']")).to_be_in_viewport()
        # The input of a file is there for screen readers only; its button is in view with the error.
        field = page.locator(f"[name={refused[0]}]:visible:not([type=file]), #{refused[0]}:visible:not([type=file])")
        if field.count():
            expect(field.first).to_be_in_viewport()
        walking.answer(step.name)
    walking.at(walking.flow.check_step)
    expected = {"location", "handover", "method", "store"} & {field.name for field in walking.flow.fields}
    expected &= {field.name for field in walking.flow.fields if field.proposed.__name__ != "unknown"} | {"location"}
    assert accepted >= expected
