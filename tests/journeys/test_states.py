"""Every state of a page is accessible and fits. What pages say in them is held by the tests of their states."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from portal.vocabulary.deliveries import DELIVERY_STATUSES
from portal.vocabulary.status import StatusEntry
from portal.vocabulary.work_orders import WORK_ORDER_STATUSES, RequestKind, WorkOrderStatus, status_words
from tests.journeys.back_office import reference_of, set_back
from tests.journeys.delivery_steps import (
    ACCEPTED,
    CONFIRMED,
    EXPIRED,
    FREE,
    GONE,
    PARTED,
    PENDING,
    REFUSED,
    UNPLANNED,
    empty_days,
    fill_days,
)
from tests.journeys.test_account import shown
from tests.support.browser import Visitor, assert_accessible
from tests.support.people import BRAM, DAAN, EVA, JORIS, MAX, NOOR, ORDERS_OF_BRAM, PIETER, SANNE, TESS
from tests.support.stored import execute

HELMET_ONLY = ("810000222", "klant222@example.org")


def _one_of_each(statuses: Mapping[Any, Any], entries: Mapping[Any, StatusEntry[Any]]) -> Collection[Any]:
    """One of the statuses, by what has it, of each colour and phase: pages differ in nothing else but words."""
    return {(entries[status].tone, entries[status].phase): named for named, status in statuses.items()}.values()


PAGES = {
    SANNE: ("/status", "/orders/900000002", "/bikes/B234567890", "/returns/ABCDEFGH23"),
    JORIS: ("/dashboard", "/maintenance", "/contact?topic=repair"),
    PIETER: ("/dashboard", "/orders/900000004", "/invoices", "/bikes", "/maintenance"),
    NOOR: ("/orders/900000005", "/bikes"),
    EVA: ("/dashboard", "/returns"),
    MAX: ("/status", "/maintenance"),
    TESS: ("/returns",),
    HELMET_ONLY: ("/dashboard",),
    DAAN: (
        *(f"/delivery-date/{number}" for number in (PENDING, CONFIRMED, ACCEPTED, REFUSED, EXPIRED, UNPLANNED)),
        f"/delivery-date/{GONE}/choose",
        *(f"/order-status/{number}" for number in (FREE, PENDING, ACCEPTED, REFUSED, GONE, UNPLANNED, PARTED)),
    ),
    BRAM: tuple(f"/order-status/{number}" for number in _one_of_each(ORDERS_OF_BRAM, DELIVERY_STATUSES)),
}
"""Pages in states that differ from what Sanne sees, by customer."""


@pytest.mark.parametrize("customer", PAGES, ids=lambda customer: customer[1].partition("@")[0])
def test_every_state_of_a_page_is_accessible_and_fits(abroad: Visitor, customer: tuple[str, str]) -> None:
    abroad.log_in(*customer)
    page = abroad.page()
    for path in PAGES[customer]:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        shown(page)
        expect(page.locator("h1")).to_have_count(1)
        if customer == JORIS:  # something is going on
            assert page.locator("main :is(a, button) .badge").count() == 0, "a status is a text (flow-standard F56)"
        assert_accessible(page)


def test_a_repair_of_any_colour_and_phase_is_accessible_and_fits(abroad: Visitor) -> None:
    server = abroad.server
    reference = reference_of(server, JORIS[1])
    abroad.log_in(*JORIS)
    page = abroad.page()
    page.goto(f"/maintenance/{reference}")
    stored = {status: status for status in WorkOrderStatus if status is not WorkOrderStatus.UNKNOWN}
    for status in _one_of_each(stored, WORK_ORDER_STATUSES):
        execute(server, "UPDATE requests SET status = ? WHERE reference = ?", status.value, reference)
        page.reload()
        shown(page)
        # The day that the shop planned has gone by, and nobody chose how the bike goes.
        label, _ = status_words(RequestKind.REPAIR, status, None, planned=False)
        expect(page.locator("main .bg-panel").first).to_contain_text(label)
        assert_accessible(page)
    set_back(server, reference)


def test_a_delivery_without_a_free_day_is_accessible_and_can_be_tried_again(abroad: Visitor) -> None:
    abroad.log_in(*DAAN)
    page = abroad.page()
    fill_days(abroad.server)
    try:
        page.goto(f"/delivery-date/{FREE}")
        again = page.get_by_role("button", name="Please try again")
        expect(again).to_be_visible()
        assert_accessible(page)
    finally:
        empty_days(abroad.server)
    again.click()
    expect(page.locator("main table a").first).to_be_visible()
