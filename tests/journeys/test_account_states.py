"""The pages of the account while they wait, when nothing is there yet, and when something cannot be loaded."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

from tests.journeys.held_socket import Socket
from tests.journeys.test_account import shown
from tests.support.browser import ON_A_PHONE, Visitor, assert_accessible
from tests.support.people import SANNE
from tests.support.server import PortalServer
from tests.support.stored import database

_SHIFT = """since => new Promise(resolve => {
    let sum = 0;
    const add = entry => { sum += entry.startTime < since ? 0 : entry.value; };
    new PerformanceObserver(list => list.getEntries().forEach(add))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 200);
})"""

TABLES = {
    "/dashboard": "bikes",
    "/my-data": "orders",
    "/orders": "order_lines",
    "/orders/900000001": "order_lines",
    "/invoices": "invoices",
    "/bikes": "bikes",
    "/maintenance": "requests",
    "/order-status/900000001": "delivery_events",
    "/returns": "returns",
    "/insurance-package": "insurance_requests",
    "/service-package": "package_terms",
}
"""Without this table the provider cannot answer what the page asks."""


@contextmanager
def without_table(server: PortalServer, name: str) -> Iterator[None]:
    """Take a table away from a running shop, and bring it back."""

    def rename(old: str, new: str) -> None:
        with database(server) as connection:
            connection.execute("PRAGMA legacy_alter_table = ON")
            connection.execute(f"ALTER TABLE {old} RENAME TO {new}")

    rename(name, f"{name}_away")
    try:
        yield
    finally:
        rename(f"{name}_away", name)


def test_what_cannot_be_loaded_is_reported_and_trying_again_works(abroad: Visitor) -> None:
    visitor = abroad
    visitor.log_in(*SANNE)
    page = visitor.page()
    again = page.get_by_role("main").get_by_role("button", name="Please try again")
    for path, table in TABLES.items():
        page.goto("/contact")
        with without_table(visitor.server, table):
            # Not as a document of its own: one that was drawn with the error loads its data again by itself.
            navigate(page, path)
            expect(page.get_by_role("main").get_by_role("alert").first).to_be_visible()
            expect(page.locator("h1")).to_have_count(1)
            assert_accessible(page)
        again.click()
        expect(again).to_have_count(0)
        shown(page)


def test_customer_data_that_cannot_be_loaded_is_also_shown_in_the_corner(sanne: Visitor) -> None:
    page = sanne.page()
    text = "Klant gegevens konden niet worden geladen."
    with without_table(sanne.server, "bikes"):
        page.goto("/dashboard")
        expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
        corner = page.locator("[data-toast=error]").filter(has_text=text)
        corner.hover()  # it stays while the pointer is on it
        # One alert for one error: the notification is not read out as well.
        expect(page.locator("[role=alert], [aria-live=assertive]").filter(has_text=text)).to_have_count(1)
        corner.get_by_role("button").click()
        expect(corner).to_have_count(0)
        expect(page.get_by_role("main").get_by_text(text)).to_be_visible()
        expect(page.get_by_text("Direct regelen")).to_have_count(0)


def open_without_data(page: Page, path: str) -> None:
    """Open a page from another one, so that it waits for its socket."""
    page.goto("/dashboard")
    navigate(page, path)


def navigate(page: Page, path: str) -> None:
    page.evaluate("path => void window.__reactRouterDataRouter.navigate(path)", path)


@ON_A_PHONE
def test_a_long_wait_shows_a_skeleton_that_nothing_jumps_from(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    for path in ("/orders", "/bikes"):
        socket = Socket(page)
        open_without_data(page, path)
        waiting = page.locator("main [aria-busy=true]")
        expect(waiting).to_be_visible()
        expect(waiting).to_have_css("opacity", "1")
        expect(page.get_by_role("main").get_by_role("status").first).to_have_text("Bezig met laden…")
        assert_accessible(page)
        since = page.evaluate("performance.now()")
        socket.let_go()
        expect(page.get_by_role("main")).to_contain_text("900000001")
        assert page.evaluate(_SHIFT, since) <= 0.1


def test_a_short_wait_shows_nothing_at_all(sanne: Visitor) -> None:
    page = sanne.page()
    socket = Socket(page)
    open_without_data(page, "/bikes")
    placeholder = page.locator("main .appear").first
    placeholder.wait_for(state="attached")
    # However long this machine takes: what is seen after so many milliseconds of waiting.
    seen_after = """(element, milliseconds) => {
        element.getAnimations()[0].currentTime = milliseconds;
        return getComputedStyle(element).opacity;
    }"""
    assert [placeholder.evaluate(seen_after, moment) for moment in (0, 399, 401)] == ["0", "0", "1"]
    socket.let_go()
    expect(page.get_by_role("main")).to_contain_text("900000001")
    expect(page.locator("main .appear")).to_have_count(0)


def _nobody_answers(page: Page, path: str) -> Locator:
    """Open a page in vain. Returns what it says to those who wait very long."""
    page.route_web_socket("**/_event/**", lambda socket: None)  # noqa: ARG005 - nobody ever answers
    page.route("**/_event/**", lambda route: None)  # noqa: ARG005 - nor by polling, which takes the place of the socket
    open_without_data(page, path)
    return page.get_by_text("Dit duurt langer dan normaal.")


def test_somebody_who_waits_very_long_is_informed(sanne: Visitor) -> None:
    page = sanne.page()
    truth = _nobody_answers(page, "/orders")
    expect(truth).to_be_hidden()
    expect(truth).to_be_visible()
    assert_accessible(page)
