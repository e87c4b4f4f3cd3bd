"""What a page shows before any script has come, and that neither scripts nor socket draw it again."""

import pytest
from playwright.sync_api import Page, Route, expect

from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE, PHOTOS
from tests.journeys.file_steps import payload
from tests.journeys.login_steps import SANNE
from tests.support.browser import Visit, Visitor
from tests.support.walks import Walk, Walking

ROWS = "main a[href^='/orders/']"
NUMBER = SANNE[0]
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid uit de trapas."

WATCH = """(() => {
    window.changed = [];
    document.addEventListener("DOMContentLoaded", () => {
        const main = document.querySelector("main");
        const links = [...main.querySelectorAll("a")];
        window.drawn = { main, html: main.innerHTML, links };
        window.language = [document.documentElement.lang, getComputedStyle(document.body).visibility];
        new MutationObserver((all) => all.forEach(({ type, target, addedNodes, removedNodes }) =>
            window.changed.push([type, target.nodeName, addedNodes.length, removedNodes.length])))
            .observe(main, { subtree: true, childList: true, characterData: true });
    });
})();"""
"""Notes what stands in the page when its document has come, and everything that is drawn after that."""

KEPT = """() => {
    const main = document.querySelector("main");
    const { drawn } = window;
    return { changed: window.changed, html: main.innerHTML === drawn.html,
        nodes: main === drawn.main && drawn.links.every((link) => link.isConnected) };
}"""

PAGES = [
    "/dashboard",
    "/orders",
    f"/orders/{NUMBER}",
    f"/order-status/{NUMBER}",
    f"/delivery-date/{NUMBER}",
    "/invoices",
    "/bikes",
    "/maintenance",
    "/returns",
    "/contracts",
    "/insurance-package",
    "/repair-request",
    "/service-request/confirmation",
]


LOOKS = """() => [...document.querySelectorAll("body *")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const names = ["display", "position", "color", "background", "font", "letterSpacing", "border", "borderRadius",
        "padding", "margin", "opacity", "visibility", "textDecoration", "boxShadow", "fill", "stroke", "objectFit"];
    return [element.tagName, element.className.baseVal ?? element.className, x, y, width, height,
        ...names.map((name) => `${name} ${style[name]}`)].join(" ");
})"""
"""How every element looks, and where it stands."""


