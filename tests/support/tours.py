"""A tour: one walk through a flow that records what many tests check, so that each test needs no walk of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as Expired

from portal.flow import Step
from tests.support.browser import assert_accessible
from tests.support.flows import FIRST
from tests.support.walks import SEND, Walk, begin_button

SMALL: ViewportSize = {"width": 375, "height": 667}
BAR = 768
"""Below this width the button stays at the bottom of the screen."""

NARROWEST, WIDE = 320, 1280

_HEIGHT = "document.documentElement.scrollHeight"
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

_TIMED = """() => {
    const before = document.querySelector('h1');
    const form = document.querySelector('main form:not([role=search])');
    window.changed = 0;
    form.addEventListener('submit', () => {
        const pressed = performance.now();
        new MutationObserver((_, watcher) => {
            const now = document.querySelector('h1');
            if (!now || now.textContent === before.textContent) return;
            watcher.disconnect();
            requestAnimationFrame(() => { window.changed = performance.now() - pressed; });
        }).observe(document.body, {childList: true, subtree: true, characterData: true});
    }, true);
}"""

_LOADED = "address => performance.getEntriesByType('resource').some(entry => entry.name.includes(address))"

_NOTHING_CHOSEN = """() => {
    const chosen = document.querySelectorAll('main form:not([role=search]) input:checked');
    for (const choice of chosen) choice.checked = false;
}"""
"""What is filled in beforehand is taken back, which only a form without it can do."""

_STOPS = """() => {
    const groups = new Set();
    return [...document.querySelectorAll('main :is(a, button, input, textarea, select)')].filter(e => {
        if (!e.checkVisibility() || e.type === 'hidden') return false;
        if (e.type !== 'radio') return true;
        const another = !groups.has(e.name);
        groups.add(e.name);
        return another;
    }).length;
}"""
"""How often the keyboard stops between the heading and the end."""

_WATCH_FOCUS = """() => {
    const hidden = [], reached = new Set();
    const look = () => {
        // A field for files is seen by the place where files are dropped.
        const active = document.activeElement;
        const focused = active.type === 'file' ? active.parentElement : active;
        const box = focused.getBoundingClientRect();
        if (!box.width || focused === document.body) return;
        reached.add(focused);
        for (const x of [0.1, 0.5, 0.9]) for (const y of [0.1, 0.5, 0.9]) {
            const at = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
            if (at && (focused.contains(at) || at.contains(focused))) return;
        }
        hidden.push(focused.outerHTML);
    };
    // The key goes up when the focus has moved and the page has scrolled to it.
    document.addEventListener('keyup', look);
    window.focusSeen = () => {
        document.removeEventListener('keyup', look);
        return [hidden, reached.size];
    };
}"""

_LINK = """link => {
    link.click();
    const focused = document.activeElement;
    const label = focused.closest("label") ?? focused.labels?.[0] ?? focused;
    const box = label.getBoundingClientRect();
    // Without scripts the link leads to the error beside the field.
    return [link.hash.slice(1).replace(/-error$/, ''), focused.name, box.bottom > 0 && box.top < innerHeight];
}"""


@dataclass
class Stop:
    """The observations at one step.

    Attributes:
        step: name of the step.
        arrived: the page as it came; wrong: after a refusal; reloaded: after that, loaded anew.
        tabbed: errors shown before Next was pressed.
        kept: whether all values stayed after a refusal.
        links: what each link of the summary named, where it put the focus, and whether its label was in sight.
        arrowed: whether the keyboard chose the second of several radios; none when there are not several.
        stayed: whether choosing and typing led nowhere.
        button: the button that continues, on a small screen.
        empty: share of the main area of a wide screen that holds nothing.
        hidden: elements that had the focus on a small screen but were not visible.
        ahead: whether the scripts of the next page were loaded before it was requested.
        milliseconds: time from pressing Next until the next step was painted.
        loading: how long the page of the question took to load anew, in milliseconds.
    """

    step: Step
    arrived: dict[str, Any] = field(default_factory=dict)
    wrong: dict[str, Any] = field(default_factory=dict)
    reloaded: dict[str, Any] = field(default_factory=dict)
    tabbed: list[str] = field(default_factory=list)
    kept: bool = False
    links: list[tuple[str, str, bool]] = field(default_factory=list)
    arrowed: bool | None = None
    stayed: bool = False
    button: dict[str, Any] = field(default_factory=dict)
    empty: float = 1
    hidden: list[str] = field(default_factory=list)
    ahead: bool = True
    milliseconds: float = 0
    loading: float = 0


@dataclass
class Tour:
    """The observations of a whole walk.

    Attributes:
        walk: the customer; their window is closed.
        intro, check, confirmation: these pages.
        check_empty: share of the page to check on a wide screen that holds nothing.
        stops: the questions, in order.
        problems: violations found by axe, and pages that are wider than the screen.
        pictures: bytes of the pictures in the first screen, by page.
    """

    walk: Walk
    intro: dict[str, Any] = field(default_factory=dict)
    check: dict[str, Any] = field(default_factory=dict)
    confirmation: dict[str, Any] = field(default_factory=dict)
    stops: list[Stop] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    pictures: dict[str, int] = field(default_factory=dict)
    check_empty: float = 1

    def half_empty(self) -> dict[str, float]:
        """The questions, and the page to check, of which more than a third holds nothing on a wide screen."""
        assert self.stops
        seen = {**{stop.step.name: stop.empty for stop in self.stops}, "check": self.check_empty}
        return {name: round(empty, 2) for name, empty in seen.items() if empty > A_THIRD}

    def heavy(self) -> dict[str, int]:
        """The pages with too many bytes of pictures in their first screen."""
        assert any(self.pictures.values())
        return {name: size for name, size in self.pictures.items() if size > MAX_BYTES}

    def take(self) -> Tour:
        """Walk from the first page to the page after sending, and record every page."""
        walk, page, case = self.walk, self.walk.page, self.walk.case
        walk.open("intro")
        expect(begin_button(page)).to_be_visible()
        self.intro = self.look("intro")
        walk.start()
        for place, step in enumerate(case.steps):
            walk.at(step)
            following = case.steps[place + 1] if place + 1 < len(case.steps) else case.flow.check_step
            self.stops.append(self._stop(Stop(step), following))
        walk.at(case.flow.check_step)
        self.check = self.look("check")
        self.check_empty = emptiest(page)
        walk.open("intro")
        expect(page.get_by_role("link", name=walk.say("Carry on with your request"))).to_be_visible()
        self.inspect("intro with a draft")
        walk.open(case.flow.check_step)
        walk.at(case.flow.check_step)
        walk.next()
        expect(page.locator("main p.text-h2")).to_be_visible()
        self.confirmation = self.look("confirmation")
        walk.open(case.steps[0])
        expect(page.locator("h1")).to_have_text(walk.say("This request has already been sent"))
        self.inspect("already sent")
        return self

    def look(self, name: str, *, axe_at: int = 0) -> dict[str, Any]:
        """Inspect the page, and read it.

        Args:
            name: of the page, for what is wrong with it.
            axe_at: width of the screen at which axe looks; by default that of the window.
        """
        self.inspect(name, axe_at=axe_at)
        return self._read()

    def inspect(self, name: str, *, axe_at: int = 0) -> None:
        """Let axe look, and see whether the page fits this screen, that of axe and the narrowest one.

        Axe looks at a small screen on the narrowest one as well (`assert_accessible`).
        """
        page = self.walk.page
        seen_at = page.viewport_size
        assert seen_at
        width = axe_at or seen_at["width"]
        if width != seen_at["width"]:
            self._fits(name, seen_at["width"])
            page.set_viewport_size({"width": width, "height": seen_at["height"]})
        if width < BAR:
            # Whole, as somebody sees it who scrolls: what the bar covers now is no fault (flow-standard F43).
            page.set_viewport_size({"width": width, "height": page.evaluate(_HEIGHT)})
        else:
            page.evaluate("() => window.scrollTo(0, 0)")  # Nor is what the header covers after a field was reached.
        try:
            assert_accessible(page)
        except AssertionError as found:
            self.problems.append(f"{name} at {width} px: {found}")
        self._fits(name, width)
        if width >= BAR:
            page.set_viewport_size({"width": NARROWEST, "height": seen_at["height"]})
            self._fits(name, NARROWEST)
        page.set_viewport_size(seen_at)
        self.pictures[name] = page.evaluate(PICTURES)["bytes"]

    def _read(self) -> dict[str, Any]:
        return self.walk.page.evaluate(LOOK, self.walk.say("Previous step"))

    def _fits(self, name: str, width: int) -> None:
        if (overflow := self.walk.page.evaluate(_OVERFLOW)) > 0:
            self.problems.append(f"{name} at {width} px: {overflow} px too wide")

    @contextmanager
    def _on(self, screen: ViewportSize) -> Iterator[None]:
        """Show the page on another screen."""
        page = self.walk.page
        before = page.viewport_size
        assert before
        if screen == before:
            yield
            return
        page.set_viewport_size(screen)
        yield
        page.set_viewport_size(before)

    def _stop(self, stop: Stop, following: Step) -> Stop:
        walk, page, step = self.walk, self.walk.page, stop.step
        names = [entry.name for entry in step.fields]
        # Axe sees the page as it came on the other screen, and refused and filled in, with more on it, on this one.
        stop.arrived = self.look(f"{step.name} as it came", axe_at=WIDE if walk.visitor.width < BAR else SMALL["width"])
        stop.empty = emptiest(page)
        with self._on(SMALL):
            stop.button = self._read()["button"]
        if not walk.case.wrong[step.name]:
            page.evaluate(_NOTHING_CHOSEN)
        walk.fill(walk.case.wrong[step.name])
        page.keyboard.press("Tab")
        stop.tabbed = page.evaluate(LOOK, "")["inline"]
        before = walk.values(*names)
        walk.next()
        summary = page.locator("[aria-labelledby=error-summary]")
        expect(summary).to_be_focused()
        stop.wrong = self.look(f"{step.name} refused")
        stop.kept = walk.values(*names) == before
        stop.links = [tuple(link.evaluate(_LINK)) for link in summary.get_by_role("link").all()]
        page.reload()
        walk.at(step)
        stop.loading = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        stop.reloaded = page.evaluate(LOOK, walk.say("Previous step"))
        walk.take_back(walk.case.wrong[step.name])
        stop.arrowed = self._choose()
        url = page.url
        walk.fill(walk.case.answers[step.name])
        self.inspect(f"{step.name} filled in")
        stop.stayed = page.url == url
        with self._on(SMALL):
            stop.hidden = self._reach()
        try:
            page.wait_for_function(_LOADED, arg=walk.flow.address(following), timeout=20_000)
        except Expired:
            stop.ahead = False
        page.evaluate(_TIMED)
        walk.next()
        stop.milliseconds = page.wait_for_function("() => window.changed").json_value()
        return stop

    def _choose(self) -> bool | None:
        """Choose the second of several radios with the keyboard; whether it is chosen."""
        page = self.walk.page
        radios = page.get_by_role("radio")
        if radios.count() > 1:
            # What the first one reveals may hold further groups.
            radios = page.locator(f'[name="{radios.first.get_attribute("name")}"]')
        if radios.count() < 2:
            return None
        radios.first.focus()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        return radios.nth(1).is_checked()

    def _reach(self) -> list[str]:
        """Move the focus through the page with the keyboard, forwards and backwards."""
        page = self.walk.page
        page.locator("h1").focus()
        count = page.evaluate(_STOPS) + 2
        page.evaluate(_WATCH_FOCUS)
        for key in ("Tab", "Shift+Tab"):
            for _ in range(count):
                page.keyboard.press(key)
        hidden, reached = page.evaluate("() => window.focusSeen()")
        assert reached > 1, "the keyboard reached nothing"
        return hidden


Touring = Callable[..., Tour]
"""The tour of a flow in its window (`TOURED`), or in another one: `tour("en-1280")`; taken once in a test process."""

LOOK = """back => {
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const headings = all('h1');
    const button = document.querySelector('main form:not([role=search]) button[type=submit]');
    const box = button?.getBoundingClientRect();
    const summary = document.querySelector('[aria-labelledby=error-summary]');
    const bordered = control => control.type === 'file' ? control.parentElement : control;
    const errors = all('main form [id$="-error"]');
    return {
        title: document.title,
        headings: headings.map(heading => heading.innerText),
        counter: document.querySelector('hgroup p')?.innerText ?? '',
        back: all('nav a').find(link => link.textContent.includes(back))?.getAttribute('href') ?? '',
        checked: all('main form input:checked').length,
        unnamed: all('main form fieldset').filter(e => !e.querySelector('legend') && !e.ariaLabelledByElements?.length
            && !e.getAttribute('aria-labelledby')).length,
        controls: Object.fromEntries(all('main form [name]').map(e => [e.name, {
            type: e.type, inputmode: e.getAttribute('inputmode'), autocomplete: e.getAttribute('autocomplete')}])),
        button: box && {text: button.innerText, disabled: button.disabled,
            ariaDisabled: button.getAttribute('aria-disabled'),
            height: box.height, width: box.width, seen: box.top >= 0 && box.bottom <= innerHeight + 1},
        invalid: all('main [aria-invalid=true]').length,
        trackers: all('main ol').map(list => [all('li', list).length, all('[aria-current=step]', list).length]),
        marked: all('main ol:not(.tracker) [aria-current]').length,
        tracker_count: all('main .tracker').length,
        help: all('footer a').map(link => link.protocol + link.pathname).concat(
            document.querySelector('main').compareDocumentPosition(document.querySelector('footer'))),
        rows: all('main dl > div').length,
        beside: document.querySelector('main aside') && {
            changes: [...new Set(all('main aside dl a').map(link => link.getAttribute('href')))],
            calls: all('main aside a[href^="tel:"]').length},
        text: document.querySelector('main').innerText,
        summary: summary && {
            focused: document.activeElement === summary,
            heading: summary.querySelector('h2')?.innerText,
            alerts: all('[role=alert], [aria-live=assertive]').filter(e => e.innerText.trim()).length,
            links: all('a', summary).map(link => link.innerText),
            above: Boolean(summary.compareDocumentPosition(headings[0]) & Node.DOCUMENT_POSITION_FOLLOWING)},
        inline: errors.map(error => error.lastChild.textContent),
        tied: errors.map(error => {
            const control = all(`[aria-describedby~="${error.id}"]`);
            return {text: error.innerText, count: control.length, group: control[0]?.tagName === 'FIELDSET',
                invalid: control[0]?.getAttribute('aria-invalid'),
                border: control[0] && getComputedStyle(bordered(control[0])).borderTopWidth};
        }),
    };
}"""
"""Called with the text of the way back."""

A_THIRD = 1 / 3
"""Largest share of the main area of a question without anything in it."""

_EMPTY = """() => {
    const main = document.querySelector('main').getBoundingClientRect();
    const seen = 'h1, h2, h3, p, li, label, legend, dt, dd, input, textarea, select, button, a, img, [class*=card]';
    // A column that scrolls by itself shows no more than has room in it.
    const shown = e => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        const end = e.closest('aside')?.getBoundingClientRect().bottom ?? bottom;
        return {left, right, top, bottom: Math.min(bottom, end)};
    };
    const blocks = [...document.querySelectorAll(`main :is(${seen})`)]
        .map(shown).filter(box => box.right - box.left > 1 && box.bottom - box.top > 1);
    const [left, top] = [Math.min(...blocks.map(box => box.left)), Math.min(...blocks.map(box => box.top))];
    const right = main.right - (left - main.left);
    const bottom = Math.max(...blocks.map(box => box.bottom));
    // What follows the reader stands beside everything.
    for (const e of document.querySelectorAll('main *')) {
        const box = e.getBoundingClientRect();
        if (getComputedStyle(e).position !== 'sticky' || box.height > innerHeight) continue;
        blocks.push({left: box.left, right: box.right, top: box.top, bottom});
    }
    const near = 16;  // What stands between two lines or two cards is not empty.
    const filled = (x, y) => blocks.some(box =>
        x > box.left - near && x < box.right + near && y > box.top - near && y < box.bottom + near);
    let [empty, points] = [0, 0];
    for (let x = left + 8; x < right; x += 16) for (let y = top + 8; y < bottom; y += 16) {
        points += 1;
        empty += !filled(x, y);
    }
    return empty / points;
}"""
"""The share of the main area that holds nothing: from its first to its last block, and from margin to margin."""

MAX_BYTES = 40_000
"""Bytes of all pictures in the first screen of a page."""

PICTURES = """() => {
    const inScreen = img => img.checkVisibility() && img.getBoundingClientRect().top < innerHeight;
    const shown = [...document.querySelectorAll('img:is(.picture, .thumbnail)')].filter(inScreen);
    const wanted = new Set(shown.map(img => img.currentSrc));
    const sizes = performance.getEntriesByType('resource').filter(entry => wanted.has(entry.name));
    return {
        count: shown.length,
        loaded: shown.every(img => img.complete && img.naturalWidth > 0),
        bytes: sizes.reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    };
}"""
"""How many pictures stand in the first screen, whether they have come, and their bytes."""


_WIDE_SCREENS = (ViewportSize(width=1280, height=800), ViewportSize(width=1280, height=900))


def emptiest(page: Page) -> float:
    """The largest share of the main area that holds nothing, on wide screens. The page keeps its size."""
    before, shares = page.viewport_size, []
    for screen in _WIDE_SCREENS:
        page.set_viewport_size(screen)
        shares.append(page.evaluate(_EMPTY))
    if before:
        page.set_viewport_size(before)
    return max(shares)


def assert_filled(page: Page) -> None:
    """Check that a question leaves at most a third of a wide screen empty. The page keeps its size."""
    share = emptiest(page)
    assert share <= A_THIRD, f"{page.url}: {share:.2f} is empty"


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
