"""Pages that explain a problem, and the shell around real pages (flow-standard F41, F42)."""

import pytest
from playwright.sync_api import expect

from portal.frontend.layout import LEGAL_LINKS
from tests.support.browser import CROSSWISE, Visitor, assert_accessible, assert_fits


@pytest.mark.parametrize(
    ("visitor_crosswise", "path", "heading"),
    [(CROSSWISE[0], "/nowhere", "Pagina niet gevonden"), (CROSSWISE[1], "/gone", "This page is no longer accessible.")],
    indirect=["visitor_crosswise"],
)
def test_a_problem_is_explained_in_the_language_of_the_visitor(
    visitor_crosswise: Visitor, path: str, heading: str
) -> None:
    page = visitor_crosswise.page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page).to_have_title(f"{heading} – Bovenbuis")
    expect(page.locator("html")).to_have_attribute("lang", visitor_crosswise.language)
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/nowhere", "/orders/nowhere/at/all", "/gone"])
def test_a_stranger_is_offered_what_strangers_may_open(visitor: Visitor, path: str) -> None:
    page = visitor.page()
    page.goto(path)
    expect(page.get_by_role("link", name="Terug naar de winkel")).to_be_visible()
    expect(page.get_by_role("navigation", name="Hoofdmenu")).to_have_count(0)
    links = page.locator("a[href^='/']").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert set(links) == {"/", "/contact", "/withdrawal", "/cancel-contract", *(link.path for link in LEGAL_LINKS)}
    expect(page.get_by_role("link", name="Inloggen")).to_have_attribute("href", "/")


def test_a_customer_finds_the_way_on_from_a_page_that_is_not_there(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/nowhere")
    expect(page.get_by_role("link", name="Naar overzicht")).to_have_attribute("href", "/dashboard")
    expect(page.get_by_role("navigation", name="Hoofdmenu")).to_be_visible()


@pytest.mark.parametrize(("host", "hours"), [("base_url", "10:00-17:00"), ("returns_url", "09:00-18:00")])
def test_the_footer_says_when_customer_service_answers(visitor: Visitor, host: str, hours: str) -> None:
    page = visitor.page()
    page.goto(getattr(visitor.server, host))
    expect(page.get_by_role("contentinfo")).to_contain_text(hours)


def test_the_header_fits_screens_of_every_width(sanne: Visitor) -> None:
    page = sanne.page()
    # The fallback font is a little wider than our own, which may be late.
    page.route("**/*.woff2", lambda _request: None)
    # Where it is asked for early, the page never finishes loading.
    page.goto("/maintenance", wait_until="commit")
    menu = page.get_by_role("navigation", name="Hoofdmenu").or_(page.get_by_role("button", name="Menu"))
    for width in (1024, 900, 768, 320):
        page.set_viewport_size({"width": width, "height": 800})
        expect(menu).to_be_visible()
        assert_fits(page)


def test_the_menu_of_a_protected_page_does_not_wait_for_the_server(sanne: Visitor) -> None:
    page = sanne.page()
    page.route_web_socket("**/_event/**", lambda _socket: None)
    page.goto("/orders")
    expect(page.get_by_role("navigation", name="Hoofdmenu")).to_be_visible()
