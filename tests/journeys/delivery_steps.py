"""What the tests of deliveries share: orders of the demonstration, the days as each language writes them."""

import re
from datetime import date

from playwright.sync_api import Locator, Page, expect

from portal.backend.letter import weekday
from tests.support.browser import Visitor
from tests.support.channels import plain
from tests.support.mailbox import text_of
from tests.support.server import PortalServer
from tests.support.stored import execute

DAAN = ("900000071", "daan@example.com")
BRAM = ("900000701", "bram@example.com")

FREE, PENDING, CONFIRMED, ACCEPTED, REFUSED, EXPIRED, GONE, PARTED, UNPLANNED = (
    str(number) for number in range(900_000_071, 900_000_080)
)
"""Orders of Daan, by how the change of their day stands."""

LINK = re.compile(r"/delivery-date/confirm/([A-Za-z0-9_-]{43})")


def forget_requests(server: PortalServer, number: str = FREE) -> None:
    """As if nobody had ever asked for another day of an order."""
    own = "SELECT id FROM orders WHERE order_number = ?"
    execute(server, f"DELETE FROM date_changes WHERE order_id IN ({own})", number)


def fill_days(server: PortalServer) -> None:
    """Let no day have a place left."""
    execute(server, "UPDATE delivery_days SET capacity = taken")
    execute(
        server,
        """INSERT OR IGNORE INTO delivery_days (country_code, day, capacity, taken)
           WITH RECURSIVE d(day) AS (SELECT date('now') UNION ALL SELECT date(day, '+1 day') FROM d LIMIT 90)
           SELECT 'NL', day, 0, 0 FROM d""",
    )


def fill_day(server: PortalServer, day: str) -> None:
    """Let one day have no place."""
    execute(server, "DELETE FROM delivery_days WHERE country_code = 'NL' AND day = ?", day)
    execute(server, "INSERT INTO delivery_days (country_code, day, capacity, taken) VALUES ('NL', ?, 0, 0)", day)


def empty_days(server: PortalServer) -> None:
    """Give every place back."""
    execute(server, "DELETE FROM delivery_days WHERE capacity = 0")
    execute(server, "UPDATE delivery_days SET capacity = 12")


def written(day: str | date, visitor: Visitor) -> str:
    """A day with its weekday, as the pages write it, with plain spaces."""
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return plain(weekday(day, "en" if visitor.language == "en" else "nl"))


def weeks(page: Page) -> Locator:
    """The weeks that can be chosen."""
    return page.locator("main input[name=week]")


def days(page: Page) -> Locator:
    """The days of the chosen week."""
    return page.locator("main fieldset.reveal:visible input[type=radio]")


def confirm_by_mail(visitor: Visitor, address: str, after: int) -> None:
    """Open the link of the newest mail and press its button."""
    text = plain(text_of(visitor.server.mailbox.wait_for(address, after=after)))
    found = LINK.search(text)
    assert found, text
    page = visitor.page()
    page.goto(found.group(0))
    page.get_by_role("button", name="Nieuwe bezorgdag bevestigen").click()
    heading_shown(page, "Je nieuwe bezorgdag is bevestigd")
    page.close()


def heading_shown(page: Page, name: str) -> None:
    """Wait for the page with this heading, and its contents."""
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
