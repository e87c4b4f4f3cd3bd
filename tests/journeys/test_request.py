"""The page of a request, and pages that change by themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.texts import gettext_for
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus, status_words
from tests.journeys.back_office import move, reference_of, set_back
from tests.journeys.test_account import assert_fits_everywhere, heading, shown, word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import JORIS, MAX, SANNE
from tests.support.stored import execute
from tests.support.windows import ON_A_WIDE_SCREEN

STATUSES = [status for status in WorkOrderStatus if status is not WorkOrderStatus.UNKNOWN]


Repair = tuple[Visitor, Page, str]


def _repair(visitor: Visitor) -> Repair:
    """The page of a repair that is going on."""
    visitor.log_in(*JORIS)
    reference = reference_of(visitor.server, JORIS[1])
    set_back(visitor.server, reference)
    page = visitor.page()
    page.goto(f"/maintenance/{reference}")
    shown(page)
    return visitor, page, reference


@pytest.fixture
def repair(abroad: Visitor) -> Repair:
    """The page of a repair that is going on, in English on a small screen."""
    return _repair(abroad)


@ON_A_WIDE_SCREEN
def test_a_request_shows_how_far_it_is_where_it_is_and_what_happened(visitor_crosswise: Visitor) -> None:
    visitor, page, reference = _repair(visitor_crosswise)
    expect(
        heading(page, word(visitor, "Reparatie: Duinroos Zilt Comfort", "Repair: Duinroos Zilt Comfort"))
    ).to_be_visible()
    main = page.get_by_role("main")
    expect(main).to_contain_text(word(visitor, "De reparatie is begonnen.", "The repair has started."))
    phases = page.get_by_role("list", name=word(visitor, "Hoe ver je aanvraag is", "Progress of your request"))
    assert [text.split()[0] for text in phases.get_by_role("listitem").all_inner_texts()] == (
        word(visitor, "Aanvraag Afspraak Reparatie Ophalen", "Request Appointment Repair Pick").split()
    )
    expect(phases.locator("[aria-current=step]")).to_contain_text(word(visitor, "Reparatie", "Repair"))
    call = page.get_by_role("link", name=re.compile(word(visitor, "Bel ", "Call ")))
    expect(call).to_have_attribute("href", "tel:+31202001236")
    route = page.get_by_role("link", name=re.compile(word(visitor, "Plan je route", "Plan your route")))
    expect(route).to_have_attribute("href", re.compile(r"^https://www\.google\.com/maps/dir/.*Keizersgracht"))
    expect(route).to_have_attribute("rel", "noreferrer")
    expect(main).to_contain_text(word(visitor, "Duurt het langer dan 3 weken?", "Is it taking longer than 3 weeks?"))
    expect(main).to_contain_text(word(visitor, "Aangemeld op", "Reported on"))
    expect(main).to_contain_text(reference)
    history = page.locator("main ol").last
    moments = history.locator("time")
    stamps = [moments.nth(place).get_attribute("datetime") or "" for place in range(moments.count())]
    assert len(stamps) >= 4
    assert stamps == sorted(stamps, reverse=True)
    assert_fits_everywhere(page)
    assert_accessible(page)


def test_a_page_changes_by_itself_without_moving_the_reader(repair: Repair) -> None:
    visitor, page, reference = repair
    page.wait_for_timeout(1300)
    link = page.get_by_role("link", name=re.compile(word(visitor, "Plan je route", "Plan your route")))
    link.focus()
    # The browser may scroll along with what changes above the reader; here only the page itself could scroll.
    page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    page.evaluate("window.scrollTo(0, 300)")
    before = page.evaluate("window.scrollY")
    move(visitor.server, reference, "wait_for_parts", "--note", "De cassette komt morgen.")
    expect(page.get_by_text("De cassette komt morgen.")).to_be_visible()
    status = page.get_by_role("status").filter(has_text=word(visitor, "Bijgewerkt op", "Updated on"))
    expect(status).to_contain_text(word(visitor, "Wacht op onderdelen", "Waiting for parts"))
    expect(link).to_be_focused()
    assert page.evaluate("window.scrollY") == before
    assert_accessible(page)
    set_back(visitor.server, reference)


@pytest.mark.parametrize("path", ["/dashboard", "/maintenance"])
def test_lists_change_by_themselves(visitor: Visitor, path: str) -> None:
    visitor.log_in(*JORIS)
    reference = reference_of(visitor.server, JORIS[1])
    set_back(visitor.server, reference)
    page = visitor.page()
    page.goto(path)
    expect(page.get_by_text("De reparatie is begonnen.")).to_be_visible()
    page.wait_for_timeout(1300)
    move(visitor.server, reference, "wait_for_customer")
    expect(page.get_by_text("Je fiets is gerepareerd: je kunt hem ophalen of we bezorgen hem.")).to_be_visible()
    set_back(visitor.server, reference)


def test_all_twelve_statuses_are_shown_with_their_meaning(visit: Visit) -> None:
    visitor, page, reference = _repair(visit(width=375))
    say = gettext_for("nl")
    for status in STATUSES:
        execute(visitor.server, "UPDATE requests SET status = ? WHERE reference = ?", status.value, reference)
        page.reload()
        shown(page)
        panel = page.locator("main .bg-panel").first
        # The day that the shop planned has gone by, and nobody chose how the bike goes.
        label, meaning = status_words(RequestKind.REPAIR, status, None, planned=False)
        expect(panel).to_contain_text(say(label))
        expect(panel).to_contain_text(say(meaning))
        assert_accessible(page)
    set_back(visitor.server, reference)


def test_a_claim_goes_by_quote_review_and_repair(abroad: Visitor) -> None:
    abroad.log_in(*MAX)
    page = abroad.page()
    page.goto(f"/maintenance/{reference_of(abroad.server, MAX[1], 'claim')}")
    phases = page.get_by_role("list", name=word(abroad, "Hoe ver je aanvraag is", "Progress of your request"))
    expect(phases.get_by_role("listitem")).to_have_count(3)
    assert [text.split()[0] for text in phases.get_by_role("listitem").all_inner_texts()] == (
        word(abroad, "Offerte Beoordeling Reparatie", "Quote Review Repair").split()
    )
    expect(page.get_by_text("De nieuwe bak is besteld.")).to_be_visible()
    assert_fits(page)


def test_after_three_weeks_of_silence_the_page_says_whom_to_ask(repair: Repair) -> None:
    visitor, page, reference = repair
    query = """UPDATE work_order_events SET happened_at = datetime(happened_at, ?)
               WHERE request_id = (SELECT id FROM requests WHERE reference = ?)"""
    execute(visitor.server, query, "-60 days", reference)
    page.reload()
    expect(page.get_by_text(word(visitor, "Sinds ", "You’ve heard nothing since "))).to_be_visible()
    ask = word(visitor, "Duurt het langer dan 3 weken? Bel", "Is it taking longer than 3 weeks? Call") + " Bovenbuis"
    expect(page.get_by_role("main")).to_contain_text(ask)
    assert_accessible(page)
    execute(visitor.server, query, "+60 days", reference)


def test_somebody_elses_request_is_not_found(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto(f"/maintenance/{reference_of(sanne.server, JORIS[1])}")
    expect(heading(page, "Pagina niet gevonden")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text("Duinroos Zilt")
    assert_accessible(page)


def test_a_page_that_cannot_be_loaded_says_so(visitor: Visitor) -> None:
    visitor.log_in(*SANNE)
    reference = execute(
        visitor.server,
        "SELECT reference FROM requests JOIN customers ON customers.id = customer_id WHERE email = ?",
        SANNE[1],
    )[0][0]
    execute(visitor.server, "ALTER TABLE work_order_events RENAME TO away")
    page = visitor.page()
    try:
        page.goto(f"/maintenance/{reference}")
        expect(page.get_by_text("Je serviceaanvraag kon niet worden geladen.")).to_be_visible()
        assert_accessible(page)
    finally:
        execute(visitor.server, "ALTER TABLE away RENAME TO work_order_events")
    page.get_by_role("button", name="Probeer het opnieuw").click()
    expect(heading(page, re.compile("Reparatie: "))).to_be_visible()
