"""Checking, sending and what comes after (flow-standard F26-F31)."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visit, assert_accessible
from tests.support.flows import CASES, FILES, PHOTOS, FlowCase
from tests.support.people import FLEUR
from tests.support.server import PortalServer
from tests.support.stored import count, execute, forget_requests
from tests.support.walks import UPLOADED, Walk, Walking

_REFERENCE = re.compile(r"^[2-9A-HJ-NPR-Y]{4} [2-9A-HJ-NPR-Y]{4}$")

SENT = "draft_key IS NOT NULL"
SHORTEST = next(case for case in CASES if case.flow.name == "service-request")


def _reference(page: Page) -> str:
    return page.locator("main p.text-h2").inner_text()


def _summary_text(walking: Walk) -> str:
    """What the page for checking tells, with the names of files, which are looked up after the page."""
    facts = walking.page.locator("main dl.facts")
    if any(value in (FILES, PHOTOS) for values in walking.case.answers.values() for value in values.values()):
        expect(facts).to_contain_text(UPLOADED[0]["name"])
    return facts.inner_text()


def test_f27_every_answer_can_be_changed_and_leads_straight_back(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    walking.stand_at(walking.flow.check_step.name)
    before = _summary_text(walking)
    changes = page.locator("main dl.facts a")
    hidden = changes.evaluate_all("links => links.map(link => link.textContent)")
    assert len(set(hidden)) == len(hidden)
    for place in range(changes.count()):
        changes.nth(place).click()
        expect(page).to_have_url(re.compile(r"\?change=1$"))
        expect(walking.button).to_contain_text("Opslaan en terug")
        back = page.get_by_role("link", name=walking.say("Back to the check"))
        expect(back).to_have_attribute("href", walking.flow.url(case.flow.check_step))
        if not place:
            page.reload()
            expect(walking.button).to_contain_text("Opslaan en terug")
        walking.next()
        walking.at(case.flow.check_step)
        expect(page.locator("main dl.facts")).to_have_text(before, use_inner_text=True)


def test_f29_f31_a_refused_request_stays_as_it_was_and_once_sent_the_page_says_what_happens_next(
    walk: Walking, case: FlowCase
) -> None:
    walking = walk()
    page = walking.page
    walking.stand_at(walking.flow.check_step.name)
    before = _summary_text(walking)
    server = walking.visitor.server
    execute(server, "CREATE TRIGGER nothing_sent BEFORE INSERT ON requests BEGIN SELECT RAISE(ABORT, 'refused'); END")
    try:
        walking.next()
        box = page.locator("main [data-focus-target]:has([role=alert])").first
        expect(box).to_contain_text(walking.say(case.flow.failure))
        expect(page.locator(".toast")).to_contain_text(walking.say(case.flow.failure))
        expect(page.locator("main dl.facts")).to_have_text(before, use_inner_text=True)
        expect(walking.button).to_be_enabled()
        assert_accessible(page)
    finally:
        execute(server, "DROP TRIGGER nothing_sent")
    walking.next()
    expect(page).to_have_url(re.compile(re.escape(case.flow.confirmation)))
    _says_what_happens_next(walking)
    elsewhere = walk()
    elsewhere.page.goto(case.flow.confirmation)
    expect(elsewhere.page.locator("main p.text-h2")).to_have_text(_reference(page))


def _says_what_happens_next(walking: Walk) -> None:
    page = walking.page
    expect(page.locator("h1")).to_be_focused()
    reference = _reference(page)
    assert _REFERENCE.match(reference)
    assert count(walking.visitor.server, "requests", f"reference = '{reference.replace(' ', '')}'") == 1
    panel = page.locator("main .bg-ok-bg").first
    expect(panel.locator("a, button")).to_have_count(0)
    expect(page.locator("main ol li")).not_to_have_count(0)
    expect(page.get_by_role("button", name=walking.say("Copy reference number"))).to_be_visible()
    expect(page.get_by_role("button", name=walking.say("Print this page"))).to_be_visible()
    page.reload()
    expect(page.locator("main p.text-h2")).to_have_text(reference)
    expect(page).to_have_title(f"{page.locator('h1').inner_text()} – Bovenbuis")


def test_f28_f30_pressed_twice_it_is_one_request_and_back_shows_that_it_was_sent(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    walking.to_check()
    walking.button.dblclick()
    expect(page).to_have_url(re.compile(re.escape(case.flow.confirmation)))
    assert count(walking.visitor.server, "requests", SENT) == 1
    reference = _reference(page)
    for _ in case.steps:
        page.go_back()
        expect(page.locator("h1")).to_have_text("Deze aanvraag is al verstuurd")
        expect(page.locator("main")).to_contain_text(reference)
        expect(page.locator("main form")).to_have_count(0)
    page.reload()
    expect(page.locator("h1")).to_have_text("Deze aanvraag is al verstuurd")
    page.get_by_role("link", name="Nieuwe aanvraag").click()
    walking.at(case.flow.intro_step)


def test_on_a_phone_place_day_and_help_come_before_the_answers(visit: Visit) -> None:
    walking = Walk(visit(width=375), SHORTEST)
    forget_requests(walking.visitor.server)
    walking.visitor.log_in(*SHORTEST.customer)
    walking.to_check()
    walking.next()
    expect(walking.page).to_have_url(re.compile(re.escape(SHORTEST.flow.confirmation)))
    main = walking.page.get_by_role("main")
    tops = [
        main.get_by_role("heading", level=2, name=walking.say(name)).evaluate("one => one.getBoundingClientRect().top")
        for name in ("What happens next", "How your bike gets there", "Need help?", "Your answers")
    ]
    assert tops == sorted(set(tops))


@pytest.mark.timeout(400)
def test_f37_a_server_that_stops_loses_nothing(unsteady: PortalServer, visit: Visit) -> None:
    # Of two customers at once: a server that stops and starts takes longer than both.
    forget_requests(unsteady)
    answering, sending = walks = [Walk(visit(server=unsteady), SHORTEST) for _ in range(2)]
    for walking, customer in zip(walks, (SHORTEST.customer, FLEUR), strict=True):
        walking.visitor.troubles.allow("WebSocket|ERR_CONNECTION|Failed to fetch")
        walking.visitor.log_in(*customer)
    last = SHORTEST.steps[-1]
    answering.until(last.name)
    answering.fill(SHORTEST.answers[last.name])
    sending.to_check()
    unsteady.stop()
    try:
        for walking in walks:
            expect(walking.page.locator("[data-connection=lost]")).to_be_visible()
            walking.next()
    finally:
        unsteady.start()
    answering.at(SHORTEST.flow.check_step)
    expect(sending.page).to_have_url(re.compile(re.escape(SHORTEST.flow.confirmation)))
    assert count(unsteady, "requests", SENT) == 1
    forget_requests(unsteady)
