"""What journeys on the staff site share: the login, and the check of a page."""

import re
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, expect

from portal.kernel.texts import catalogue
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.server import DeskServer

SCREENS = {1440: 900, 1024: 768, 390: 844}
"""Widths of the screens on which staff pages are judged, with their heights."""

_SPEAK = """language => {
    document.cookie = `lang=${language}; Path=/`;
    window.dispatchEvent(new Event('focus'));
}"""

_seen: WeakKeyDictionary[Page, int] = WeakKeyDictionary()
"""How many states of a page were looked at."""


def log_in_as_staff(visitor: Visitor, server: DeskServer, email: str) -> None:
    """Log in over HTTP without the forms, and set the cookie in the browser."""
    seen = len(server.mailbox.mails_to(email))
    sent = {"origin": server.desk_url, "accept": "application/json", "cookie": f"lang={visitor.language}"}
    asked = server.ask_desk("/auth/code", method="POST", headers=sent, json={"email": email})
    sent["cookie"] += "".join(f"; {name}={value}" for name, value in asked.cookies.items())
    code = server.mailbox.code_for(email, after=seen)
    session = server.ask_desk("/auth/session", method="POST", headers=sent, json={"code": code}).cookies["staff"]
    visitor.context.add_cookies(
        [{"name": "staff", "value": session, "httpOnly": True, "sameSite": "Lax", "url": server.desk_url}]
    )


def at_desk(
    visit: Visit, server: DeskServer, email: str, path: str, *, language: str = "nl", width: int = 1440
) -> Page:
    """Open a page of the staff site as somebody who has logged in."""
    visitor = visit(language=language, width=width, server=server, address=server.desk_url)
    log_in_as_staff(visitor, server, email)
    page = visitor.page()
    page.goto(path)
    return page


def log_in_at_desk(page: Page, server: DeskServer, name: str, email: str, *, language: str = "nl") -> None:
    """Log in with the forms of the page: choose the person and enter the code. It then leads to what was asked for."""
    say = catalogue(language).gettext
    main = page.get_by_role("main")
    main.get_by_role("radio", name=re.compile(name)).check()
    seen = len(server.mailbox.mails_to(email))
    main.get_by_role("button", name=say("Send login code"), exact=True).click()
    page.wait_for_url("**/login/code")
    main.get_by_role("textbox", name=say("Login code")).fill(server.mailbox.code_for(email, after=seen))
    main.get_by_role("button", name=say("Log in"), exact=True).click()


def assert_well_made(page: Page) -> None:
    """Nothing sticks out at the side on any screen, and axe finds nothing.

    Axe is slow, so it looks at each state once: at the first in the other language on the other screen, at the next in
    the other language, then on the other screen, then as it is. Language and width change in place.
    """
    turn = _seen.get(page, 0)
    _seen[page] = turn + 1
    size, language = page.viewport_size, page.locator("html").get_attribute("lang") or "nl"
    assert size
    wide = size["width"] >= 1024
    if turn % 4 < 2:
        _speak(page, "en" if language == "nl" else "nl")
    narrow = (turn % 4 in (0, 2)) == wide
    for width in sorted(SCREENS, reverse=narrow):
        page.set_viewport_size({"width": width, "height": SCREENS[width]})
        # What the bar covers while the page is scrolled is no target.
        page.evaluate("window.scrollTo(0, 0)")
        assert_fits(page)
    assert_accessible(page)
    page.set_viewport_size(size)
    _speak(page, language)


def _speak(page: Page, language: str) -> None:
    """Change the language as another tab does, so that the server is not told."""
    page.evaluate(_SPEAK, language)
    expect(page.locator("html")).to_have_attribute("lang", language)
