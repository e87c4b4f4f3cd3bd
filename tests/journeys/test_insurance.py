"""Insurances: compared, asked for, confirmed by mail, and every message of part-2 §8 about them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.test_account import heading, shown
from tests.provider.test_commands import run
from tests.support.browser import ON_A_WIDE_SCREEN, Visit, Visitor, assert_accessible
from tests.support.flows import FLEUR, INSURING
from tests.support.server import PortalServer
from tests.support.stored import count, forget_aftercare
from tests.support.walks import Walk


@pytest.fixture(autouse=True)
def _afresh(portal_server: PortalServer) -> Iterator[None]:
    forget_aftercare(portal_server)
    yield
    forget_aftercare(portal_server)


@pytest.fixture
def fleur(visit: Visit) -> Visitor:
    window = visit()
    window.log_in(*FLEUR)
    return window


def _move(page: Page, server: PortalServer, *arguments: str) -> None:
    done = run("insurance", _reference(page), *arguments, DATA_DIR=str(server.data_dir))
    assert done.returncode == 0, done.stderr


def _reference(page: Page) -> str:
    return page.locator("main p.text-h2").inner_text().replace(" ", "")


def _sent(visitor: Visitor, **other: str) -> Page:
    """The page after asking for an insurance."""
    walking = Walk(visitor, INSURING)
    walking.start()
    walking.answer("bike")
    walking.answer("insurance", {**INSURING.answers["insurance"], **other} if not other.get("type") else other)
    if not other.get("type"):
        walking.answer("account")
    walking.at(INSURING.flow.check_step)
    walking.next()
    expect(walking.page).to_have_url(re.compile("/insurance-request/confirmation"))
    return walking.page


@ON_A_WIDE_SCREEN
def test_the_insurances_are_compared_and_every_bike_says_how_it_stands(visitor_crosswise: Visitor) -> None:
    visitor = visitor_crosswise
    visitor.log_in(*FLEUR)
    page = visitor.page()
    page.goto("/dashboard")
    page.locator("main a[href='/insurance-package']").last.click()
    expect(heading(page, "Bike insurance")).to_be_visible()
    shown(page)
    offers = page.locator("main li:has(h4)")
    expect(offers).to_have_count(4)
    expect(offers.first).to_contain_text("Kettingzeker")
    expect(offers.first).to_contain_text("Most chosen")
    expect(offers.first).to_contain_text(re.compile(r"€\s?\d+\.\d\d a month"))
    expect(offers.first).to_contain_text("excess")
    expect(offers.nth(2)).to_contain_text("No excess")
    expect(offers.nth(2).get_by_role("list", name="Not covered")).to_be_visible()
    boxes = [box for place in range(2) if (box := offers.nth(place).bounding_box())]
    beside = boxes[0]["y"] == boxes[1]["y"]
    assert beside == (visitor.width == 1280), "side by side where there is room, else one below the other"
    main = page.get_by_role("main")
    assert_accessible(page)
    main.get_by_role("link", name="Request insurance").click()
    page.wait_for_url("**/insurance-request?bike=*")


def test_one_more_step_is_amber_and_the_page_follows_what_becomes_of_it(fleur: Visitor) -> None:
    page, server = _sent(fleur), fleur.server
    panel = page.locator("main > div").first
    expect(panel).to_have_class(re.compile("bg-warn-bg"))
    expect(panel).to_contain_text("Aanvraag ingediend")
    expect(heading(page, "Nog één stap: bevestig via je e-mail")).to_be_focused()
    expect(panel).to_contain_text(re.compile(r"De verzekering van je .+ is aangevraagd\."))
    expect(panel.locator("a, button")).to_have_count(0)
    main = page.get_by_role("main")
    expect(main).to_contain_text("binnen 24 uur")
    page.get_by_role("button", name="Stuur de e-mail opnieuw").click()
    expect(main).to_contain_text("We hebben de e-mail opnieuw gestuurd naar fleur@example.com.")
    assert_accessible(page)
    assert count(server, "confirmation_links", "purpose = 'insurance'") == 2
    _move(page, server, "created")
    expect(heading(page, "Je verzekering is aangevraagd")).to_be_visible()
    expect(panel).to_have_class(re.compile("bg-ok-bg"))
    _move(page, server, "waiting_for_input")
    expect(main).to_contain_text("Beantwoord dat met een bericht over deze aanvraag.")
    expect(main.get_by_role("link", name="Berichten over deze aanvraag")).to_have_attribute(
        "href", re.compile(r"^/requests/")
    )
    _move(page, server, "created")
    _move(page, server, "finished", "--policy-number", "P123456789")
    expect(heading(page, "Je fiets is verzekerd")).to_be_visible()
    expect(main.get_by_role("button", name="Aanvraag annuleren")).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("link", name="Bekijk je fiets").click()
    page.wait_for_url("**/bikes/*")
    expect(page.get_by_role("main")).to_contain_text("P123456789")


def test_a_request_can_be_taken_back_where_its_bike_stands(fleur: Visitor) -> None:
    page = _sent(fleur)
    page.goto("/insurance-package")
    shown(page)
    waiting = page.locator("main section.card").first
    waiting.get_by_role("button", name="Aanvraag annuleren").click()
    expect(page.get_by_role("button", name="Aanvraag houden")).to_be_focused()
    page.get_by_role("alertdialog").get_by_role("button", name="Aanvraag annuleren").click()
    expect(page.locator("main section.card")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("Je aanvraag is geannuleerd.")
    expect(page.get_by_role("link", name="Verzekering aanvragen")).to_be_visible()
