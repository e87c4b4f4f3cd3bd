"""Passwords, where they are offered: asked for, set by the mailed link with its live rules, and used to log in."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.login_steps import SANNE, LoginPages
from tests.journeys.test_account import heading, word
from tests.support.browser import Visit, Visitor, assert_accessible
from tests.support.server import FAST_LOGIN, PortalServer

GOOD = "Fietsbel-2026!"

_OFFERED = {"PORTAL_PASSWORDS": "true", "PORTAL_CODE_TRIES": "10"}


@pytest.fixture(scope="module")
def open_server(built: object, served_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PortalServer]:
    """A portal that offers passwords."""
    assert built
    server = PortalServer(tmp_path_factory.mktemp("passwords"), {**FAST_LOGIN, **_OFFERED}, served_shop)
    server.start()
    yield server
    server.stop()


def field(page: Page, name: str) -> Callable[..., None]:
    """Fill in a field by its name."""
    return page.locator(f"#{name}").fill


def send(page: Page) -> None:
    """Send the form of the page with the keyboard."""
    page.get_by_role("main").locator("form button[type=submit]").last.press("Enter")


def mailed_link(visitor: Visitor, page: Page) -> str:
    """Ask for a link on the page for it, and read its path in the mail."""
    seen = len(visitor.server.mailbox.mails_to(SANNE[1]))
    field(page, "order_number")(SANNE[0])
    field(page, "email")(SANNE[1])
    send(page)
    expect(heading(page, word(visitor, "Bekijk je e-mail", "Check your email"))).to_be_visible()
    return visitor.server.mailbox.found(re.compile(r"(/password/reset/[\w-]{43})"), SANNE[1], after=seen)


def test_a_password_is_asked_for_set_and_used(visit: Visit, open_server: PortalServer) -> None:
    anybody = visit(server=open_server)
    page = anybody.page()
    login = LoginPages(anybody, page).open()
    assert_accessible(page)
    page.get_by_role("link", name="Inloggen met een wachtwoord").press("Enter")
    page.wait_for_url("**/login/password")
    expect(heading(page, "Log in met je wachtwoord")).to_be_focused()
    login.ready()
    send(page)
    summary = page.get_by_role("group", name=login.words.fields)
    expect(summary).to_be_focused()
    expect(summary.get_by_role("link")).to_have_count(3)
    assert_accessible(page)
    page.get_by_role("link", name="Nog geen wachtwoord, of vergeten?").click()
    page.wait_for_url("**/password/reset")
    login.ready()
    assert_accessible(page)
    path = mailed_link(anybody, page)
    expect(page.get_by_role("main")).to_contain_text("sanne@example.com")
    assert_accessible(page)
    page.goto(path)
    expect(heading(page, "Kies een wachtwoord")).to_be_visible()
    rules = page.get_by_role("list", name="Waar je wachtwoord aan moet voldoen")
    kept = rules.locator("[data-met=true]")
    expect(rules.get_by_role("listitem")).to_have_count(5)
    expect(kept).to_have_count(0)
    for typed, count in (("fiets", 1), ("Fiets", 2), ("Fiets26", 3), ("Fiets26!", 5), (GOOD, 5), ("F1!" + "a" * 62, 4)):
        field(page, "password")(typed)
        expect(kept).to_have_count(count)
    field(page, "password")("fiets")
    login.ready()
    send(page)
    expect(page.locator("#password-error")).to_be_visible()
    expect(summary).to_be_focused()
    assert_accessible(page)
    field(page, "password")(GOOD)
    field(page, "repeat")(GOOD + "x")
    send(page)
    expect(page.locator("#repeat-error")).to_be_visible()
    expect(page.locator("#password")).to_have_value(GOOD)
    page.get_by_role("button", name="Toon").first.press("Enter")
    expect(page.locator("#password")).to_have_attribute("type", "text")
    field(page, "repeat")(GOOD)
    send(page)
    page.wait_for_url("**/login/password*")
    expect(page.get_by_role("status").filter(has_text="ingesteld")).to_be_visible()
    assert_accessible(page)
    login.ready()
    stored = page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    field(page, "order_number")(SANNE[0])
    field(page, "email")(SANNE[1])
    field(page, "password")("Wrong-pass-1")
    send(page)
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("klopt niet")
    assert_accessible(page)
    stored += page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    assert GOOD not in stored
    assert "Wrong-pass-1" not in stored
    field(page, "password")(GOOD)
    send(page)
    page.wait_for_url("**/dashboard")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sanne")
