"""Codes by mail, for the login and for another address: wrong, used up, expired, once more after a wait."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.login_steps import LoginPages
from tests.journeys.test_account_data import change, field, my_data
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import JORIS
from tests.support.server import PortalServer
from tests.support.stored import execute


@pytest.fixture
def login(abroad: Visitor) -> LoginPages:
    """The login page in English on a small screen."""
    return LoginPages(abroad, abroad.page())


@pytest.fixture
def dutch(visitor: Visitor) -> LoginPages:
    """The login page in Dutch on a wide screen."""
    return LoginPages(visitor, visitor.page())


def test_a_wrong_code_stays_on_the_page_with_the_code_selected(login: LoginPages) -> None:
    login.open()
    code = login.ask_code()
    login.enter("000000" if code != "000000" else "111111")
    toast = login.toast(login.words.wrong_code)
    expect(toast).to_be_visible()
    field = login.field(login.words.code)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert login.page.evaluate("getSelection().toString()")
    assert_accessible(login.page)
    toast.get_by_role("button").click()
    expect(toast).to_be_hidden()
    expect(login.page.locator("#code-error")).to_be_visible()
    login.enter(code)
    login.page.wait_for_url("**/dashboard")


def test_a_code_that_the_mail_server_refused_is_told_on_the_page(login: LoginPages) -> None:
    login.open()
    login.ask_code()
    execute(login.visitor.server, "UPDATE outbox_mails SET sent_at = NULL, dropped_at = created_at")
    notice = login.page.get_by_text("Your mail provider refused our email.")
    expect(notice).to_be_visible()
    assert_accessible(login.page)
    assert_fits(login.page)
    login.page.get_by_role("status").filter(has=notice).get_by_role("link").click()
    expect(login.field(login.words.email)).to_be_visible()


def test_the_wait_for_the_next_code_is_shown(hesitant: PortalServer, visit: Visit) -> None:
    visitor = visit(server=hesitant)
    login = LoginPages(visitor, visitor.page()).open()
    login.ask_code()
    wait = login.page.get_by_text(re.compile(r"Over \d+ seconden? kan er een nieuwe code"))
    expect(wait).to_be_visible()
    login.button(login.words.resend).click()
    expect(login.page.get_by_role("main")).to_contain_text(re.compile(r"Vanaf \d\d:\d\d kun je een nieuwe code"))
    assert_accessible(login.page)
    expect(wait).to_be_hidden()
    login.button(login.words.resend).click()
    expect(login.page.get_by_text("We hebben een nieuwe code gestuurd")).to_be_visible()


REFUSED = (
    "/?error=too_many_requests&retry_at=2026-11-29T10:00:00Z",
    "/?error=user_hash_expired",
    "/login/token?error=code_used_up",
    "/login/token?error=no_challenge",
)
"""How the forms are answered where the browser posted them by itself."""


def test_every_refusal_of_a_login_is_accessible(login: LoginPages) -> None:
    login.open().ask_code()
    for path in REFUSED:
        login.page.goto(path)
        expect(login.page.get_by_role("main").get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_be_visible()
        assert_accessible(login.page)
        assert_fits(login.page)


def test_an_expired_code_is_refused_and_announced(dutch: LoginPages) -> None:
    login = dutch
    login.page.clock.install()
    login.open().ask_code()
    login.page.clock.fast_forward("10:01")
    expect(login.page.get_by_text(re.compile("inlogcode is verlopen"))).to_be_visible()
    assert_accessible(login.page)


def no_code_yet(visitor: Visitor) -> None:
    """As if the code of the login was asked for long ago."""
    execute(visitor.server, "DELETE FROM limit_windows")


def test_the_email_address_changes_with_a_code_from_the_old_one(hesitant: PortalServer, visit: Visit) -> None:
    visitor = visit(language="en", width=375, server=hesitant)
    page = my_data(visitor, JORIS)
    no_code_yet(visitor)
    mailbox = visitor.server.mailbox
    change(visitor, page, "E-mailadres", "Email address")
    address = field(visitor, page, "Nieuw e-mailadres", "New email address")
    send = page.get_by_role("button", name="Send code", exact=True)
    address.fill("joris@")
    send.click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(address).to_have_value("joris@")
    assert_accessible(page)
    seen = len(mailbox.mails_to(JORIS[1]))
    address.fill("joris.nieuw@example.com")
    send.click()
    code = field(visitor, page, "Code", "Code")
    expect(code).to_be_focused()
    expect(page.get_by_role("main")).to_contain_text("joris.nieuw@example.com")
    assert_accessible(page)
    right = mailbox.code_for(JORIS[1], after=seen)
    confirm = page.get_by_role("button", name="Change email address", exact=True)
    code.fill("000000" if right != "000000" else "111111")
    confirm.click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    assert_accessible(page)
    code.fill(f"{right[:3]} {right[3:]}")
    confirm.click()
    changed = "Your email address has been changed"
    expect(page.get_by_role("main").get_by_role("status").filter(has_text=changed)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("joris.nieuw@example.com")
    mail = mailbox.wait_for("joris.nieuw@example.com")
    assert mail["subject"]
