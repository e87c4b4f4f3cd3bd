"""What journeys on the staff site share: the login, and the check of a page."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from portal.kernel.texts import catalogue
from tests.journeys.test_account import assert_fits
from tests.support.browser import assert_accessible
from tests.support.server import DeskServer


def log_in_at_desk(page: Page, server: DeskServer, name: str, email: str, *, language: str = "nl") -> None:
    """Choose the person and enter the code. The page shows the login; it then leads to what was asked for."""
    say = catalogue("portal", language).gettext
    main = page.get_by_role("main")
    main.get_by_role("radio", name=re.compile(name)).check()
    seen = len(server.mailbox.mails_to(email))
    main.get_by_role("button", name=say("Send login code"), exact=True).click()
    page.wait_for_url("**/login/code")
    main.get_by_role("textbox", name=say("Login code")).fill(server.mailbox.code_for(email, after=seen))
    main.get_by_role("button", name=say("Log in"), exact=True).click()


def assert_well_made(page: Page) -> None:
    """Nothing sticks out at the side, and axe finds nothing."""
    # What the bar covers while the page is scrolled is no target.
    page.evaluate("window.scrollTo(0, 0)")
    assert_fits(page)
    assert_accessible(page)
