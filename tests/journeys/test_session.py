"""Staying logged in and leaving: deep links, tabs, the end that comes by itself."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.login_steps import SANNE, WORDS, LoginPages
from tests.support.browser import ON_A_PHONE, ON_A_WIDE_SCREEN, Visitor, assert_accessible

PRIVATE = "900000001"


def log_out(page: Page, visitor: Visitor) -> None:
    """Press the button of the menu."""
    name = {"nl": "Uitloggen", "en": "Log out"}[visitor.language]
    if visitor.width < 768:
        page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name=name).click()


def test_a_deep_link_opens_after_the_login_without_a_flash_of_the_page(abroad: Visitor) -> None:
    page = abroad.page()
    seen: list[str] = []
    page.on("framenavigated", lambda frame: seen.append(frame.url))
    page.goto(f"/orders/{PRIVATE}")
    login = LoginPages(abroad, page)
    expect(login.heading(login.words.heading)).to_be_visible()
    assert not any("/orders" in url for url in seen)
    login.ready()
    login.enter(login.ask_code())
    page.wait_for_url(f"**/orders/{PRIVATE}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(PRIVATE)


@ON_A_PHONE
def test_logging_out_empties_every_tab_at_once(sanne_crosswise: Visitor) -> None:
    first, second = sanne_crosswise.page(), sanne_crosswise.page()
    heading = WORDS[sanne_crosswise.language].heading
    for page in (first, second):
        page.goto("/orders")
        expect(page.get_by_role("main")).to_contain_text(PRIVATE)
    log_out(first, sanne_crosswise)
    expect(first.get_by_role("heading", level=1, name=heading)).to_be_visible()
    expect(second.get_by_role("heading", level=1, name=heading)).to_be_visible()
    for page in (first, second):
        page.go_back()
        page.wait_for_timeout(500)
        assert PRIVATE not in page.locator("body").inner_text()


def test_a_session_ended_elsewhere_closes_the_page_with_the_next_event(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders")
    expect(page.get_by_role("main")).to_contain_text(PRIVATE)
    token = next(cookie.get("value", "") for cookie in sanne.context.cookies() if cookie.get("name") == "session")
    # Another browser with the same session, as after copying a profile.
    sanne.context.request.post("/auth/logout", data={}, headers={"origin": sanne.server.base_url})
    sanne.context.add_cookies([{"name": "session", "value": token, "url": sanne.server.base_url, "httpOnly": True}])
    # A page that asks the server before the press leads to the login by itself.
    heading = page.get_by_role("heading", level=1, name=WORDS["nl"].heading)
    page.get_by_role("link", name="Fietsen").or_(heading).first.click()
    expect(heading).to_be_visible()
    expect(page.get_by_text(re.compile("Je bent uitgelogd"))).to_be_visible()
    login = LoginPages(sanne, page)
    login.ready()
    login.enter(login.ask_code())
    page.wait_for_url(re.compile("/(bikes|orders)$"))


def test_a_failed_logout_says_so_and_keeps_the_page(sanne_abroad: Visitor) -> None:
    text = {"nl": "Uitloggen niet gelukt, probeer het nog eens.", "en": "Logging out failed, please try again."}
    page = sanne_abroad.page()
    sanne_abroad.troubles.allow("ERR_FAILED|Failed to load")
    page.goto("/orders")
    expect(page.get_by_role("main")).to_contain_text(PRIVATE)
    page.route("**/auth/logout", lambda route: route.abort())
    log_out(page, sanne_abroad)
    toast = page.locator("[data-toast]").filter(has_text=text[sanne_abroad.language])
    expect(toast).to_be_visible()
    # The drawer of a small screen would lie on top of it.
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(toast).to_be_hidden()
    expect(page.get_by_role("main")).to_contain_text(PRIVATE)


@ON_A_WIDE_SCREEN
def test_a_warning_comes_two_minutes_before_the_end_and_the_page_resumes_after_it(visitor_crosswise: Visitor) -> None:
    visitor_crosswise.log_in(*SANNE)
    page = visitor_crosswise.page()
    page.clock.install()
    page.goto("/orders")
    expect(page.get_by_role("main")).to_contain_text(PRIVATE)
    warning = page.get_by_role("status").filter(has_text=re.compile("Je wordt over|You’ll be logged out"))
    expect(warning).to_have_count(0)
    page.clock.fast_forward("28:10")
    expect(warning).to_have_text(re.compile("2 minu"))
    stay = page.get_by_role("button", name=re.compile("Ingelogd blijven|Stay logged in"))
    expect(stay).to_be_visible()
    assert_accessible(page)
    page.clock.fast_forward("02:00")
    words = WORDS[visitor_crosswise.language]
    expect(page.get_by_role("heading", level=1, name=words.heading)).to_be_visible()
    expect(page.get_by_text(re.compile(words.ended))).to_be_visible()
    login = LoginPages(visitor_crosswise, page)
    login.ready()
    assert_accessible(page)
    login.enter(login.ask_code())
    page.wait_for_url("**/orders")


def test_a_login_in_one_tab_takes_along_a_tab_that_waits(visitor: Visitor) -> None:
    waiting, page = visitor.page(), visitor.page()
    LoginPages(visitor, waiting).open()
    login = LoginPages(visitor, page).open()
    login.enter(login.ask_code())
    page.wait_for_url("**/dashboard")
    waiting.wait_for_url("**/dashboard")


def test_a_duplicated_tab_takes_a_name_of_its_own(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders")
    expect(page.get_by_role("main")).to_contain_text(PRIVATE)
    token = page.evaluate("sessionStorage.getItem('token')")
    # What the browser does when a tab is duplicated: the session storage is copied.
    with page.expect_popup() as opened:
        page.evaluate("window.open('/bikes', '_blank', '')")
    copy = opened.value
    copy.wait_for_function("() => !window.held")
    expect(copy.get_by_role("heading", level=1, name="Fietsen")).to_be_visible()
    assert copy.evaluate("sessionStorage.getItem('token')") != token
    page.get_by_role("link", name="Fietsen").first.click()
    expect(page.get_by_role("heading", level=1, name="Fietsen")).to_be_visible()


def test_a_download_that_fails_says_so_beside_the_link_and_in_the_corner(sanne_abroad: Visitor) -> None:
    text = {"nl": "PDF kon niet gedownload worden.", "en": "PDF could not be downloaded."}[sanne_abroad.language]
    page = sanne_abroad.page()
    sanne_abroad.troubles.allow("status of 503")
    page.goto("/invoices")
    link = page.locator('a[href^="/files/invoices/"]').first
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename.endswith(".pdf")
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    page.route(
        "**/files/invoices/**", lambda route: route.fulfill(status=503, content_type="application/json", body="{}")
    )
    link.click()
    expect(page.locator("[data-toast]").filter(has_text=text)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
    assert_accessible(page)
    page.unroute("**/files/invoices/**")
    with page.expect_download():
        link.click()
    expect(page.get_by_role("main").get_by_text(text)).to_have_count(0)
