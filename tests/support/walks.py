"""A customer who walks through a flow in a browser."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect

from portal.flow import Step
from portal.kernel.texts import catalogue
from tests.support.browser import Visitor
from tests.support.files import film, jpg
from tests.support.flows import FILES, FIRST, PHOTOS, FlowCase, Values
from tests.support.stored import begin_again, begun

UPLOADED: tuple[FilePayload, ...] = (
    {"name": "schade voor.jpg", "mimeType": "image/jpeg", "buffer": jpg()},
    {"name": "geluid.mp4", "mimeType": "video/mp4", "buffer": film()},
)

UPLOAD = 60_000
"""Milliseconds to wait until files are uploaded and checked."""

_STATES = "rows => rows.map(row => `${row.dataset.state}: ${row.innerText}`)"

_CHOSEN = {FILES: UPLOADED, PHOTOS: UPLOADED[:1]}

_OF_A_PART = {"What condition is your bike in?": "What condition is your part in?"}
"""Titles of steps that name the item."""

SEND = "main form:not([role=search]) button[type=submit]"
"""Selector of the submit button of a step. A search form in the step has its own button."""

_BEGINS = re.compile("^(Start|Een andere fiets|Another bike|Een ander artikel|Another item)$")
"""Texts of the button that begins with the first question: what the page lists has buttons of its own."""


def begin_button(page: Page) -> Locator:
    """The button on the first page of a flow that begins with the first question."""
    return page.get_by_role("main").get_by_role("button", name=_BEGINS)


_VALUES = """names => Object.fromEntries(names.map(name => {
    const all = [...document.querySelectorAll(`[name="${name}"]`)];
    if (all[0]?.type === 'file')
        return [name, [...document.querySelectorAll('main li[data-state=done]')].map(row => row.innerText)];
    const isChoice = one => ['radio', 'checkbox'].includes(one.type);
    const choice = all[0] && (all.length > 1 || isChoice(all[0]));
    const chosen = one => isChoice(one) ? one.checked : one.selectedIndex > 0;
    return [name, choice ? all.filter(chosen).map(one => one.value) : all[0]?.value];
}))"""


class Walk:
    """A customer in one tab of one flow."""

    def __init__(self, visitor: Visitor, case: FlowCase, page: Page | None = None) -> None:
        self.visitor = visitor
        self.case = case
        self.flow = case.flow
        self.page = page or visitor.page()

    def say(self, text: str) -> str:
        """A text in the language of the visitor."""
        return catalogue("en" if self.visitor.language == "en" else "nl").gettext(text)

    @property
    def button(self):
        """The button that continues or sends."""
        return self.page.locator(SEND)

    def _step(self, step: Step | str) -> Step:
        found = step if isinstance(step, Step) else self.flow.step(step)
        assert found, f"{self.flow.name} has no step {step}"
        return found

    def open(self, step: Step | str, query: str = "") -> None:
        """Open the page of a step, given the step or its name."""
        self.page.goto(self.flow.url(self._step(step)) + query)

    def start(self) -> None:
        """Go from the first page to the first step."""
        self.open(self.flow.intro_step)
        begin_button(self.page).click()
        self.at(self.case.steps[0])

    def at(self, step: Step | str) -> None:
        """Wait until a step is shown."""
        found = self._step(step)
        expect(self.page).to_have_url(re.compile(re.escape(self.flow.url(found)) + r"(\?.*)?$"))
        titles = (found.title, _OF_A_PART.get(found.title, found.title))
        expect(self.page.locator("h1")).to_have_text(
            re.compile("|".join(f"^{re.escape(self.say(each))}$" for each in titles))
        )
        if found.fields:
            controls = ", ".join(f'[name="{field.name}"]' for field in found.fields)
            expect(self.page.locator(controls).first).to_be_attached()

    def fill(self, values: Values) -> None:
        """Enter values according to the type of each field."""
        for name, value in values.items():
            controls = self.page.locator(f'[name="{name}"]')
            if not isinstance(value, str) and (value := self._counted(name, value)) == []:
                continue
            if controls.first.evaluate("e => e.tagName") == "SELECT":
                controls.select_option(str(value))
                continue
            kind = controls.first.get_attribute("type")
            if kind == "file":
                files = _CHOSEN[str(value)]
                rows = self.page.locator("main li[data-state=done]")
                if not rows.count():
                    controls.first.set_input_files(list(files))
                try:
                    expect(rows).to_have_count(len(files), timeout=UPLOAD)
                except AssertionError as late:
                    seen = self.page.locator("main li[data-state]").evaluate_all(_STATES)
                    raise AssertionError(f"not all files were taken: {seen}") from late
            elif kind in {"radio", "checkbox"} or not isinstance(value, str):
                for chosen in [value] if isinstance(value, str) else value:
                    one = controls.first if chosen == FIRST else controls.and_(self.page.locator(f'[value="{chosen}"]'))
                    one.check()
            else:
                controls.fill(str(value))

    def take_back(self, values: Values) -> None:
        """Clear the boxes that were chosen, which are chosen again after a reload."""
        for name, value in values.items():
            for chosen in () if isinstance(value, str) else value:
                box = self.page.locator(f'[name="{name}"][value="{chosen}"]')
                expect(box).to_be_checked()
                box.uncheck()

    def _counted(self, name: str, values: Sequence[str]) -> list[str]:
        """Choose how many of each item, where a list asks for the number; what is left to do."""
        left = []
        for value in values:
            one = self.page.locator(f'select[name="{name}"]', has=self.page.locator(f'option[value="{value}"]'))
            if one.count():
                one.select_option(value)
            else:
                left.append(value)
        return left

    def values(self, *names: str) -> dict[str, object]:
        """The values in the fields."""
        return self.page.evaluate(_VALUES, list(names))

    def filled(self, *names: str) -> dict[str, Any]:
        """What stands in the fields, once something stands in each: lists and files are looked up after the page."""
        every = f"names => Object.values(({_VALUES})(names)).every(value => value?.length)"
        self.page.wait_for_function(every, arg=list(names))
        return self.values(*names)

    def next(self) -> None:
        """Press the button."""
        self.button.click()

    def answer(self, name: str, values: Values | None = None) -> None:
        """Fill in a step with the values of the case or others, and continue."""
        self.at(name)
        self.fill(self.case.answers[name] if values is None else values)
        self.next()

    def until(self, name: str) -> None:
        """Go from the first page to this step."""
        self.start()
        for step in self.case.steps:
            if step.name == name:
                break
            self.answer(step.name)
        self.at(name)

    def stand_at(self, name: str) -> None:
        """Be at a step with everything before it answered: the way is walked once, and put back from then on."""
        server, place = self.visitor.server, (*self.visitor.customer, self.flow.name, name)
        if place in server.walked:
            begin_again(server, server.walked[place])
            self.open(name)
            self.at(name)
        else:
            self.until(name)
            server.walked[place] = begun(server)

    def to_check(self) -> None:
        """Go from the first page to the check page."""
        self.until(self.flow.check_step.name)


Walking = Callable[..., Walk]
"""Begins a walk: `walk(language="en", width=375, customer=…)`."""
