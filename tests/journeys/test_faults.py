"""What fails behind the page: the customer sees a designed state, loses nothing that was acknowledged, and goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from email import message_from_bytes, policy

import httpx
from playwright.sync_api import Page, expect

from tests.support.browser import Visit, assert_accessible
from tests.support.mailbox import code_in
from tests.support.postgres import PostgresCluster
from tests.support.server import PortalServer
from tests.support.smtp import MailServer

ORDERS = "main a[href^='/orders/']"
BIKES = "main a[href^='/bikes/']"
SANNE = ("900000001", "sanne@example.com")

_BROKEN = r"WebSocket|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of 5\d\d"


def open_page(page: Page, name: str) -> None:
    """Follow a link of the main menu."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).first.click()


def test_a_killed_worker_is_replaced_and_the_customer_stays_logged_in(unsteady: PortalServer, visit: Visit) -> None:
    server = unsteady
    visitor = visit(server=server)
    visitor.troubles.allow(_BROKEN)
    visitor.log_in(*SANNE)
    page = visitor.page()
    page.goto("/orders")
    expect(page.locator(ORDERS).first).to_be_visible()

    killed = server.worker_pid()
    server.kill_worker()
    started = time.monotonic()
    while not server.answers():
        assert time.monotonic() - started < 20, "no worker came back"
    assert server.worker_pid() != killed

    open_page(page, "Fietsen")
    expect(page.locator(BIKES).first).to_be_visible()
    assert "/bikes" in page.url


def test_a_code_asked_for_just_before_the_worker_was_killed_still_arrives_and_works(unsteady: PortalServer) -> None:
    server = unsteady
    seen = len(server.mailbox.mails_to(SANNE[1]))
    with httpx.Client(base_url=server.base_url, headers={"origin": server.base_url}, timeout=60) as browser:
        asked = browser.post("/auth/code", json={"order_number": SANNE[0], "email": SANNE[1]})
        server.kill_worker()
        assert asked.json()["success"]

        code = server.mailbox.code_for(SANNE[1], after=seen, seconds=40)
        entered = browser.post("/auth/session", json={"code": code})

    assert entered.json() == {"success": True, "data": {"next": "/dashboard"}, "error": None, "details": None}


def test_while_the_database_is_down_pages_say_so_and_afterwards_the_customer_goes_on(
    start_portal: Callable[..., PortalServer], visit: Visit, postgres_cluster: PostgresCluster
) -> None:
    server = start_portal(PORTAL_DATABASE_URL=postgres_cluster.create_database())
    visitor = visit(server=server)
    visitor.troubles.allow(_BROKEN)
    visitor.log_in(*SANNE)
    page = visitor.page()
    page.goto("/orders")
    expect(page.locator(ORDERS).first).to_be_visible()

    postgres_cluster.stop()
    try:
        open_page(page, "Fietsen")
        retry = page.get_by_role("main").get_by_role("button", name="Probeer het opnieuw")
        expect(retry).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("Je fietsen konden niet worden geladen.")
        assert_accessible(page)
    finally:
        postgres_cluster.start()

    retry.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator(BIKES).first).to_be_visible()


def test_a_code_waits_for_the_mail_server_and_is_delivered_once_it_is_back(
    start_portal: Callable[..., PortalServer], visit: Visit
) -> None:
    mail_server = MailServer()
    server = start_portal(
        PORTAL_SMTP__HOST="127.0.0.1", PORTAL_SMTP__PORT=str(mail_server.port), PORTAL_SMTP__SECURITY="none"
    )
    page = visit(server=server).page()
    page.goto("/")
    page.get_by_label("Bestelnummer", exact=True).fill(SANNE[0])
    page.get_by_label("E-mailadres").fill(SANNE[1])
    page.get_by_role("button", name="Verstuur inlogcode").click()
    expect(page.get_by_role("heading", level=1, name="Vul je inlogcode in")).to_be_visible()

    mail_server.start()
    try:
        code = _code_delivered(mail_server, seconds=40)
    finally:
        mail_server.stop()
    page.get_by_label("Inlogcode").fill(code)
    page.get_by_role("button", name="Inloggen").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hoi Sanne")


def _code_delivered(mail_server: MailServer, seconds: float) -> str:
    """The code in the only mail that the server accepts."""
    until = time.monotonic() + seconds
    while not mail_server.answers.taken and time.monotonic() < until:
        time.sleep(0.1)
    (mail,) = mail_server.answers.taken
    return code_in(message_from_bytes(mail.as_bytes(), policy=policy.default))
