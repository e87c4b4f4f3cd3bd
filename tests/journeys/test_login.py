"""A customer logs in: both variants, every refusal, the code, in both languages and on both screens."""

from __future__ import annotations

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


def test_a_wrong_pair_says_one_text_for_both_halves(login: LoginPages) -> None:
    login.open().ask(SANNE[0], "stranger@example.com")
    alert = login.page.get_by_role("main").get_by_role("alert")
    expect(alert).to_have_text(login.words.pair)
    expect(login.toast(login.words.pair)).to_be_visible()
    expect(login.field(login.words.email)).to_have_value("stranger@example.com")
    assert_accessible(login.page)


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
