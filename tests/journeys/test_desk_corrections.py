"""The service desk looks a customer up, shows a pin code, corrects a frame number and merges two customers.

The customer's own browser shows that the bike can be used again.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.desk_steps import assert_well_made, at_desk
from tests.support.browser import Visitor
from tests.support.people import AMBER, JORIS
from tests.support.server import DeskServer
from tests.support.stored import execute


@pytest.fixture
def desk(visit: Callable[..., Visitor], desk_server: DeskServer) -> Iterator[Page]:
    """The staff site of somebody of the service desk."""
    yield at_desk(visit, desk_server, "esra@example.com", "/customers")
    desk_server.renew_shop()


def _press(page: Page, text: str) -> None:
    page.get_by_role("main").get_by_role("button", name=text, exact=True).first.click()


def test_a_customer_is_helped_and_merged(desk: Page, visit: Callable[..., Visitor], desk_server: DeskServer) -> None:
    page = desk
    main = page.get_by_role("main")
    of_amber = "customer_id = (SELECT id FROM customers WHERE email = ?)"
    execute(desk_server, f"UPDATE bikes SET pin_code = '86421' WHERE {of_amber}", AMBER[1])
    own = visit(server=desk_server)
    own.log_in(*AMBER)
    bike_page = own.page()
    bike = execute(desk_server, f"SELECT public_id FROM bikes WHERE {of_amber} AND frame_number IS NULL", AMBER[1])
    bike_page.goto(f"/bikes/{bike[0][0]}")
    closed = "We weten het framenummer van deze fiets niet"
    expect(bike_page.get_by_text(closed).first).to_be_visible()

    # Look up.
    page.locator("#text").fill(AMBER[1])
    _press(page, "Zoek")
    main.get_by_role("link", name=re.compile("Amber")).click()
    page.wait_for_url(re.compile("/customers/[A-Z0-9]+$"))
    expect(main.get_by_text(AMBER[1])).to_be_visible()
    assert_well_made(page)

    # Reveal.
    _press(page, "Pincode tonen")
    reason = page.locator("#reveal-reason")
    expect(reason).to_be_focused()
    expect(main.get_by_text("86421")).to_have_count(0)
    _press(page, "Pincode tonen")
    expect(page.locator("#reveal-reason-error")).to_be_visible()
    assert_well_made(page)
    reason.fill("Proefrit na reparatie")
    _press(page, "Pincode tonen")
    expect(main.get_by_text("86421")).to_be_visible()
    assert_well_made(page)
    _press(page, "Verberg")
    expect(main.get_by_text("86421")).to_have_count(0)

    # Correct: the bike is open for requests at once.
    unknown = main.get_by_role("listitem").filter(has_text="Onbekend")
    unknown.get_by_role("button", name="Framenummer corrigeren", exact=True).click()
    number = page.locator("#frame-frame_number")
    number.fill("?")
    _press(page, "Framenummer opslaan")
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_have_value("?")
    assert_well_made(page)
    number.fill("wbk 654 321")
    _press(page, "Framenummer opslaan")
    expect(main.get_by_text("WBK654321").first).to_be_visible()
    assert_well_made(page)
    bike_page.reload()
    expect(bike_page.locator("main h1")).to_be_visible()
    expect(bike_page.get_by_text(closed)).to_have_count(0)

    # Merge: the customer of this page remains.
    page.get_by_role("link", name="Met een andere klant samenvoegen").click()
    page.wait_for_url("**/merge")
    page.locator("#find-text").fill(JORIS[1])
    _press(page, "Zoek")
    _press(page, "Kies Joris Bakker")
    expect(main.get_by_role("radio").first).to_be_visible()
    assert_well_made(page)
    main.get_by_role("radio", name=JORIS[1]).check()
    page.locator("#merge-reason").fill("Belde zelf")
    _press(page, "Verder: bekijk wat er gebeurt")
    sure = "Dit kun je niet ongedaan maken."
    expect(main.get_by_text(sure)).to_be_visible()
    assert_well_made(page)
    _press(page, "Nu samenvoegen")
    page.wait_for_url(re.compile("/customers/[A-Z0-9]+$"))
    expect(main.get_by_role("heading", level=1, name=re.compile("^Amber"))).to_be_visible()
    expect(main.get_by_text(JORIS[1])).to_be_visible()
    expect(main.get_by_text(JORIS[0])).to_be_visible()
    expect(main.get_by_text(AMBER[0])).to_be_visible()
    assert not execute(desk_server, "SELECT 1 FROM customers WHERE email = ?", AMBER[1])
    bike_page.wait_for_timeout(3500)  # what the guard knows of a session may be three seconds old
    bike_page.reload()
    expect(bike_page).to_have_url(re.compile(r"/($|\?)"))
