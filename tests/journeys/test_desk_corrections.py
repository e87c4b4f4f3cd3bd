"""The service desk looks a customer up, shows a pin code, corrects a frame number and merges two customers.

The customer's own browser shows that the bike can be used again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.desk_steps import assert_well_made, log_in_at_desk
from tests.journeys.test_account import word
from tests.support.browser import Visitor
from tests.support.people import AMBER, JORIS
from tests.support.server import DeskServer
from tests.support.stored import execute

_WIDTH = {"nl": 1440, "en": 390}


@pytest.fixture(params=["nl", "en"])
def desk(
    request: pytest.FixtureRequest, visit: Callable[..., Visitor], desk_server: DeskServer
) -> Iterator[tuple[Visitor, Page]]:
    """The staff site of somebody of the service desk: in Dutch on a wide screen, in English on a phone."""
    language = request.param
    place = {"language": language, "server": desk_server, "address": desk_server.desk_url}
    visitor = visit(width=_WIDTH[language], **place)
    page = visitor.page()
    page.goto("/customers")
    log_in_at_desk(page, desk_server, "Esra Yilmaz", "esra@example.com", language=language)
    page.wait_for_url("**/customers")
    yield visitor, page
    desk_server.renew_shop()


def _press(visitor: Visitor, page: Page, dutch: str, english: str) -> None:
    page.get_by_role("main").get_by_role("button", name=word(visitor, dutch, english), exact=True).first.click()


def test_a_customer_is_helped_and_merged(
    desk: tuple[Visitor, Page], visit: Callable[..., Visitor], desk_server: DeskServer
) -> None:
    visitor, page = desk
    main = page.get_by_role("main")
    of_amber = "customer_id = (SELECT id FROM customers WHERE email = ?)"
    execute(desk_server, f"UPDATE bikes SET pin_code = '86421' WHERE {of_amber}", AMBER[1])
    own = visit(language=visitor.language, server=desk_server)
    own.log_in(*AMBER)
    bike_page = own.page()
    bike = execute(desk_server, f"SELECT public_id FROM bikes WHERE {of_amber} AND frame_number IS NULL", AMBER[1])
    bike_page.goto(f"/bikes/{bike[0][0]}")
    closed = word(own, "We weten het framenummer van je fiets nog niet", "We don’t know the frame number of your bike")
    expect(bike_page.get_by_text(closed).first).to_be_visible()

    # Look up.
    page.locator("#text").fill(AMBER[1])
    _press(visitor, page, "Zoek", "Search")
    main.get_by_role("link", name=re.compile("Amber")).click()
    page.wait_for_url(re.compile("/customers/[A-Z0-9]+$"))
    expect(main.get_by_text(AMBER[1])).to_be_visible()
    assert_well_made(page)

    # Reveal.
    _press(visitor, page, "Pincode tonen", "Show the pin code")
    reason = page.locator("#reveal-reason")
    expect(reason).to_be_focused()
    expect(main.get_by_text("86421")).to_have_count(0)
    _press(visitor, page, "Pincode tonen", "Show the pin code")
    expect(page.locator("#reveal-reason-error")).to_be_visible()
    assert_well_made(page)
    reason.fill("Proefrit na reparatie")
    _press(visitor, page, "Pincode tonen", "Show the pin code")
    expect(main.get_by_text("86421")).to_be_visible()
    assert_well_made(page)
    _press(visitor, page, "Verberg", "Hide")
    expect(main.get_by_text("86421")).to_have_count(0)

    # Correct: the bike is open for requests at once.
    unknown = main.get_by_role("listitem").filter(has_text=word(visitor, "Onbekend", "Unknown"))
    unknown.get_by_role(
        "button", name=word(visitor, "Framenummer corrigeren", "Correct the frame number"), exact=True
    ).click()
    number = page.locator("#frame-frame_number")
    number.fill("?")
    _press(visitor, page, "Framenummer opslaan", "Save the frame number")
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_have_value("?")
    assert_well_made(page)
    number.fill("wbk 654 321")
    _press(visitor, page, "Framenummer opslaan", "Save the frame number")
    expect(main.get_by_text("WBK654321").first).to_be_visible()
    assert_well_made(page)
    bike_page.reload()
    expect(bike_page.locator("main h1")).to_be_visible()
    expect(bike_page.get_by_text(closed)).to_have_count(0)

    # Merge: the customer of this page remains.
    page.get_by_role(
        "link", name=word(visitor, "Met een andere klant samenvoegen", "Merge with another customer")
    ).click()
    page.wait_for_url("**/merge")
    page.locator("#find-text").fill(JORIS[1])
    _press(visitor, page, "Zoek", "Search")
    _press(visitor, page, "Kies Joris Bakker", "Choose Joris Bakker")
    expect(main.get_by_role("radio").first).to_be_visible()
    assert_well_made(page)
    main.get_by_role("radio", name=JORIS[1]).check()
    page.locator("#merge-reason").fill("Belde zelf")
    _press(visitor, page, "Verder: bekijk wat er gebeurt", "Next: see what will happen")
    sure = word(visitor, "Dit kun je niet ongedaan maken.", "This can’t be undone.")
    expect(main.get_by_text(sure)).to_be_visible()
    assert_well_made(page)
    _press(visitor, page, "Nu samenvoegen", "Merge now")
    page.wait_for_url(re.compile("/customers/[A-Z0-9]+$"))
    expect(main.get_by_role("heading", level=1, name=re.compile("^Amber"))).to_be_visible()
    expect(main.get_by_text(JORIS[1])).to_be_visible()
    expect(main.get_by_text(JORIS[0])).to_be_visible()
    expect(main.get_by_text(AMBER[0])).to_be_visible()
    assert not execute(desk_server, "SELECT 1 FROM customers WHERE email = ?", AMBER[1])
    bike_page.wait_for_timeout(3500)  # what the guard knows of a session may be three seconds old
    bike_page.reload()
    expect(bike_page).to_have_url(re.compile(r"/($|\?)"))
