"""What is special in an exchange and in the older return of an order (part-2 §2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visit, Visitor, assert_accessible
from tests.support.flows import FlowCase
from tests.support.return_cases import (
    EXCHANGE,
    ORDER_RETURN,
    PUMP,
    STRAPS,
)
from tests.support.returning import PARTLY, RETURNED
from tests.support.stored import database, forget_requests
from tests.support.walks import Walk

PIETER = ("900000004", "pieter@example.org")
_AMOUNTS = "rows => rows.map(row => row.innerText.replace(/\\s+/g, ' '))"


@pytest.fixture
def visitor(visit: Visit) -> Iterator[Visitor]:
    window = visit()
    forget_requests(window.server)
    yield window
    forget_requests(window.server)


def _walk(visitor: Visitor, case: FlowCase, customer: tuple[str, str] | None = None) -> Walk:
    visitor.log_in(*(customer or case.customer))
    return Walk(visitor, case)


def _amounts(page: Page) -> list[str]:
    box = page.locator("[data-amounts] dl > div")
    expect(box).not_to_have_count(0)
    return box.evaluate_all(_AMOUNTS)


def _sent(visitor: Visitor, page: Page, columns: str) -> tuple[object, ...]:
    reference = page.locator("main p.text-h2").inner_text().replace(" ", "")
    connection = database(visitor.server)
    row = connection.execute(f"SELECT {columns} FROM returns WHERE reference = ?", (reference,)).fetchone()  # noqa: S608
    connection.close()
    return row


def test_another_bike_shows_what_it_costs_more_and_what_is_sold_out(visitor: Visitor) -> None:
    walking = _walk(visitor, EXCHANGE)
    page = walking.page
    walking.until("step-2")
    walking.fill({"exchange_type": "other"})
    cards = page.locator("label.choice", has=page.locator("[name=product]"))
    expect(cards.first).to_contain_text(re.compile(r"je (betaalt|krijgt) €|dezelfde prijs"))
    assert_accessible(page)
    walking.fill({"product": "*"})
    walking.next()
    for slug in ("step-3", "step-4", "step-5"):
        walking.answer(slug)
    walking.at(EXCHANGE.flow.check)
    assert [row for row in _amounts(page) if row.startswith("Nieuw artikel")]


def test_only_products_of_the_chosen_order_are_sent(visitor: Visitor) -> None:
    walking = _walk(visitor, ORDER_RETURN)
    page = walking.page
    walking.start()
    walking.fill({"order": RETURNED, "items": [f"{RETURNED}-1*1"]})
    walking.fill({"order": PARTLY, "items": [f"{STRAPS}*3", f"{PUMP}*1"]})
    # What was chosen and not sent is still there after a look at the page before.
    page.get_by_role("link", name="Vorige stap").click()
    walking.at("")
    page.go_back()
    walking.at("step-1")
    assert set(walking.values("items")["items"]) == {f"{STRAPS}*3", f"{PUMP}*1", f"{RETURNED}-1*1"}  # type: ignore[arg-type]
    walking.next()
    walking.at("step-2")
    page.go_back()
    walking.at("step-1")
    assert walking.values("items") == {"items": [f"{STRAPS}*3", f"{PUMP}*1"]}


def test_f32_an_order_return_waits_in_amber_for_its_link(visitor: Visitor) -> None:
    walking = _walk(visitor, ORDER_RETURN)
    page = walking.page
    walking.to_check()
    expect(page.locator("main dl.facts")).to_contain_text("Buren van 12")
    before = _amounts(page)
    walking.next()
    panel = page.locator("main .bg-warn-bg").first
    expect(panel.locator("h1")).to_have_text("Nog één stap: bevestig via je e-mail binnen 24 uur")
    expect(panel).to_contain_text(re.compile(r"link gestuurd naar r\S+@"))
    expect(page.locator("main .bg-ok-bg")).to_have_count(0)
    expect(page.get_by_role("link", name="Stuur de link opnieuw")).to_have_attribute("href", re.compile("^/returns/"))
    assert _amounts(page) == before
    assert_accessible(page)
    assert _sent(visitor, page, "status, pickup_window") == ("pending_confirmation", "evening")
    page.reload()
    expect(panel).to_contain_text("Nog één stap")
