"""Pages of mailed links: opened by anybody, confirmed by the button only (part-2 §10)."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import httpx
import pytest
from playwright.sync_api import expect

from portal.kernel.days import now
from portal.kernel.texts import catalogue
from portal.vocabulary.links import PATHS, LinkPurpose, new_hash
from tests.journeys.test_account import heading
from tests.support.browser import ON_A_PHONE, Visitor, assert_accessible
from tests.support.links import planted
from tests.support.people import DAAN, FLEUR, ROOS
from tests.support.polling import fetch
from tests.support.server import PortalServer
from tests.support.stored import execute

RETURN, DAY, INSURANCE = LinkPurpose.ORDER_RETURN, LinkPurpose.DELIVERY_DATE, LinkPurpose.INSURANCE
CUSTOMERS = {RETURN: ROOS, DAY: DAAN, INSURANCE: FLEUR}

WORDS = {
    RETURN: ("Confirm your return", "Confirm return", "Your return is confirmed", "900000725"),
    DAY: (
        "Confirm your new delivery day",
        "Confirm new delivery day",
        "Your new delivery day is confirmed",
        "900000072",
    ),
    INSURANCE: ("Confirm your insurance", "Confirm insurance", "Your insurance is confirmed", "Duinroos Zilt Comfort"),
}
"""By purpose: heading, button, heading once it is confirmed, and something that it is about."""

WAIT_AGAIN = (
    "UPDATE returns SET status = 'pending_confirmation', confirm_until = '2099-01-01 00:00:00.000000' "
    "WHERE kind = 'order_return'",
    "UPDATE date_changes SET status = 'waiting_for_customer' WHERE order_id IN "
    "(SELECT id FROM orders WHERE order_number = '900000072')",
    "UPDATE insurance_requests SET status = 'waiting_for_input', waits_for_link = 1 WHERE bike_id IN "
    "(SELECT bikes.id FROM bikes JOIN orders ON orders.id = bikes.order_id WHERE order_number = '900000082')",
)

Say = Callable[[str], str]


@pytest.fixture(autouse=True)
def _waiting_again(portal_server: PortalServer) -> Iterator[None]:
    """Leave the requests of the demonstration as they were."""
    yield
    for statement in WAIT_AGAIN:
        execute(portal_server, statement)


def link(server: PortalServer, purpose: LinkPurpose, *, expired: bool = False) -> str:
    """The path of a link to the request of the demonstration that waits; it waits again, whatever happened to it."""
    for statement in WAIT_AGAIN:
        execute(server, statement)
    end, moment = new_hash(), now() + timedelta(hours=-1 if expired else 1)
    execute(server, *planted(purpose, end, CUSTOMERS[purpose][1], moment))
    return f"{PATHS[purpose]}/{end}"


def says(visitor: Visitor) -> Say:
    return catalogue("en" if visitor.language == "en" else "nl").gettext


def scan(server: PortalServer, path: str) -> httpx.Response:
    """What the scanner of a mail server does."""
    return fetch(server.base_url + path, follow_redirects=True)


@ON_A_PHONE
def test_a_return_is_confirmed_by_whoever_holds_the_link(visitor_crosswise: Visitor) -> None:
    visitor, say = visitor_crosswise, says(visitor_crosswise)
    path = link(visitor.server, RETURN)
    answer = scan(visitor.server, path)
    assert (answer.status_code, answer.headers["referrer-policy"]) == (200, "no-referrer")
    page = visitor.page()
    page.goto(path)
    expect(heading(page, say("Confirm your return"))).to_be_visible()
    expect(page.locator("main")).to_contain_text("900000725")
    expect(page.locator("header").get_by_role("link", name=say("Orders"))).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("button", name=say("Confirm return")).click()
    expect(heading(page, say("Your return is confirmed"))).to_be_visible()
    assert page.evaluate("document.activeElement.contains(document.querySelector('h1'))")
    expect(page).to_have_title(f"{say('Your return is confirmed')} – Bovenbuis")
    assert_accessible(page)
    page.reload()
    expect(heading(page, say("Your return is confirmed"))).to_be_visible()
    page.close()
    page = visitor.page()
    page.goto(path)
    expect(heading(page, say("You’ve already confirmed this return"))).to_be_visible()
    assert_accessible(page)
    page.goto(link(visitor.server, RETURN, expired=True))
    expect(heading(page, say("This link has expired"))).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name=say("Send a new link")).click()
    expect(page.get_by_role("status").filter(has_text="r…@…com")).to_be_visible()
    assert_accessible(page)
    page.goto(f"{PATHS[RETURN]}/{new_hash()}")
    expect(page.get_by_text(say("Invalid redirect. Please contact our customer support."))).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize("purpose", [DAY, INSURANCE])
def test_a_delivery_day_and_an_insurance_likewise(abroad: Visitor, purpose: LinkPurpose) -> None:
    visitor = abroad
    say, (ask, button, done, about) = says(visitor), WORDS[purpose]
    page = visitor.page()
    page.goto(link(visitor.server, purpose))
    expect(heading(page, say(ask))).to_be_visible()
    expect(page.locator("main")).to_contain_text(about)
    assert_accessible(page)
    page.get_by_role("button", name=say(button)).dblclick()
    expect(heading(page, say(done))).to_be_visible()
    assert_accessible(page)
