"""What is special in claiming damage (part-1 §2 Claim request flow, §4 Claim journey)."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.flows import CASES
from tests.support.walks import Walk

pytestmark = pytest.mark.usefixtures("nothing_sent")
CASE = next(case for case in CASES if case.flow.name == "claim-request")
IBAN = "NL91 ABNA 0417 1643 00"


def _walk(visitor: Visitor, customer: tuple[str, str] = CASE.customer) -> Walk:
    visitor.log_in(*customer)
    return Walk(visitor, CASE)


def test_both_ways_of_handling_say_who_pays_what_and_can_be_pressed_anywhere(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.stand_at("handling")
    wait = page.get_by_role("radio", name="Wachten op akkoord van de verzekeraar", exact=True)
    now = page.get_by_role("radio", name="Meteen repareren", exact=True)
    expect(wait).to_have_accessible_description(re.compile("Jij betaalt ons alleen het eigen risico"))
    expect(now).to_have_accessible_description(re.compile("betaalt je daarna terug, min het eigen risico"))
    box = page.get_by_text("We beginnen zodra je akkoord bent met de offerte.").bounding_box()
    assert box
    page.mouse.click(box["x"] + 8, box["y"] + 8)
    expect(now).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(wait).to_be_checked()


def test_the_account_is_checked_before_sending_and_never_shown_whole_afterwards(visitor: Visitor) -> None:
    walking = _walk(visitor)
    page = walking.page
    walking.stand_at("repayment")
    holder = page.get_by_label("Rekeninghouder")
    expect(holder).to_be_hidden()
    walking.fill({"method": "account"})
    expect(holder).to_have_value("Noor el Haddad")
    walking.fill({"iban": "NL91 ABNA 0417 1643 01"})
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_contain_text("Vul een geldig IBAN in")
    walking.fill({"iban": IBAN.lower()})
    walking.next()
    walking.at(CASE.flow.check_step)
    expect(page.locator("main dl.facts")).to_contain_text(IBAN)
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    walking.next()
    expect(page).to_have_url(re.compile("confirmation$"))
    expect(page.locator("main")).to_contain_text("NL…4300")
    page.reload()
    expect(page.locator("main")).to_contain_text("NL…4300")
    seen = page.content() + "".join(addresses) + visitor.server.log.read_text()
    for secret in (IBAN, "ABNA", "abna"):
        assert secret not in seen
