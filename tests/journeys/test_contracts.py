"""Ending a contract: two steps and a receipt, for customers and for guests (part-2 §11)."""

import re

from playwright.sync_api import expect

from tests.journeys.test_account import heading
from tests.support.browser import Visitor, assert_accessible
from tests.support.living import FLEUR
from tests.support.stored import execute
from tests.support.tours import assert_filled


def test_a_contract_is_cancelled_by_a_guest_and_confirmed_by_the_mailed_link(visitor: Visitor) -> None:
    execute(visitor.server, "DELETE FROM jobs WHERE kind = 'contract_end'")
    running = "SELECT reference FROM package_orders WHERE reference NOT IN (SELECT contract FROM contract_ends)"
    ((reference,),) = execute(visitor.server, running)
    execute(visitor.server, "DELETE FROM contract_ends")
    page = visitor.page()
    page.goto("/")
    page.locator("footer").get_by_role("link", name="Contract opzeggen").click()
    expect(heading(page, "Contract opzeggen of herroepen")).to_be_focused()
    assert_accessible(page)
    assert_filled(page)
    main = page.get_by_role("main")
    main.get_by_role("button", name="Verder").click()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    assert_accessible(page)
    page.get_by_label("Contractnummer", exact=True).fill(reference)
    page.get_by_label("E-mailadres", exact=True).fill(FLEUR[1])
    main.get_by_role("button", name="Verder").click()
    expect(heading(page, "Je contract opzeggen")).to_be_visible()
    expect(main).to_contain_text("Servicepakket Complete")
    assert_accessible(page)
    assert_filled(page)
    main.get_by_label("Je naam", exact=True).fill("Fleur Willems")
    main.get_by_role("button", name="Contract hier opzeggen").click()
    expect(heading(page, "Bevestig je opzegging")).to_be_visible()
    assert_accessible(page)
    assert_filled(page)
    seen = len(visitor.server.mailbox.mails_to(FLEUR[1]))
    main.get_by_role("button", name="Opzegging bevestigen").dblclick()
    expect(heading(page, "We hebben je opzegging ontvangen")).to_be_visible()
    assert_accessible(page)
    link = visitor.server.mailbox.wait_for(FLEUR[1], after=seen).get_body(("plain",))
    found = re.search(r"/cancel-contract/confirm/\S+", link.get_content() if link else "")
    assert found
    page.goto(found[0])
    main.get_by_role("radio", name="Ja, ik zeg dit contract op").check()
    assert_accessible(page)
    main.get_by_role("button", name="Antwoord versturen").dblclick()
    expect(heading(page, "Je opzegging is bevestigd")).to_be_visible()
    assert_accessible(page)
    visitor.log_in(*FLEUR)
    page = visitor.page()
    page.goto("/contracts")
    assert_accessible(page)
    page.goto(f"/contracts/{reference}")
    expect(page.get_by_role("main")).to_contain_text("In behandeling")
    assert_accessible(page)
    page.get_by_role("button", name="Contract houden").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Contract houden").click()
    expect(page.get_by_role("button", name="Contract hier opzeggen")).to_be_visible()
    assert_accessible(page)
