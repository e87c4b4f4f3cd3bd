"""A browser in which no script runs: pages show their data, flows name the phone number, nothing loads for ever."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from portal.flow.journey import FLOWS
from portal.settings import settings
from tests.support.browser import Visit, assert_accessible
from tests.support.flows import NOOR

SANNE = ("900000001", "sanne@example.com")
_THEME = Path("assets/theme.css").read_text(encoding="utf-8")
_RULES = _THEME.partition("@media (scripting: none) {")[2].rpartition("}")[0]


def looks(page: Page, window: Page, width: int) -> None:
    """Nothing is wider than the screen, nothing loads, and axe, which reads it in another window, finds nothing."""
    expect(page.locator(".skeleton:visible, .appear:visible")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # axe waits for promises, which a browser without scripts never keeps.
    html = re.sub(r"<script.*?</script>", "", page.content(), flags=re.DOTALL)
    html = html.replace("<noscript>", "<div>").replace("</noscript>", "</div>")
    html = html.replace("</head>", f"<style>{_RULES}</style></head>")
    window.unroute_all()
    window.route("**/as-seen", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    window.goto("/as-seen")
    assert_accessible(window)


def test_every_page_says_in_both_languages_that_it_needs_scripts(visit: Visit, pages_of_build: dict[str, Path]) -> None:
    visitor = visit(language="nl", width=1280, scripts=False)
    visitor.log_in(*SANNE)
    page = visitor.page()
    # A step of a flow that was not begun leads to the first page of the flow, which is seen anyway.
    steps = {flow.url(step) for flow in FLOWS.values() for step in flow.all_steps[1:]}
    assert steps
    for path in sorted({*pages_of_build} - steps):
        page.goto(path)
        notice = page.locator("noscript section")
        expect(notice).to_be_visible()
        expect(notice.locator("[lang=nl]").first).to_contain_text("JavaScript staat uit.")
        expect(notice.locator("[lang=en]").first).to_contain_text("JavaScript is off.")
        for said in notice.locator("p").all():
            expect(said).to_contain_text(settings().brand.dialled)
        for hidden in (".skeleton, .appear", "button[type=button]", "form:not([action])"):
            assert page.locator(hidden).locator("visible=true").count() == 0, (path, hidden)


@pytest.mark.parametrize("width", [375, 1280])
def test_menu_language_and_logout_work_without_scripts(visit: Visit, width: int) -> None:
    visitor = visit(language="nl", width=width, scripts=False)
    visitor.log_in(*NOOR)
    page, window = visitor.page(), visit(language="nl", width=width).page()
    for path in ("/repair-request", "/dashboard"):
        page.goto(path)
        looks(page, window, width)
    page.locator("header").get_by_role("link", name="Bestellingen").click()
    page.wait_for_url("**/orders")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    page.locator("header").get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile(r"/$"))
    page.goto("/orders")
    expect(page).to_have_url(re.compile(r"/$"))
