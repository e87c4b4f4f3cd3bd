"""Withdrawing from a purchase: two steps and a receipt, for customers and for guests (part-2 §11)."""

import re

import pytest
from playwright.sync_api import expect

from portal.kernel.texts import catalogue
from tests.journeys.test_account import heading, shown
from tests.support.browser import Visitor, assert_accessible
from tests.support.mailbox import text_of
from tests.support.people import ROOS
from tests.support.returning import BUNDLE, OLD
from tests.support.server import PortalServer
from tests.support.stored import execute
from tests.support.tours import assert_filled

FORGET = ("return_units", "return_events")


@pytest.fixture
def forgotten(abroad: Visitor) -> Visitor:
    """Somebody in a shop from which nobody has withdrawn."""
    forget(abroad.server)
    return abroad


def forget(server: PortalServer) -> None:
    for table in FORGET:
        execute(server, f"DELETE FROM {table} WHERE return_id IN (SELECT id FROM returns WHERE kind = 'withdrawal')")
    execute(server, "DELETE FROM withdrawal_declarations")
    execute(server, "DELETE FROM returns WHERE kind = 'withdrawal'")


def test_a_guest_withdraws_from_an_item_with_number_and_address(forgotten: Visitor) -> None:
    visitor = forgotten
    say = catalogue("en" if visitor.language == "en" else "nl").gettext
    page = visitor.page()
    page.goto("/")
    page.locator("footer").get_by_role("link", name=say("Withdraw from a purchase")).click()
    expect(heading(page, say("Withdraw from a purchase"))).to_be_focused()
    assert_accessible(page)
    assert_filled(page)
    main = page.get_by_role("main")
    go_on = main.get_by_role("button", name=say("Continue"), exact=True)
    go_on.click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(main.get_by_role("link", name=say("Enter the email address of your order."))).to_be_visible()
    assert_accessible(page)
    page.get_by_label(say("Order number"), exact=True).fill(BUNDLE)
    page.get_by_label(say("Email address"), exact=True).fill("wrong@example.com")
    go_on.click()
    expect(main.get_by_role("alert")).to_have_text(say("We can’t find this order."))
    page.get_by_label(say("Email address"), exact=True).fill(ROOS[1])
    go_on.click()
    expect(heading(page, say("What would you like to withdraw from?"))).to_be_visible()
    assert_accessible(page)
    assert_filled(page)
    go_on.click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    assert_accessible(page)
    main.get_by_role("radio", name=say("Single items")).check()
    main.get_by_role("checkbox", name=re.compile("Kade")).check()
    main.get_by_role("combobox").select_option("2")
    main.get_by_label(say("Your name"), exact=True).fill("Roos de Wit")
    assert_accessible(page)
    go_on.click()
    expect(heading(page, say("Confirm your withdrawal"))).to_be_visible()
    expect(main).to_contain_text(re.compile("2 × (Dubbele fietstas Kade|Kade double pannier)"))
    assert_accessible(page)
    assert_filled(page)
    seen = len(visitor.server.mailbox.mails_to(ROOS[1]))
    main.get_by_role("button", name=say("Confirm withdrawal")).dblclick()
    expect(heading(page, say("We’ve received your withdrawal"))).to_be_visible()
    expect(main).to_contain_text("roos@example.com")
    assert_accessible(page)
    reference = main.locator("p.text-h2").inner_text()
    mail = visitor.server.mailbox.wait_for(ROOS[1], after=seen)
    text = text_of(mail)
    assert reference in text
    assert "Dubbele fietstas Kade" in text
    page.reload()
    expect(heading(page, say("We’ve received your withdrawal"))).to_be_visible()
    withdrawals = "SELECT count(*) FROM returns WHERE kind = 'withdrawal'"
    assert execute(visitor.server, withdrawals) == [(0,)]
    found = re.search(r"/withdrawal/confirm/\S+", text)
    assert found
    page.goto(found[0])
    expect(heading(page, say("Confirm your withdrawal"))).to_be_visible()
    assert_accessible(page)
    main.get_by_role("button", name=say("Send answer")).click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    assert_accessible(page)
    main.get_by_role("radio", name=say("Yes, I withdraw from this purchase")).check()
    main.get_by_role("button", name=say("Send answer")).dblclick()
    expect(heading(page, say("Your withdrawal is confirmed"))).to_be_visible()
    assert_accessible(page)
    assert execute(visitor.server, withdrawals) == [(1,)]


def test_a_customer_withdraws_from_a_whole_order_and_not_after_14_days(visitor: Visitor) -> None:
    forget(visitor.server)
    visitor.log_in(*ROOS)
    page = visitor.page()
    page.goto(f"/orders/{OLD}")
    expect(page.get_by_role("heading", name="Retourneren of omruilen")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Artikelen van deze bestelling kon je tot en met")
    expect(page.get_by_role("link", name="Iets retourneren")).to_have_count(0)
    expect(page.get_by_role("link", name="Deze bestelling herroepen")).to_have_count(0)
    page.goto(f"/withdrawal/{OLD}")
    expect(heading(page, "Deze bestelling kun je niet meer herroepen")).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/orders/{BUNDLE}")
    page.get_by_role("link", name="Deze bestelling herroepen").click()
    expect(heading(page, "Wat wil je herroepen?")).to_be_visible()
    shown(page)
    main = page.get_by_role("main")
    expect(main.get_by_label("Je naam", exact=True)).to_have_value("Roos de Wit")
    assert_accessible(page)
    main.get_by_role("radio", name="De hele bestelling").check()
    main.get_by_role("button", name="Verder").click()
    expect(heading(page, "Bevestig je herroeping")).to_be_visible()
    main.get_by_role("button", name="Wijzig").click()
    expect(main.get_by_role("radio", name="De hele bestelling")).to_be_checked()
    main.get_by_role("button", name="Verder").click()
    main.get_by_role("button", name="Herroeping bevestigen").click()
    expect(heading(page, "We hebben je herroeping ontvangen")).to_be_visible()
    assert_accessible(page)
    expect(main).not_to_contain_text("Afdeling retouren")
    main.get_by_role("button", name="Antwoord versturen").click()
    expect(main.get_by_role("alert").filter(has_text="Geef aan hoe het met de accu is.")).to_have_count(1)
    assert_accessible(page)
    main.get_by_role("radio", name="Geen van deze").check()
    main.get_by_role("button", name="Antwoord versturen").click()
    expect(main).to_contain_text("Afdeling retouren")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download als pdf").click()
    assert download.value.suggested_filename.endswith(".pdf")
    page.get_by_role("link", name="Bekijk je retour").click()
    expect(heading(page, re.compile("^Herroeping: "))).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Verklaard door")
    assert_accessible(page)
    page.goto(f"/withdrawal/{BUNDLE}")
    expect(page.get_by_text(f"Alles van bestelling {BUNDLE} is al geretourneerd of herroepen.")).to_be_visible()
    forget(visitor.server)
