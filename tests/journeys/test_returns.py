"""The list of returns and the page of one: how it stands, its papers, what can still be done (part-2 §2, §4)."""

import re

from playwright.sync_api import expect

from portal.kernel.texts import catalogue
from portal.kernel.validation import in_groups
from tests.journeys.test_account import heading, shown
from tests.provider.test_commands import run
from tests.support.browser import ON_A_WIDE_SCREEN, Visitor, assert_accessible
from tests.support.people import ROOS
from tests.support.server import PortalServer
from tests.support.stored import execute

STATUS = "UPDATE returns SET status = ?, confirm_until = '2099-01-01 00:00:00.000000' WHERE reference = ?"


def reference_of(server: PortalServer, kind: str, place: int = 0) -> tuple[str, str]:
    """Id and reference of a return of Roos from the demonstration."""
    query = """SELECT returns.public_id, returns.reference FROM returns
               JOIN customers ON customers.id = returns.customer_id
               WHERE email = ? AND returns.kind = ? AND returns.draft_key IS NULL ORDER BY returns.created_at"""
    found = execute(server, query, ROOS[1], kind)[place]
    return found[0], found[1]


@ON_A_WIDE_SCREEN
def test_returns_are_listed_and_shown_and_the_mail_is_sent_again(visitor_crosswise: Visitor) -> None:
    visitor = visitor_crosswise
    say = catalogue("en" if visitor.language == "en" else "nl").gettext
    _, waiting = reference_of(visitor.server, "order_return")
    done, _ = reference_of(visitor.server, "accessories")
    coming, moved = reference_of(visitor.server, "accessories", 1)
    execute(visitor.server, STATUS, "pending_confirmation", waiting)
    execute(visitor.server, STATUS, "pickup_confirmed_to_customer", moved)
    visitor.log_in(*ROOS)
    page = visitor.page()
    page.goto("/dashboard")
    page.get_by_role("link", name=say("Your returns")).click()
    expect(heading(page, say("Your returns"))).to_be_focused()
    shown(page)
    card = page.locator("main li").filter(has_text=in_groups(waiting))
    expect(card).to_contain_text(say("Waiting for your confirmation"))
    expect(card.get_by_role("link", name=say("View the status"))).to_have_count(0)
    assert_accessible(page)
    card.get_by_role("button", name=say("Send the email again")).click()
    expect(card.get_by_role("status").filter(has_text="roos@example.com")).to_be_visible()
    assert_accessible(page)
    card.get_by_role("link", name=say("View what you requested")).click()
    expect(page.get_by_role("button", name=say("Send the email again"))).to_be_visible()
    expect(page.get_by_role("list", name=say("Progress of your return"))).to_have_count(0)
    assert_accessible(page)
    for return_id, text, names in (
        (coming, "Confirmed", ("Request", "Assessment", "Return", "Credit")),
        # What was brought to a store is assessed there.
        (done, "Refund processed", ("Request", "Bring", "Assessment", "Credit")),
    ):
        page.goto(f"/returns/{return_id}")
        expect(page.locator("main .badge").first).to_have_text(say(text))
        phases = page.get_by_role("list", name=say("Progress of your return"))
        expect(phases.get_by_role("listitem")).to_have_count(4)
        assert [line.split("\n")[0].split(" ")[0] for line in phases.get_by_role("listitem").all_inner_texts()] == [
            say(phase).split(" ")[0] for phase in names
        ]
        expect(page.locator("main")).to_contain_text("900000724")
        day = page.locator("main ol li", has_text=re.compile("We halen het op: |We’ll pick it up on "))
        expect(day).to_have_count(int(return_id == coming))
        assert_accessible(page)


def test_a_return_changes_by_itself_and_is_cancelled_after_a_question(visitor: Visitor) -> None:
    return_id, reference = reference_of(visitor.server, "accessories", 1)
    execute(visitor.server, STATUS, "pickup_request_created", reference)
    visitor.log_in(*ROOS)
    page = visitor.page()
    page.goto(f"/returns/{return_id}")
    expect(page.locator("main .badge").first).to_have_text("Retour aangemeld")
    page.wait_for_timeout(1300)
    done = run("return", reference, "pickup_confirmed_to_customer", DATA_DIR=str(visitor.server.data_dir))
    assert done.returncode == 0, done.stderr
    expect(page.locator("main .badge").first).to_have_text("Bevestigd")
    page.get_by_role("button", name="Retour annuleren").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog.get_by_role("button", name="Retour laten staan")).to_be_focused()
    assert_accessible(page)
    dialog.get_by_role("button", name="Retour annuleren").click()
    expect(page.locator("main .badge").first).to_have_text("Geannuleerd")
    expect(page.get_by_role("button", name="Retour annuleren")).to_have_count(0)
    execute(visitor.server, STATUS, "pickup_confirmed_to_customer", reference)
    execute(visitor.server, "UPDATE return_units SET released_at = NULL")
