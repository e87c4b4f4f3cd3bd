"""A browser in which no script runs: pages show their data, requests can be made, nothing loads for ever."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from portal.flow.registry import FLOWS
from portal.work_orders.flow.repair import DAMAGE, REPAIR
from tests.support.browser import Visit, Visitor, assert_accessible
from tests.support.files import jpg
from tests.support.flows import NOOR, TEXT
from tests.support.stored import execute, forget_requests
from tests.support.walks import SEND, Walking, begin_button

SANNE = ("900000001", "sanne@example.com")


_THEME = Path("assets/theme.css").read_text(encoding="utf-8")
_RULES = _THEME.partition("@media (scripting: none) {")[2].rpartition("}")[0]


class Reader:
    """Somebody in whose browser no script runs, and another window in which axe reads what they see."""

    def __init__(self, visit: Visit, customer: tuple[str, str], language: str, width: int) -> None:
        self.visitor = visit(language=language, width=width, scripts=False)
        self.visitor.log_in(*customer)
        self.page = self.visitor.page()
        self._width = width
        self._window = visit(language=language, width=width).page()

    def looks(self) -> None:
        """Nothing is wider than the screen, nothing loads, and axe finds nothing."""
        expect(self.page.locator(".skeleton:visible, .appear:visible")).to_have_count(0)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self._width
        # axe waits for promises, which a browser without scripts never keeps.
        html = re.sub(r"<script.*?</script>", "", self.page.content(), flags=re.DOTALL)
        html = html.replace("<noscript>", "<div>").replace("</noscript>", "</div>")
        html = html.replace("</head>", f"<style>{_RULES}</style></head>")
        self._window.unroute_all()
        self._window.route(
            "**/as-seen", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8")
        )
        self._window.goto("/as-seen")
        assert_accessible(self._window)


def test_a_repair_is_requested_without_scripts(visit: Visit) -> None:
    reader = Reader(visit, NOOR, "nl", 375)
    visitor, page = reader.visitor, reader.page
    forget_requests(visitor.server)

    def at(step: str) -> None:
        found = REPAIR.step(step)
        assert found
        expect(page).to_have_url(re.compile(re.escape(REPAIR.url(found)) + r"(\?[^#]*)?(#.*)?$"))
        reader.looks()

    page.goto(REPAIR.path)
    reader.looks()
    begin_button(page).click()
    at("bike")
    page.locator(SEND).click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(page).to_have_title(re.compile("^Fout: "))
    reader.looks()
    page.locator("input[name=bike]").first.check()
    page.locator(SEND).click()

    at("damage")
    page.locator("input[value=chain]").check()
    page.locator("#details_chain").fill("kort")
    page.locator(SEND).click()
    expect(page.locator("#details_chain")).to_have_value("kort")
    page.locator("[aria-labelledby=error-summary] a").click()
    expect(page.locator("#details_chain-error")).to_be_in_viewport()
    reader.looks()
    page.locator("#details_chain").fill(TEXT)
    page.locator(SEND).click()

    at("maintenance")
    page.locator("input[value=never]").check()
    page.locator(SEND).click()

    at("photos")
    expect(page.locator("fieldset noscript p")).to_contain_text("JavaScript")
    expect(page.locator("fieldset noscript p")).to_be_visible()
    expect(page.locator("input[type=file]")).to_be_hidden()
    uploaded(visitor, page.locator("input[name=draft-id]").input_value())
    page.reload()
    expect(page.locator("main li", has_text="schade.jpg")).to_be_visible()
    page.locator(SEND).click()

    at("address")
    page.locator("input[value=known]").check()
    page.locator("#phone").fill("06 12 niet")
    page.locator(SEND).click()
    expect(page.locator("#phone")).to_have_value("06 12 niet")
    page.locator("#phone").fill("06 12345678")
    page.locator(SEND).click()

    at("location")
    page.locator("input[name=location]").first.check()
    page.locator(SEND).click()
    at("handover")
    page.locator("input[name=handover]").first.check()
    page.locator(SEND).click()

    at("check")
    expect(page.get_by_role("img", name="Foto schade.jpg")).to_have_js_property("complete", value=True)
    page.locator(f'a[href="{REPAIR.url(DAMAGE)}?change=1"]').first.click()
    expect(page.locator("#details_chain")).to_have_value(TEXT)
    page.locator("#details_chain").fill(f"{TEXT} Ook bij regen.")
    page.locator(SEND).click()
    at("check")
    expect(page.get_by_text("Ook bij regen.")).to_be_visible()
    page.locator(SEND).click()
    expect(page).to_have_url(re.compile(f"{REPAIR.confirmation}$"))
    reader.looks()
    ((reference,),) = execute(visitor.server, "SELECT reference FROM requests WHERE draft_key IS NOT NULL")
    assert reference in re.sub(r"\s", "", page.locator("main").inner_text())


def uploaded(visitor: Visitor, draft_id: str) -> None:
    """Add a photo to a draft, as another device with scripts would."""
    content, own = jpg(), {"origin": visitor.server.base_url}
    start = {"field": "photos", "name": "schade.jpg", "size": len(content)}
    placed = visitor.context.request.post(f"/files/drafts/{draft_id}", data=start, headers=own)
    upload_id = placed.json()["data"]["upload_id"]
    answer = visitor.context.request.put(f"/files/uploads/{upload_id}", data=content, headers=own)
    assert answer.ok, answer.text()


def test_no_page_loads_for_ever_without_scripts(visit: Visit, pages_of_build: dict[str, Path]) -> None:
    page = Reader(visit, SANNE, "nl", 1280).page
    # A step of a flow that was not begun leads to the first page of the flow, which is seen anyway.
    steps = {flow.url(step) for flow in FLOWS.values() for step in flow.all_steps[1:]}
    assert steps
    for path in sorted({*pages_of_build} - steps):
        page.goto(path)
        expect(page.locator("noscript section")).to_contain_text("JavaScript staat uit.")
        expect(page.locator("noscript section")).to_be_visible()
        assert page.locator(".skeleton:visible, .appear:visible").count() == 0, path
        assert page.locator("button[type=button]:visible").count() == 0, path


@pytest.mark.parametrize("width", [375, 1280])
def test_menu_language_and_logout_work_without_scripts(visit: Visit, width: int) -> None:
    reader = Reader(visit, NOOR, "nl", width)
    page = reader.page
    page.goto("/dashboard")
    reader.looks()
    page.locator("header").get_by_role("link", name="Bestellingen").click()
    page.wait_for_url("**/orders")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    page.locator("header").get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile(r"/$"))
    page.goto("/orders")
    expect(page).to_have_url(re.compile(r"/$"))


def test_a_form_is_posted_when_the_scripts_do_not_come(walk: Walking) -> None:
    walking = walk()
    walking.stand_at(DAMAGE.name)
    walking.visitor.troubles.allow("ERR_FAILED|Failed to fetch")
    page = walking.visitor.page()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.clock.install()
    page.goto(walking.flow.url(DAMAGE), wait_until="commit")
    page.locator("input[value=chain]").check()
    page.locator("#details_chain").fill("kort")
    page.locator(SEND).click()
    page.clock.fast_forward(9_000)
    expect(page.locator("[aria-labelledby=error-summary]")).to_have_count(0)
    page.clock.fast_forward(2_000)
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_visible()
    expect(page.locator("#details_chain")).to_have_value("kort")


def test_a_form_of_another_page_says_that_it_needs_scripts(visit: Visit) -> None:
    reader = Reader(visit, SANNE, "en", 375)
    page = reader.page
    page.goto("/contact")
    page.evaluate("() => document.body.insertAdjacentHTML('beforeend', '<form method=post><button>Go</button></form>')")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your answers weren’t saved")
    reader.looks()
