"""The confirmation page gives the papers of a request: as files, and in place when that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from playwright.sync_api import expect

from portal.kernel.days import today
from portal.kernel.texts import catalogue
from tests.support.browser import Visitor, assert_accessible
from tests.support.server import PortalServer
from tests.support.stored import execute, forget_requests

JORIS = ("900000002", "joris@example.com")
CONFIRMATION = "/repair-request/confirmation"


@contextmanager
def sent_repair(server: PortalServer) -> Iterator[str]:
    """As if Joris had sent the repair that he has at the workshop, planned for a day ahead; its reference."""
    forget_requests(server)
    [(reference, customer, status, planned)] = execute(
        server,
        "SELECT reference, customer_id, status, planned_date FROM requests WHERE status = 'in_repair'"
        " AND customer_id = (SELECT id FROM customers WHERE email = ?) LIMIT 1",
        JORIS[1],
    )
    change = "UPDATE requests SET status = ?, planned_date = ? WHERE reference = ?"
    execute(server, change, "accepted", (today() + timedelta(days=3)).isoformat(), reference)
    execute(
        server,
        "INSERT INTO drafts (public_id, key, customer_id, flow, subject, answers, completed, facts, version,"
        " created_at, updated_at, expires_at, sent_at, reference, receipt) "
        " VALUES ('PAPERS2345', 'papers', ?, 'repair-request', '',"
        " '{}', '[]', '{}', 9, datetime('now'), datetime('now'), datetime('now', '+30 days'), datetime('now'), ?, ?)",
        customer,
        reference,
        json.dumps({"email": JORIS[1], "summary": {}}),
    )
    try:
        yield reference
    finally:
        execute(server, change, status, planned, reference)
        forget_requests(server)


def test_document_and_appointment_are_downloaded_from_the_confirmation(abroad: Visitor) -> None:
    visitor = abroad
    with sent_repair(visitor.server) as reference:
        _downloads(visitor, reference)


def _downloads(visitor: Visitor, reference: str) -> None:
    say = catalogue("en" if visitor.language == "en" else "nl").gettext
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


def test_a_document_that_cannot_be_made_is_reported_beside_its_link(visitor: Visitor) -> None:
    with sent_repair(visitor.server):
        _fails(visitor)


def _fails(visitor: Visitor) -> None:
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
