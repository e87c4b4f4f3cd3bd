"""The confirmation page gives the papers of a request: as files, and in place when that fails."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from portal.kernel.texts import catalogue
from tests.support.browser import Visitor, assert_accessible
from tests.support.server import PortalServer
from tests.support.stored import execute, forget_requests

JORIS = ("900000002", "joris@example.com")
CONFIRMATION = "/repair-request/confirmation"


def sent_repair(server: PortalServer) -> str:
    """As if Joris had sent the repair that he has at the workshop, planned for a day; its reference."""
    forget_requests(server)
    [(reference, customer, planned)] = execute(
        server,
        "SELECT reference, customer_id, planned_date FROM requests WHERE planned_date IS NOT NULL AND customer_id ="
        " (SELECT id FROM customers WHERE email = ?) LIMIT 1",
        JORIS[1],
    )
    receipt = {"email": JORIS[1], "summary": {"planned": planned}}
    execute(
        server,
        "INSERT INTO drafts (public_id, key, customer_id, flow, subject, answers, completed, facts, version,"
        " created_at, updated_at, expires_at, sent_at, reference, receipt) "
        " VALUES ('PAPERS2345', 'papers', ?, 'repair-request', '',"
        " '{}', '[]', '{}', 9, datetime('now'), datetime('now'), datetime('now', '+30 days'), datetime('now'), ?, ?)",
        customer,
        reference,
        json.dumps(receipt),
    )
    return reference


def test_document_and_appointment_are_downloaded_from_the_confirmation(abroad: Visitor) -> None:
    visitor = abroad
    reference = sent_repair(visitor.server)
    say = catalogue("portal", "en" if visitor.language == "en" else "nl").gettext
    visitor.log_in(*JORIS)
    page = visitor.page()
    page.goto(CONFIRMATION)
    sent_to = say("We’ve sent a confirmation to {email}.").replace("{email}", JORIS[1])
    expect(page.locator("main")).to_contain_text(sent_to)
    assert_accessible(page)
    for text, name in (("Download as PDF", rf"-{reference}\.pdf"), ("Add to your calendar", rf"-{reference}-.*\.ics")):
        with page.expect_download() as download:
            page.get_by_role("link", name=say(text)).click()
        assert re.search(name, download.value.suggested_filename)
    assert page.evaluate("document.documentElement.scrollWidth") <= visitor.width
    forget_requests(visitor.server)


def test_a_document_that_cannot_be_made_is_reported_beside_its_link(visitor: Visitor) -> None:
    sent_repair(visitor.server)
    visitor.log_in(*JORIS)
    page = visitor.page()
    page.goto(CONFIRMATION)
    expect(page.get_by_role("link", name="Download als pdf")).to_be_visible()
    visitor.troubles.allow("status of 503")
    page.route(
        "**/files/requests/**", lambda route: route.fulfill(status=503, content_type="application/json", body="{}")
    )
    page.get_by_role("link", name="Download als pdf").click()
    text = "PDF kon niet gedownload worden."
    expect(page.locator("[data-toast]").filter(has_text=text)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
    page.get_by_role("link", name="Zet in je agenda").click()
    expect(page.locator("main")).to_contain_text("De afspraak kon niet gedownload worden.")
    forget_requests(visitor.server)
