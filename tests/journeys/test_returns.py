"""The list of returns and the page of one: how it stands, its papers, what can still be done (part-2 §2, §4)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from portal.kernel.texts import catalogue
from portal.kernel.validation import in_groups
from tests.journeys.test_account import assert_fits_everywhere, heading, shown
from tests.provider.test_commands import run
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import EVA, ROOS, TESS
from tests.support.server import PortalServer
from tests.support.stored import execute
from tests.support.windows import ON_A_WIDE_SCREEN

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
    assert_fits_everywhere(page)
    assert_accessible(page)
    card.get_by_role("button", name=say("Send the email again")).click()
    expect(card.get_by_role("status").filter(has_text="roos@example.com")).to_be_visible()
    assert_accessible(page)
    card.get_by_role("link", name=say("View what you requested")).click()
    expect(page.get_by_role("button", name=say("Send the email again"))).to_be_visible()
    expect(page.get_by_role("list", name=say("Progress of your return"))).to_have_count(0)
    assert_fits_everywhere(page)
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
        assert_fits_everywhere(page)
        assert_accessible(page)


def test_label_and_summary_are_downloaded_and_a_failure_is_reported(visitor: Visitor) -> None:
    return_id, reference = reference_of(visitor.server, "accessories", 1)
    execute(visitor.server, STATUS, "pickup_confirmed_to_customer", reference)
    visitor.log_in(*ROOS)
    page = visitor.page()
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/returns/{return_id}")
    expect(page.get_by_role("link", name="Retourlabel downloaden (pdf)")).to_be_visible()
    assert_fits(page)
    for text, name in (
        ("Retourlabel downloaden (pdf)", f"label-{reference}.pdf"),
        ("aanvraag", f"retour-{reference}.pdf"),
    ):
        with page.expect_download() as download:
            page.get_by_role("link", name=re.compile(re.escape(text))).click()
        assert download.value.suggested_filename == name
    page.route(
        "**/files/returns/**", lambda route: route.fulfill(status=503, content_type="application/json", body="{}")
    )
    visitor.troubles.allow("status of 503")
    page.get_by_role("link", name="Retourlabel downloaden (pdf)").click()
    failed = "PDF kon niet gedownload worden."
    expect(page.locator("[data-toast]").filter(has_text=failed)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(failed)).to_be_visible()


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


@pytest.mark.parametrize("width", [375, 1280])
def test_several_items_are_seen_before_they_are_read_also_when_it_is_over(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    visitor.log_in(*TESS)
    page = visitor.page()
    page.goto("/returns")
    entries = page.locator("main li").filter(has=page.get_by_role("heading", level=3))
    expect(entries).to_have_count(2)
    for entry in entries.all():
        expect(entry.locator("img.picture")).to_have_count(3)
    assert_fits(page)
    assert_accessible(page)


def test_without_returns_and_without_an_answer_the_page_says_so(visitor: Visitor) -> None:
    visitor.log_in(*EVA)
    page = visitor.page()
    page.goto("/returns")
    expect(page.get_by_text("Je hebt nog geen retouren")).to_be_visible()
    assert_accessible(page)
    page.goto("/returns/ABCDEFGH23")
    expect(heading(page, "Pagina niet gevonden")).to_be_visible()
    execute(visitor.server, "ALTER TABLE return_units RENAME TO away")
    try:
        page.goto("/returns/ABCDEFGH24")
        expect(heading(page, "Pagina niet gevonden")).to_be_visible()
        visitor.log_in(*ROOS)
        page.goto("/returns")
        expect(page.get_by_text("Je retouren konden niet worden geladen.")).to_be_visible()
        assert_accessible(page)
    finally:
        execute(visitor.server, "ALTER TABLE away RENAME TO return_units")
    page.get_by_role("button", name="Probeer het opnieuw").click()
    expect(page.get_by_text("Je retouren konden niet worden geladen.")).to_have_count(0)
    # What was not confirmed in time, and whose day is past, is asked for anew.
    return_id, _ = reference_of(visitor.server, "order_return")
    late = "UPDATE returns SET confirm_until = ?, pickup_day = ?, status = ? WHERE public_id = ?"
    day = execute(visitor.server, "SELECT pickup_day FROM returns WHERE public_id = ?", return_id)[0][0]
    execute(visitor.server, late, "2020-01-02 00:00:00.000000", "2020-01-06", "pending_confirmation", return_id)
    page.goto(f"/returns/{return_id}")
    again = page.get_by_role("main").get_by_role("link", name="Retour aanmelden")
    expect(again).to_have_attribute("href", "/order-return?order=900000725")
    expect(page.get_by_role("button", name="Stuur de e-mail opnieuw")).to_have_count(0)
    assert_accessible(page)
    execute(visitor.server, late, "2099-01-01 00:00:00.000000", day, "pending_confirmation", return_id)
