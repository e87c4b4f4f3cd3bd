"""Staff log in with their work account: the browser goes to a real OpenID provider and comes back with a session."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.reflex_adapter.build import Build
from tests.journeys.desk_steps import assert_well_made
from tests.support.browser import Visitor
from tests.support.openid import CLIENT, SECRET, OpenId
from tests.support.server import DeskServer
from tests.support.staff import ESRA

OpenLogin = Callable[[str, int], Page]


@pytest.fixture(scope="module")
def server(
    built: Build, built_desk: Build, openid: OpenId, served_shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DeskServer]:
    """A portal whose staff log in at the provider."""
    assert built
    assert built_desk
    running = DeskServer(
        tmp_path_factory.mktemp("sign-on"),
        {
            "PORTAL_STAFF_OIDC__ISSUER": openid.issuer,
            "PORTAL_STAFF_OIDC__CLIENT_ID": CLIENT,
            "PORTAL_STAFF_OIDC__CLIENT_SECRET": SECRET,
        },
        served_shop,
    )
    running.start()
    yield running
    running.stop()


@pytest.fixture
def open_login(server: DeskServer, visit: Callable[..., Visitor]) -> OpenLogin:
    """The login page in a window."""

    def window(language: str, width: int) -> Page:
        page = visit(language=language, width=width, server=server, address=server.desk_url).page()
        page.goto("/account")
        expect(page).to_have_url(re.compile("/login"))
        return page

    return window


def _say(text: str, language: str) -> str:
    return catalogue(language).gettext(text)


def _next_is(openid: OpenId, **claims: object) -> None:
    """Say who logs in at the provider."""
    httpx.post(f"{openid.issuer}/instruct", json={"fault": "", "claims": claims}).raise_for_status()


def _sign_on(page: Page, language: str) -> None:
    page.get_by_role("button", name=_say("Log in with your work account", language)).click()


def test_a_work_account_opens_the_page_that_was_asked_for(open_login: OpenLogin, openid: OpenId) -> None:
    _next_is(openid, sub="id-of-esra", email=ESRA, email_verified=True, name="Esra Yilmaz")
    page = open_login("nl", 1440)
    expect(page.get_by_role("textbox")).to_have_count(0)
    assert_well_made(page)
    _sign_on(page, "nl")
    page.wait_for_url("**/account")
    expect(page.get_by_role("main")).to_contain_text("Esra Yilmaz")


def test_an_account_without_access_is_refused_on_the_login_page(open_login: OpenLogin, openid: OpenId) -> None:
    _next_is(openid, sub="id-of-nobody", email="nobody@example.com", email_verified=True, name="Nobody")
    page = open_login("en", 390)
    _sign_on(page, "en")
    page.wait_for_url("**/login?error=*")
    told = catalogue("en").gettext(MESSAGES[Code.SIGN_ON_REFUSED])
    expect(page.get_by_role("alert").filter(has_text=told)).to_be_visible()
    gap = "form => form.firstElementChild.getBoundingClientRect().top - form.getBoundingClientRect().top"
    assert page.locator("main form").evaluate(gap) == 0, "there is empty space above the message"
    expect(page.get_by_role("button", name=_say("Log in with your work account", "en"))).to_be_enabled()
    assert_well_made(page)
