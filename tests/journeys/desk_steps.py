"""How somebody of the staff logs in to the staff site, from the list of people and with the mailed code."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from portal.kernel.texts import catalogue
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
