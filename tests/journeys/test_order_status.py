"""The page of an order's status (part-2 §2): every status, parts, what changes by itself, what fails."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import gettext_for
from portal.vocabulary.deliveries import (
    DELIVERY_LABELS,
    DELIVERY_MEANINGS,
    FINISHED,
    PHASES,
    DeliveryEnd,
    DeliveryStatus,
    end,
    phase,
)
from tests.journeys.back_office import moved
from tests.journeys.delivery_steps import (
    ACCEPTED,
    BRAM,
    DAAN,
    FREE,
    GONE,
    PARTED,
    PENDING,
    REFUSED,
    UNPLANNED,
    heading_shown,
)
from tests.journeys.test_account import assert_fits_everywhere, word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import ORDERS_OF_BRAM
from tests.support.return_cases import ROOS
from tests.support.returning import PARTLY
from tests.support.stored import execute
from tests.support.windows import ON_A_WIDE_SCREEN


@ON_A_WIDE_SCREEN
def test_an_order_in_parts_is_shown_part_by_part(visitor_crosswise: Visitor) -> None:
    visitor = visitor_crosswise
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto(f"/order-status/{PARTED}")
    heading_shown(page, word(visitor, f"Status van bestelling {PARTED}", f"Status of order {PARTED}"))
    main = page.get_by_role("main")
    parts = main.locator("ul > li.card")
    expect(parts).to_have_count(2)
    expect(parts.first).to_contain_text(word(visitor, "Deel 1 van 2", "Part 1 of 2"))
    expect(parts.first).to_contain_text("Noordveld Horizon 5")
    expect(parts.last).to_contain_text(word(visitor, "Bezorgd op", "Delivered on"))
    expect(parts.last).not_to_contain_text(word(visitor, "Je bestelling is bezorgd", "Your order has been delivered"))
    follow = parts.last.get_by_role("link", name=re.compile(word(visitor, "^Volg bij", "^Track with")))
    assert str(follow.get_attribute("href")).startswith("https://")
    expect(main).to_contain_text(word(visitor, "Volgt nog", "Still to come"))
    expect(main).to_contain_text(word(visitor, "Kettingslot ART 3, 110 cm", "Chain lock ART 3, 110 cm"))
    tracker = page.get_by_role("list", name=word(visitor, "Hoe ver je bestelling is", "Progress of your order"))
    expect(tracker.locator("[aria-current=step]")).to_have_count(1)
    number = main.locator("dd > span", has_text=PARTED).first.bounding_box()
    assert number
    assert number["height"] < 40, "the number stands on one line, whatever is beside it"
    assert_fits_everywhere(page)
    assert_accessible(page)


def test_what_left_before_the_rest_is_not_the_first_of_one_and_leaves_the_day_open(visitor: Visitor) -> None:
    visitor.log_in(*ROOS)
    page = visitor.page()
    page.goto(f"/order-status/{PARTLY}")
    main = page.get_by_role("main")
    expect(main.locator("ul > li.card h3")).to_have_text("Deel 1")
    expect(main).to_contain_text("Volgt nog")
    expect(main).to_contain_text("Er is nog geen bezorgdag")
    expect(main).not_to_contain_text("kan niet meer worden gewijzigd")


def test_every_status_is_shown_with_its_meaning(visit: Visit) -> None:
    visitor = visit(width=375)
    visitor.log_in(*BRAM)
    page, say = visitor.page(), gettext_for("nl")
    for number, status in ORDERS_OF_BRAM.items():
        page.goto(f"/order-status/{number}")
        panel = page.locator("main .bg-panel").first
        expect(panel).to_contain_text(say(DELIVERY_LABELS[status]))
        expect(panel).to_contain_text(say(DELIVERY_MEANINGS[status]))
        tracker = page.locator("main .tracker")
        if (at := phase(status)) is None:
            expect(tracker).to_have_count(0)
        else:
            kind = DeliveryEnd.PICKUP if end(status) is DeliveryEnd.PICKUP else DeliveryEnd.DELIVERY
            expect(tracker).to_contain_text(say(PHASES[kind][-1]))
            expect(tracker.locator("[aria-current=step]")).to_have_count(0 if at == FINISHED else 1)
        if status is DeliveryStatus.ORDER_PICKED_UP:
            expect(page.get_by_role("main")).to_contain_text("Opgehaald op")
        assert_fits(page)
        assert_accessible(page)


def test_the_planned_day_and_its_change_are_shown(visitor: Visitor) -> None:
    visitor.log_in(*DAAN)
    page = visitor.page()
    main = page.get_by_role("main")
    for number, may, text in (
        (FREE, True, "tussen 17:30 en 20:00"),
        (PENDING, False, "Wacht op je bevestiging"),
        (ACCEPTED, True, "Geaccepteerd"),
        (REFUSED, True, "Op deze dag rijdt er geen bus"),
        (GONE, False, "al bij de vervoerder of bezorgd"),
        (UNPLANNED, False, "Er is nog geen bezorgdag"),
    ):
        page.goto(f"/order-status/{number}")
        expect(main).to_contain_text(text)
        expect(main.get_by_role("link", name="Bezorgdag wijzigen")).to_have_count(1 if may else 0)
    assert_accessible(page)
    page.goto(f"/order-status/{PENDING}")
    main.get_by_role("link", name="Bekijk je aanvraag").click()
    page.wait_for_url(f"**/delivery-date/{PENDING}")


def test_the_page_changes_by_itself_without_moving_the_reader(visitor: Visitor) -> None:
    visitor.log_in(*BRAM)
    page, number = visitor.page(), "900000702"
    page.goto(f"/order-status/{number}")
    expect(page.locator("main .bg-panel").first).to_contain_text("Nog niet op voorraad")
    page.wait_for_timeout(1300)
    link = page.get_by_role("link", name="Artikelen, prijzen en facturen")
    link.focus()
    before = page.evaluate("window.scrollY")
    moved(visitor.server, "shipment", number, "in_stock", "--note", "De poncho is binnen.")
    expect(page.get_by_text("De poncho is binnen.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Bijgewerkt op")).to_contain_text("Op voorraad")
    expect(link).to_be_focused()
    assert page.evaluate("window.scrollY") == before
    moved(visitor.server, "shipment", number, "backorder")


def test_what_cannot_be_loaded_says_so_and_can_be_tried_again(visitor: Visitor) -> None:
    visitor.log_in(*DAAN)
    page = visitor.page()
    execute(visitor.server, "ALTER TABLE delivery_events RENAME TO away")
    try:
        page.goto(f"/order-status/{FREE}")
        expect(page.get_by_text(gettext_for("nl")(MESSAGES[Code.ORDER_STATUS_FAILED]))).to_be_visible()
        assert_accessible(page)
    finally:
        execute(visitor.server, "ALTER TABLE away RENAME TO delivery_events")
    page.get_by_role("button", name="Probeer het opnieuw").click()
    heading_shown(page, f"Status van bestelling {FREE}")
    expect(page.locator("main .bg-panel").first).to_be_visible()


def test_overview_and_order_lead_to_it_and_the_keyboard_goes_through_it(visit: Visit) -> None:
    visitor = visit(width=320)
    visitor.log_in(*DAAN)
    page = visitor.page()
    page.goto("/dashboard")
    page.get_by_role("main").locator("a[href^='/order-status/']").first.press("Enter")
    page.wait_for_url("**/order-status/*")
    expect(page.locator("h1")).to_be_focused()
    page.goto(f"/orders/{PARTED}")
    expect(page.get_by_role("main")).to_contain_text("Nog niet verzonden")
    page.get_by_role("link", name="Volg je bestelling").press("Enter")
    page.wait_for_url(f"**/order-status/{PARTED}")
    heading_shown(page, f"Status van bestelling {PARTED}")
    assert_fits(page)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.innerText.trim()"))
    assert {"Bezorgdag wijzigen", "Zet in je agenda", "Artikelen, prijzen en facturen"} <= reached
