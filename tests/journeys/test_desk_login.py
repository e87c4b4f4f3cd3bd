"""Somebody of the shop logs in to the staff site: from the list of the demonstration, with the mailed code."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.desk_steps import assert_well_made, log_in_at_desk
from tests.support.browser import Visitor, assert_accessible
from tests.support.server import DeskServer

_WORDS = {
    "nl": {
        "heading": "Inloggen bij de balie", "send": "Verstuur inlogcode", "code": "Inlogcode", "log_in": "Inloggen",
        "wrong": "Ongeldige inlogcode", "account": "Mijn account", "out": "Uitloggen", "choose": "Kies wie je bent.",
        "menu": "Menu", "ended": "Je bent uitgelogd", "views": "Overzichten",
    },
    "en": {
        "heading": "Log in to the staff site", "send": "Send login code", "code": "Login code", "log_in": "Log in",
        "wrong": "Invalid code", "account": "My account", "out": "Log out", "choose": "Choose who you are.",
        "menu": "Menu", "ended": "You’ve been logged out", "views": "Views",
    },
}  # fmt: skip

Open = Callable[..., tuple[Page, dict[str, str]]]


@pytest.fixture
def open_desk(visit: Callable[..., Visitor], desk_server: DeskServer) -> Iterator[Open]:
    """Opens the staff site in a window; also returns the texts of its language."""

    def window(path: str = "/login", language: str = "nl", width: int = 1440) -> tuple[Page, dict[str, str]]:
        visitor = visit(language=language, width=width, server=desk_server, address=desk_server.desk_url)
        page = visitor.page()
        page.goto(path)
        return page, _WORDS[language]

    yield window
    desk_server.renew_shop()


def test_a_mechanic_logs_in_and_out(open_desk: Open, desk_server: DeskServer) -> None:
    page, words = open_desk("/account", "en", 390)
    expect(page).to_have_url(re.compile("/login$"))
    expect(page.get_by_role("heading", level=1, name=words["heading"])).to_be_visible()
    expect(page.get_by_role("radio", name=re.compile("Tom Verhoeven"))).to_be_visible()
    assert_well_made(page)
    log_in_at_desk(page, desk_server, "Tom Verhoeven", "tom@example.com", language="en")
    page.wait_for_url("**/account")
    expect(page.get_by_role("heading", level=1, name=words["account"])).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Tom Verhoeven")
    expect(page.get_by_role("main")).to_contain_text("Utrecht")
    assert_well_made(page)
    page.get_by_role("button", name=words["menu"], exact=True).click()
    assert_accessible(page)
    page.get_by_role("button", name=words["out"], exact=True).locator("visible=true").click()
    page.wait_for_url("**/login")
    page.goto("/account")
    expect(page).to_have_url(re.compile("/login"))


def test_a_wrong_code_and_nobody_chosen_are_said_where_they_are(open_desk: Open) -> None:
    page, words = open_desk()
    page.get_by_role("button", name=words["send"], exact=True).click()
    expect(page.get_by_role("main").get_by_text(words["choose"]).first).to_be_visible()
    assert_well_made(page)
    page.get_by_role("radio", name=re.compile("Hans Mulder")).check()
    page.get_by_role("button", name=words["send"], exact=True).click()
    page.wait_for_url("**/login/code")
    field = page.get_by_role("textbox", name=words["code"])
    field.fill("000000")
    page.get_by_role("main").get_by_role("button", name=words["log_in"], exact=True).click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#code-error")).to_contain_text(words["wrong"])
    assert_well_made(page)


def test_keys_move_to_the_search_show_their_list_and_can_be_switched_off(
    open_desk: Open, desk_server: DeskServer
) -> None:
    page, _ = open_desk("/account")
    log_in_at_desk(page, desk_server, "Carla Janssen", "carla@example.com")
    # The heading is part of the document; keys work when the page has its data.
    expect(page.get_by_role("main")).to_contain_text("Carla Janssen")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert_well_made(page)
    dialog.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
