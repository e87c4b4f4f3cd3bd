"""A step that is known to follow is shown before the server has answered (decision 0114), and what comes of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE, PHOTOS
from tests.journeys.held_socket import Socket
from tests.support.flows import TEXT, FlowCase
from tests.support.months import months_ago
from tests.support.stored import execute
from tests.support.walks import Walk, Walking

OWN = f"{TEXT} Sinds gisteren ook bij regen."

_TAP = """(button, when) => {
    const tap = new PointerEvent('click', {pointerType: 'touch', detail: 1, bubbles: true, cancelable: true});
    Object.defineProperty(tap, 'timeStamp', {value: when});
    button.dispatchEvent(tap);
}"""
"""A tap at a moment: milliseconds of the page."""

_PRESS_WITH_THE_ANSWER = """button => {
    const version = button.form.elements['draft-version'];
    const press = (changes, seen) => (seen.disconnect(), button.click());
    new MutationObserver(press).observe(version, {attributes: true});
}"""
"""Presses as soon as the page shows that the answer is there, before the browser paints it."""


class Ahead:
    """A customer who changed a description, and whose browser knows what follows. The server is held from then on."""

    def __init__(self, walking: Walk) -> None:
        self.walking = walking
        self.page = walking.page
        self.socket = Socket(self.page)
        self.socket.let_go()
        walking.stand_at(PHOTOS.name)
        walking.open(DAMAGE)
        walking.at(DAMAGE)
        self.know(MAINTENANCE.name, {"details_chain": OWN})
        self.socket.hold()

    def know(self, following: str, values: dict[str, str]) -> None:
        """Fill in values, and wait until the browser knows which step follows."""
        self.socket.settle()  # the question that the page asks when it appears
        self.socket.hold()
        self.socket.let_go()
        self.walking.fill(values)
        self.socket.wait_for(f'"following_rx_state_":"{self.walking.flow.address(following)}"')

    @property
    def stored(self) -> str:
        """The draft in the database."""
        return str(execute(self.walking.visitor.server, "SELECT answers FROM drafts")[0][0])


@pytest.fixture
def ahead(walk: Walking, case: FlowCase) -> Ahead:
    """At the description of the damage, with the server held."""
    assert case.flow.name == "repair-request"
    return Ahead(walk())


def test_f3_f4_the_next_step_is_whole_before_the_answer_and_keeps_what_is_typed_there(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    before = page.evaluate("history.length")
    walking.next()
    walking.at(MAINTENANCE)
    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title(re.compile("Stap 3 van "))
    expect(page.locator("hgroup p")).to_contain_text("Stap 3 van ")
    assert page.evaluate("history.length") == before + 1
    sooner = dict(months_ago(2))
    walking.fill(sooner)
    walking.button.click()  # waits: never more than one step ahead
    expect(walking.button).to_have_attribute("aria-disabled", "true")
    walking.at(MAINTENANCE)
    page.get_by_role("link", name=walking.say("To overview")).click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    page.keyboard.press("Enter")
    ahead.socket.let_go()
    walking.at(PHOTOS)  # the press that waited
    assert OWN in ahead.stored
    assert f'"maintenance_month": "{sooner["maintenance_month"]}"' in ahead.stored
    page.go_back()
    walking.at(MAINTENANCE)
    assert walking.filled(*sooner) == sooner
    page.go_back()
    walking.at(DAMAGE)
    assert walking.filled("details_chain") == {"details_chain": OWN}


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_link_beside_next_does_not_move_while_an_answer_is_sent(
    walk: Walking, case: FlowCase, language: str
) -> None:
    assert case.flow.name == "repair-request"
    ahead = Ahead(walk(language=language))
    link = ahead.page.get_by_role("link", name=ahead.walking.say("To overview"))
    ahead.walking.next()
    ahead.walking.at(MAINTENANCE)
    before = link.bounding_box()
    ahead.walking.button.click()
    expect(ahead.walking.button).to_have_text(ahead.walking.say("Sending…"))
    assert link.bounding_box() == before


def test_a_double_click_is_one_step_without_an_error(ahead: Ahead) -> None:
    ahead.walking.button.dblclick()
    ahead.walking.at(MAINTENANCE)
    ahead.socket.let_go()
    ahead.page.wait_for_timeout(800)
    ahead.walking.at(MAINTENANCE)
    expect(ahead.page.locator("[aria-labelledby=error-summary]")).to_have_count(0)
    assert OWN in ahead.stored


def test_a_press_right_after_the_next_step_appeared_is_not_lost(ahead: Ahead) -> None:
    ahead.walking.next()
    ahead.walking.at(MAINTENANCE)
    ahead.walking.button.click()
    ahead.socket.let_go()
    ahead.walking.at(PHOTOS)


def test_a_press_at_the_moment_of_the_answer_is_not_lost(ahead: Ahead) -> None:
    ahead.walking.next()
    ahead.walking.at(MAINTENANCE)
    ahead.walking.button.evaluate(_PRESS_WITH_THE_ANSWER)
    ahead.socket.let_go()
    ahead.walking.at(PHOTOS)


@pytest.mark.parametrize(("gap", "sent"), [(250, False), (350, True)])
def test_two_taps_are_one_press_if_they_come_as_quickly_as_a_double_tap(ahead: Ahead, gap: int, sent: bool) -> None:
    page, walking = ahead.page, ahead.walking
    walking.button.evaluate(_TAP, 10_000)
    walking.at(MAINTENANCE)
    walking.button.evaluate(_TAP, 10_000 + gap)
    ahead.socket.let_go()
    ahead.socket.wait_for('"answered_rx_state_"')
    page.wait_for_timeout(500)
    walking.at(PHOTOS if sent else MAINTENANCE)


def test_f11_a_change_in_another_tab_leads_back_with_everything_typed(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    execute(walking.visitor.server, "UPDATE drafts SET version = version + 1")
    walking.next()
    walking.at(MAINTENANCE)
    walking.fill({"maintenance_year": "2022"})
    ahead.socket.let_go()
    walking.at(DAMAGE)
    expect(page.get_by_text("Deze aanvraag is in een ander tabblad gewijzigd")).to_be_visible()
    assert walking.values("details_chain") == {"details_chain": OWN}
    assert OWN not in ahead.stored
    walking.next()
    walking.at(MAINTENANCE)
    assert walking.filled("maintenance_year") == {"maintenance_year": "2022"}
    assert OWN in ahead.stored


def test_f3_a_refusal_leads_back_to_its_message_with_everything_typed(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    execute(walking.visitor.server, "UPDATE drafts SET expires_at = '2026-01-01 00:00:00'")
    walking.next()
    walking.at(MAINTENANCE)
    ahead.socket.let_go()
    walking.at(DAMAGE)
    expect(page).to_have_title(re.compile("^Fout: "))
    expect(page.locator("[data-focus-target]")).to_be_focused()
    assert walking.values("details_chain") == {"details_chain": OWN}


def test_f4_back_at_once_shows_the_step_with_what_was_typed(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    walking.next()
    walking.at(MAINTENANCE)
    page.go_back()
    walking.at(DAMAGE)
    assert walking.values("details_chain") == {"details_chain": OWN}
    ahead.socket.let_go()
    ahead.socket.wait_for('"answered_rx_state_"')
    page.wait_for_timeout(300)
    walking.at(DAMAGE)
    assert walking.values("details_chain") == {"details_chain": OWN}
    page.go_forward()
    walking.at(MAINTENANCE)
    assert OWN in ahead.stored


def test_f37_without_a_connection_the_browser_waits_where_it_is(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    page.context.set_offline(True)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    walking.next()
    banner = page.locator("[data-connection=lost] p")
    expect(banner).to_be_in_viewport()
    waiting = walking.say("Waiting for the connection…")
    expect(walking.button).to_have_text(waiting)
    expect(page.get_by_role("status").filter(has_text=waiting)).to_have_count(1)
    walking.at(DAMAGE)
    page.context.set_offline(False)
    ahead.socket.let_go()
    walking.at(MAINTENANCE)
    assert OWN in ahead.stored


def test_an_answer_that_never_comes_leads_back_with_everything_typed(walk: Walking, case: FlowCase) -> None:
    assert case.flow.name == "repair-request"
    walking = walk()
    walking.page.clock.install()
    ahead = Ahead(walking)
    page = ahead.page
    walking.next()
    walking.at(MAINTENANCE)
    ahead.socket.wait()
    ahead.socket.lose()
    page.clock.fast_forward(31_000)
    walking.at(DAMAGE)
    assert walking.values("details_chain") == {"details_chain": OWN}
    ahead.socket.let_go()
    walking.next()
    walking.at(MAINTENANCE)
    assert OWN in ahead.stored


def test_f40_a_session_that_ended_leads_to_the_login(ahead: Ahead) -> None:
    page, walking = ahead.page, ahead.walking
    execute(walking.visitor.server, "UPDATE sessions SET revoked_at = '2026-01-01 00:00:00'")
    walking.next()
    ahead.socket.let_go()
    expect(page).to_have_url(re.compile(r"/$"))
    assert OWN not in ahead.stored
