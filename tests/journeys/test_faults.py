"""What fails behind the page: the customer sees a designed state, loses nothing that was acknowledged, and goes on."""

from collections.abc import Callable
from datetime import date

from playwright.sync_api import Page, expect

from portal.kernel.days import today
from tests.journeys.back_office import move, reference_of, set_back
from tests.support.browser import Visit, assert_accessible
from tests.support.people import JORIS
from tests.support.postgres import PostgresCluster
from tests.support.server import PortalServer

ORDERS = "main a[href^='/orders/']"
BIKES = "main a[href^='/bikes/']"
SANNE = ("900000001", "sanne@example.com")

_BROKEN = r"WebSocket|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of 5\d\d"


def open_page(page: Page, name: str) -> None:
    """Follow a link of the main menu."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).first.click()


def test_a_tab_that_lost_its_connection_catches_up(unsteady: PortalServer, visit: Visit) -> None:
    visitor = visit(server=unsteady)
    visitor.log_in(*JORIS)
    visitor.troubles.allow(".*")
    reference = reference_of(visitor.server, JORIS[1])
    set_back(visitor.server, reference)
    page = visitor.page()
    page.goto(f"/maintenance/{reference}")
    expect(page.get_by_text("De reparatie is begonnen.").first).to_be_visible()
    visitor.server.crash()
    move(visitor.server, reference, "wait_for_parts", "--note", "Terwijl je weg was.")
    expect(page.get_by_text("Terwijl je weg was.")).to_be_visible()
    move(visitor.server, reference, "repair_continued", "--note", "En weer terug.")
    expect(page.get_by_text("En weer terug.")).to_be_visible()
    set_back(visitor.server, reference)


def test_while_the_database_is_down_pages_say_so_and_afterwards_the_customer_goes_on(
    start_portal: Callable[..., PortalServer],
    visit: Visit,
    postgres_cluster: PostgresCluster,
    postgres_shop_of_day: Callable[[date], str],
) -> None:
    server = start_portal(PORTAL_DATABASE_URL=postgres_cluster.create_database(postgres_shop_of_day(today())))
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