def settled(page: Page, path: str) -> bool:
    """Open a page, and wait until its scripts run and its socket has said everything. Whether it was drawn."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda message: heard.append(str(message))))
    answer = page.goto(path)
    assert answer
    for _ in range(200):
        # The answer to the event that loads the page is the last one.
        if any('view_state_rx_state_":"' in message for message in heard[1:]):
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)
    return "data-drawn" in answer.text()


@pytest.mark.fresh_windows
@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_drawn_page_is_taken_over_as_it_is(visit: Visit, language: str) -> None:
    visitor = visit(language=language)
    visitor.log_in(*SANNE)
    page = visitor.page()
    page.add_init_script(WATCH)
    # That the other language is kept is the same on every page.
    for path in PAGES if language == "nl" else PAGES[:3]:
        assert settled(page, path), path
        assert page.evaluate("window.language") == [language, "visible"]
        assert page.evaluate(KEPT) == {"changed": [], "html": True, "nodes": True}, path


@pytest.mark.fresh_windows
@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_drawn_step_is_taken_over_with_its_draft(walk: Walking, language: str) -> None:
    walking = walk(language=language)
    walking.stand_at(DAMAGE.name)
    step = walking.flow.url(DAMAGE)
    page = walking.visitor.page()
    page.add_init_script(WATCH)
    for _ in range(2):  # in a new tab, and in one that knows the draft
        assert settled(page, step)
        kept = page.evaluate(KEPT)
        assert (kept["changed"], kept["nodes"]) == ([], True)
        expect(page.locator("input[name=draft-id]")).not_to_have_value("")


@pytest.mark.fresh_windows
@pytest.mark.parametrize("width", [375, 1280])
def test_a_drawn_page_looks_the_same_before_its_style_sheet_has_come(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    visitor.log_in(*SANNE)
    visitor.troubles.allow("ERR_FAILED|Failed to fetch")
    page = visitor.page()
    page.route("**/assets/*.js", lambda route: route.abort())
    # The font comes when the browser has it, with or without the sheet.
    page.add_init_script("localStorage.removeItem('font')")
    held: list[Route] = []
    page.route("**/assets/*.css", lambda route: held.append(route))
    styled = [path for path in PAGES if not path.startswith(("/repair", "/service"))]
    for path in styled:
        for _ in range(5):  # a busy machine serves a page as it was built
            held.clear()
            answer = page.goto(path, wait_until="commit")
            assert answer
            if "data-drawn" in answer.text():
                break
        page.wait_for_function("() => document.readyState !== 'loading'")
        before = page.evaluate(LOOKS)
        while held:
            held.pop().continue_()
        page.wait_for_function("() => document.querySelector('head link[rel=stylesheet]').media === 'all'")
        page.wait_for_load_state()
        for first, then in zip(before, page.evaluate(LOOKS), strict=True):
            assert first == then, path


class Scripts:
    """Stands between page and server: the script that starts the page waits until it is let go."""

    def __init__(self, page: Page) -> None:
        self._held: list[Route] = []
        self._open = False
        self._page = page
        page.route("**/assets/entry.client*.js", self._route)

    def _route(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._held.append(route)

    def let_go(self) -> None:
        """Let the script through, and wait until the page is alive."""
        self._open = True
        for route in self._held:
            route.continue_()
        self._page.wait_for_function("() => !window.held")


def early(walking: Walk) -> tuple[Page, Scripts]:
    """The second step of a repair, whose scripts have not come."""
    walking.stand_at(DAMAGE.name)
    page = walking.visitor.page()
    scripts = Scripts(page)
    page.goto(walking.flow.url(DAMAGE), wait_until="commit")
    expect(page.locator("main form")).to_be_visible()
    return page, scripts


@pytest.mark.fresh_windows
def test_what_was_ticked_and_typed_before_the_scripts_counts(walk: Walking) -> None:
    walking = walk()
    page, scripts = early(walking)
    page.locator("input[name=parts][value=chain]").check()
    page.locator("[name=details_chain]").fill(TEXT)
    scripts.let_go()
    expect(page.locator("input[name=parts][value=chain]")).to_be_checked()
    expect(page.locator("[name=details_chain]")).to_have_value(TEXT)
    # It is known to be unsent.
    page.get_by_role("main").get_by_role("link", name=walking.say("To overview")).click()
    expect(page.get_by_role("alertdialog")).to_be_visible()


@pytest.mark.fresh_windows
def test_next_pressed_before_the_scripts_is_answered(walk: Walking) -> None:
    walking = walk()
    page, scripts = early(walking)
    page.locator("main form button[type=submit]").click()
    page.wait_for_timeout(200)
    path = walking.flow.url(DAMAGE)
    assert page.evaluate("location.pathname") == path
    scripts.let_go()
    expect(page.locator("main [data-focus-target]").first).to_be_visible()
    assert page.evaluate("location.pathname") == path


@pytest.mark.fresh_windows
def test_a_step_pressed_before_the_scripts_is_saved_once(walk: Walking) -> None:
    walking = walk()
    page, scripts = early(walking)
    page.locator("input[name=parts][value=chain]").check()
    page.locator("[name=details_chain]").fill(TEXT)
    page.locator("main form button[type=submit]").dblclick()
    scripts.let_go()
    path = walking.flow.url(MAINTENANCE)
    page.wait_for_url(f"**{path}", wait_until="commit")
    expect(page.locator("input[name=draft-place]")).to_have_value(path)


@pytest.mark.fresh_windows
def test_a_file_chosen_before_the_scripts_is_sent_by_the_page(walk: Walking) -> None:
    walking = walk()
    walking.stand_at(PHOTOS.name)
    page = walking.visitor.page()
    scripts = Scripts(page)
    page.goto(walking.flow.url(PHOTOS), wait_until="commit")
    page.locator("input[type=file]").set_input_files(payload("schade.jpg"))
    page.locator("main form button[type=submit]").click()
    page.wait_for_timeout(300)
    expect(page.locator("main form[inert]")).to_have_count(0)
    scripts.let_go()
    expect(page.locator("main li", has_text="schade.jpg")).to_be_visible()


def test_a_button_pressed_before_the_scripts_acts(sanne: Visitor) -> None:
    page = sanne.page()
    scripts = Scripts(page)
    page.goto("/orders", wait_until="commit")
    page.get_by_role("button", name="EN English").click()
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    scripts.let_go()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")


def test_another_order_in_the_same_tab_never_shows_the_one_before(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders")
    expect(page.locator(ROWS).nth(1)).to_be_visible()
    numbers = page.locator(ROWS).evaluate_all("(links) => links.map((link) => link.pathname.split('/').pop())")
    page.goto(f"/orders/{numbers[0]}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(numbers[0])
    page.add_init_script(
        f"new MutationObserver(() => {{ if (document.querySelector('h1')?.innerText.includes('{numbers[0]}'))"
        " window.__seen = true }).observe(document, { childList: true, subtree: true, characterData: true })"
    )
    page.goto(f"/orders/{numbers[1]}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(numbers[1])
    page.wait_for_timeout(300)
    assert page.evaluate("window.__seen") is None
