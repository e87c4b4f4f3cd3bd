"""What the tests of returns share: a customer in a flow, the amounts on the screen, what was stored of it."""

from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.flows import FlowCase
from tests.support.stored import execute
from tests.support.walks import Walk

_AMOUNTS = "rows => rows.map(row => row.innerText.replace(/\\s+/g, ' '))"


def walk_through(visitor: Visitor, case: FlowCase, customer: tuple[str, str] | None = None) -> Walk:
    """Log in for a flow, as its customer or another one."""
    visitor.log_in(*(customer or case.customer))
    return Walk(visitor, case)


def amounts(page: Page) -> list[str]:
    """The lines of the settlement, as they are read."""
    box = page.locator("[data-amounts] dl > div")
    expect(box).not_to_have_count(0)
    return box.evaluate_all(_AMOUNTS)


def sent(visitor: Visitor, page: Page, columns: str) -> tuple[object, ...]:
    """Columns of the return that the page confirms."""
    reference = page.locator("main p.text-h2").inner_text().replace(" ", "")
    [row] = execute(visitor.server, f"SELECT {columns} FROM returns WHERE reference = ?", reference)
    return row
