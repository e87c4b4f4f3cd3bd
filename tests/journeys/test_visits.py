"""Staff open the customers' site for a customer: visibly marked, and read-only unless they act in their name."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from tests.journeys.desk_steps import log_in_as_staff
from tests.journeys.test_account import word
from tests.support.browser import ALIVE, Visitor, assert_accessible
from tests.support.people import SANNE
from tests.support.server import DeskServer

GRACE, ESRA = ("Grace O'Connor", "grace@example.com"), ("Esra Yilmaz", "esra@example.com")
SIZES = (("nl", 1280, ESRA), ("en", 375, GRACE))


def _window(page: Page, visitor: Visitor, dutch: str, english: str) -> Page:
    """The window that a button beside the customer opens. It speaks the customer's language."""
    with page.context.expect_page() as opened:
        page.get_by_role("button", name=word(visitor, dutch, english)).click()
    size = page.viewport_size
    assert size
    opened.value.set_viewport_size(size)
    opened.value.wait_for_url("**/dashboard")
    return opened.value


@pytest.mark.parametrize(("language", "width", "person"), SIZES, ids=("nl", "en"))
def test_a_visit_is_marked_on_every_page_and_ends_with_a_button(
    visit: Callable[..., Visitor], desk_server: DeskServer, language: str, width: int, person: tuple[str, str]
) -> None:
    visitor = visit(language=language, width=width, server=desk_server, address=desk_server.desk_url)
    log_in_as_staff(visitor, desk_server, person[1])
    page = visitor.page()
    page.goto("/customers")
    page.wait_for_function(f"() => {ALIVE}")
    page.get_by_role("main").get_by_role("textbox").fill(SANNE[1])
    page.get_by_role("main").get_by_role("button", name=word(visitor, "Zoek", "Search"), exact=True).click()

    looking = _window(page, visitor, "Bekijk als klant", "View as customer Sanne")
    bar = looking.get_by_role("complementary").filter(has_text=person[0])
    expect(bar).to_contain_text("Je kunt niets wijzigen")
    expect(looking.get_by_role("heading", level=1)).to_contain_text("Sanne")
    assert_accessible(looking)
    looking.goto(f"{desk_server.base_url}/my-data")
    looking.get_by_role("main").get_by_role("button", name=re.compile("^Wijzig")).first.click()
    looking.get_by_role("button", name="Opslaan", exact=True).click()
    refused = catalogue("nl").gettext(MESSAGES[Code.READ_ONLY])
    expect(looking.get_by_text(refused).first).to_be_visible()

    acting = _window(page, visitor, "Namens klant", "Act for customer Sanne")
    bar = acting.get_by_role("complementary").filter(has_text=person[0])
    expect(bar).to_contain_text("namens deze klant")
    acting.goto(f"{desk_server.base_url}/repair-request")
    expect(bar).to_be_visible()
    assert_accessible(acting)
    bar.get_by_role("button").click()
    expect(acting).to_have_url(re.compile("/(login)?$"))
    acting.goto(f"{desk_server.base_url}/dashboard")
    expect(acting).not_to_have_url(re.compile("/dashboard"))
