"""Passwords, where they are offered: asked for, set by the mailed link with its live rules, and used to log in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.days import now
from tests.journeys.login_steps import SANNE, LoginPages
from tests.journeys.test_account import heading, word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.server import FAST_LOGIN, PortalServer
from tests.support.stored import execute

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


def looked_at(page: Page) -> None:
    """The page fits and axe finds nothing."""
    assert_fits(page)
    assert_accessible(page)


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
    looked_at(page)
    page.get_by_role("link", name=word(anybody, "Inloggen met een wachtwoord", "Log in with a password")).press("Enter")
    page.wait_for_url("**/login/password")
    expect(heading(page, word(anybody, "Log in met je wachtwoord", "Log in with your password"))).to_be_focused()
    login.ready()
    send(page)
    summary = page.get_by_role("group", name=login.words.fields)
    expect(summary).to_be_focused()
    expect(summary.get_by_role("link")).to_have_count(3)
    looked_at(page)
    page.get_by_role(
        "link", name=word(anybody, "Nog geen wachtwoord, of vergeten?", "No password yet, or forgotten it?")
    ).click()
    page.wait_for_url("**/password/reset")
    login.ready()
    looked_at(page)
    path = mailed_link(anybody, page)
    expect(page.get_by_role("main")).to_contain_text("sanne@example.com")
    looked_at(page)
    page.goto(path)
    expect(heading(page, word(anybody, "Kies een wachtwoord", "Choose a password"))).to_be_visible()
    rules = page.get_by_role(
        "list", name=word(anybody, "Waar je wachtwoord aan moet voldoen", "Rules for your password")
    )
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
    looked_at(page)
    field(page, "password")(GOOD)
    field(page, "repeat")(GOOD + "x")
    send(page)
    expect(page.locator("#repeat-error")).to_be_visible()
    expect(page.locator("#password")).to_have_value(GOOD)
    page.get_by_role("button", name=word(anybody, "Toon", "Show")).first.press("Enter")
    expect(page.locator("#password")).to_have_attribute("type", "text")
    field(page, "repeat")(GOOD)
    send(page)
    page.wait_for_url("**/login/password*")
    expect(page.get_by_role("status").filter(has_text=word(anybody, "ingesteld", "has been set"))).to_be_visible()
    looked_at(page)
    login.ready()
    stored = page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    field(page, "order_number")(SANNE[0])
    field(page, "email")(SANNE[1])
    field(page, "password")("Wrong-pass-1")
    send(page)
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text(word(anybody, "klopt niet", "is wrong"))
    looked_at(page)
    stored += page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    assert GOOD not in stored
    assert "Wrong-pass-1" not in stored
    field(page, "password")(GOOD)
    send(page)
    page.wait_for_url("**/dashboard")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sanne")


def test_a_link_that_is_late_used_or_cut_leads_to_another_one(visit: Visit, open_server: PortalServer) -> None:
    visitor = visit(language="en", width=375, server=open_server)
    page = visitor.page()
    page.goto("/password/reset")
    LoginPages(visitor, page).ready()
    path = mailed_link(visitor, page)
    page.goto(path)
    page.locator("#password").wait_for()
    ends = "UPDATE confirmation_links SET expires_at = ? WHERE purpose = 'password'"
    # Just now: the hourly work deletes what expired long ago.
    execute(open_server, ends, f"{now() - timedelta(minutes=1):%Y-%m-%d %H:%M:%S.%f}")
    LoginPages(visitor, page).ready()
    for name in ("password", "repeat"):
        field(page, name)(GOOD)
    send(page)
    late = word(visitor, "Deze link is verlopen", "This link has expired")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(late)
    expect(page.locator("[data-toast]", has_text=late)).to_be_visible()
    looked_at(page)
    page.reload()
    expect(heading(page, late)).to_be_visible()
    looked_at(page)
    execute(open_server, ends, "2099-01-01 00:00:00.000000")
    answer = visitor.context.request.post(
        "/auth/new-password",
        data={"hash": path.rpartition("/")[2], "password": GOOD, "repeat": GOOD},
        headers={"origin": open_server.base_url},
    )
    assert answer.ok
    for address, dutch, english in (
        (path, "Deze link is al gebruikt", "This link has already been used"),
        (path[:-3], "Deze link werkt niet", "This link doesn’t work"),
    ):
        page.goto(address)
        expect(heading(page, word(visitor, dutch, english))).to_be_visible()
        expect(page).to_have_title(re.compile(word(visitor, dutch, english)))
        looked_at(page)
    page.get_by_role("link", name=word(visitor, "Vraag een nieuwe link aan", "Request a new link")).click()
    page.wait_for_url("**/password/reset")


def test_unless_they_are_offered_nothing_of_them_is_to_be_seen(visitor: Visitor) -> None:
    page = visitor.page()
    LoginPages(visitor, page).open()
    page.wait_for_timeout(500)
    expect(page.get_by_text("wachtwoord", exact=True)).to_have_count(0)
    expect(page.locator("a[href='/login/password']")).to_have_count(0)
    for path in ("/login/password", "/password/reset", "/password/reset/" + "x" * 43):
        answer = page.goto(path)
        assert answer
        assert answer.status == 404
        expect(heading(page, "Pagina niet gevonden")).to_be_visible()
