"""A customer logs in: both variants, every refusal, the code, in both languages and on both screens."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.login_steps import SANNE, LoginPages
from tests.journeys.test_account import assert_fits_everywhere
from tests.support.browser import Visitor, assert_accessible


@pytest.fixture
def login(abroad: Visitor) -> LoginPages:
    """The login page in English on a small screen."""
    return LoginPages(abroad, abroad.page())


@pytest.fixture
def login_crosswise(visitor_crosswise: Visitor) -> LoginPages:
    """The login page, in both languages and on both screens, each once."""
    return LoginPages(visitor_crosswise, visitor_crosswise.page())


def test_a_customer_logs_in_with_the_mailed_code(login_crosswise: LoginPages) -> None:
    login = login_crosswise.open()
    assert_accessible(login.page)
    assert_fits_everywhere(login.page)
    code = login.ask_code()
    assert_accessible(login.page)
    assert_fits_everywhere(login.page)
    expect(login.page.get_by_role("main")).to_contain_text("sanne@example.com")
    expect(login.page.get_by_role("main")).to_contain_text(re.compile(r"\d\d:\d\d.+\d\d:\d\d\."))
    expect(login.page).to_have_title(re.compile(login.words.code))
    login.enter(f"{code[:2]} {code[2:4]}-{code[4:]}")
    login.page.wait_for_url("**/dashboard")
    expect(login.page.get_by_role("heading", level=1)).to_contain_text("Sanne")
    assert "session" not in login.page.evaluate("document.cookie")
    # An effect of the page deletes what was typed; it runs shortly after the heading appears.
    stored = "JSON.stringify({...sessionStorage, ...localStorage})"
    login.page.wait_for_function(f"(email) => !{stored}.includes(email)", arg=SANNE[1])
    assert "eyJ" not in login.page.evaluate(stored)


def test_empty_fields_are_named_beside_them_and_in_a_summary(login: LoginPages) -> None:
    login.open()
    login.button(login.words.send).click()
    summary = login.page.get_by_role("group", name=login.words.fields)
    expect(summary).to_be_focused()
    links = summary.get_by_role("link").all_inner_texts()
    assert len(links) == 2
    for name, text in zip(("order_number", "email"), links, strict=True):
        control = login.page.locator(f"#{name}")
        expect(control).to_have_attribute("aria-invalid", "true")
        described = (control.get_attribute("aria-describedby") or "").split()
        assert described == [f"{name}-hint", f"{name}-error"]
        expect(login.page.locator(f"#{name}-error")).to_contain_text(text)
    expect(login.page).to_have_title(re.compile("^(Fout|Error): "))
    assert_accessible(login.page)
    summary.get_by_role("link").last.click()
    expect(login.page.locator("#email")).to_be_focused()
    login.button(login.words.send).click()
    expect(summary).to_be_focused()
    login.ask("12", "no address")
    expect(login.page.locator("#order_number-error")).to_be_visible()
    expect(login.page.locator("#order_number")).to_have_value("12")
    expect(login.page.locator("#email")).to_have_value("no address")


def test_a_browser_without_cookies_is_told_before_a_code_is_sent(login_crosswise: LoginPages) -> None:
    login = login_crosswise
    # Chromium that blocks cookies takes none from scripts, and throws where a storage is asked for.
    login.page.add_init_script("""
        Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set() {}});
        for (const name of ['sessionStorage', 'localStorage'])
            Object.defineProperty(window, name, {configurable: true, get() { throw new DOMException('', 'x'); }});
    """)
    sent: list[str] = []
    login.page.on("request", lambda request: sent.append(request.url))
    login.page.goto("/")
    login.ready()
    alert = login.page.get_by_role("main").get_by_role("alert")
    told = re.compile("bewaart geen cookies|doesn’t keep cookies")
    expect(alert).to_have_text(told)
    assert_accessible(login.page)
    login.page.locator("#order_number").fill(SANNE[0])
    login.page.locator("#email").fill(SANNE[1])
    login.page.locator("form[data-login=login] [type=submit]").click()
    expect(alert).to_have_text(told)
    assert not [url for url in sent if "/auth/code" in url]


# What a translator does to a text: takes its place, or stands around it.
_TRANSLATED = """(around) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter(text => text.data.trim() && !text.parentElement.closest('script, style, font'))) {
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        outer.append(inner);
        text.parentNode.insertBefore(outer, text);
        around ? inner.append(text) : text.remove();
        if (!around) inner.textContent = `«${text.data}»`;
    }
}"""


@pytest.mark.parametrize("around", [False, True], ids=["in the place of texts", "around texts"])
def test_a_page_that_the_browser_translated_changes_its_words_with_the_page(login: LoginPages, around: bool) -> None:
    login.open()
    main = login.page.get_by_role("main")
    login.page.evaluate(_TRANSLATED, around)
    assert ("«Log in" in main.inner_text()) is not around
    login.page.locator("button[lang=nl]").click()
    expect(main).to_contain_text("Verstuur inlogcode")
    expect(main).not_to_contain_text("«")
    # Messages come among translated texts, and leave again.
    login.page.evaluate(_TRANSLATED, around)
    login.page.locator("form[data-login=login] [type=submit]").click()
    expect(main.locator("#email-error")).to_contain_text("E-mailadres")
    login.page.evaluate(_TRANSLATED, around)
    login.page.locator("button[lang=en]").click()
    expect(main.locator("#email-error")).to_contain_text("Email address")
    expect(main).not_to_contain_text("«")
    login.page.get_by_role("radio", name="I lease it").or_(login.page.locator("[name=variant]").last).first.check(
        force=True
    )
    expect(main.locator("#email-error")).to_have_count(0)


def test_a_lease_customer_is_shown_the_lease_portal(login: LoginPages) -> None:
    login.open().ask("900000006", "lease@example.com")
    link = login.page.get_by_role("main").get_by_role("link", name=re.compile("lease", re.IGNORECASE))
    expect(link).to_have_attribute("href", "https://lease.bovenbuis.example/")
    expect(login.page.locator("[aria-invalid=true]")).to_have_count(0)
    assert_accessible(login.page)
    login.page.get_by_role("radio", name=login.words.lease).check()
    expect(link).to_have_count(0)
    expect(login.field(login.words.order_number)).to_be_hidden()
    login.button(login.words.send).click()
    expect(login.page.locator("#lease-error")).to_be_visible()
    assert_accessible(login.page)
    login.field(login.words.reference).fill("lease 2026-9")
    login.button(login.words.send).click()
    expect(link).to_be_visible()
    expect(login.field(login.words.reference)).to_have_value("lease 2026-9")


def test_popups_explain_where_the_numbers_are(login: LoginPages) -> None:
    login.open()
    for question, lease in (
        (re.compile("bestelnummer|order number"), False),
        (re.compile("frame ?number|framenummer"), True),
    ):
        if lease:
            login.page.get_by_role("radio", name=login.words.lease).check()
        button = login.page.get_by_role("button", name=question)
        button.press("Enter")
        dialog = login.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        expect(dialog.get_by_role("img")).to_be_visible()
        expect(dialog).to_contain_text(re.compile("pedal" if lease else "linksboven|top left"))
        assert_accessible(login.page)
        login.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(button).to_be_focused()


def test_no_connection_keeps_what_was_typed_and_offers_another_try(login: LoginPages) -> None:
    login.visitor.troubles.allow("ERR_FAILED|ERR_INTERNET|Failed to load resource")
    login.open()
    login.page.route("**/auth/code", lambda route: route.abort())
    login.ask(*SANNE)
    expect(login.page.get_by_role("main").get_by_role("alert")).to_contain_text(login.words.network)
    expect(login.page.locator("[data-toast]")).to_be_visible()
    expect(login.field(login.words.order_number)).to_have_value(SANNE[0])
    assert_accessible(login.page)
    login.page.unroute("**/auth/code")
    login.page.get_by_role("main").get_by_role("button", name=login.words.again).click()
    expect(login.heading(login.words.code_heading)).to_be_visible()
