"""What a customer sees between Next and its answer, and what comes of it."""

import re

import pytest
from playwright.sync_api import expect

from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE, PHOTOS
from tests.journeys.held_socket import Socket
from tests.support.flows import TEXT, FlowCase
from tests.support.stored import execute
from tests.support.walks import Walk, Walking

OWN = f"{TEXT} Sinds gisteren ook bij regen."

_TAP = """(button, when) => {
    const tap = new PointerEvent('click', {pointerType: 'touch', detail: 1, bubbles: true, cancelable: true});
    Object.defineProperty(tap, 'timeStamp', {value: when});
    button.dispatchEvent(tap);
}"""
"""A tap at a moment: milliseconds of the page."""


class Waiting:
    """A customer who changed a description, with the server held from then on."""

    def __init__(self, walking: Walk) -> None:
        self.walking = walking
        self.page = walking.page
        self.socket = Socket(self.page)
        self.socket.let_go()
        walking.stand_at(PHOTOS.name)
        walking.open(DAMAGE)
        walking.at(DAMAGE)
        self.socket.settle()
        walking.fill({"details_chain": OWN})
        self.socket.hold()

    @property
    def stored(self) -> str:
        """The draft in the database."""
        return str(execute(self.walking.visitor.server, "SELECT answers FROM drafts")[0][0])


@pytest.fixture
def waiting(walk: Walking, case: FlowCase) -> Waiting:
    """At the description of the damage, with the server held."""
    assert case.flow.name == "repair-request"
    return Waiting(walk())


def test_f3_f4_the_step_stays_until_the_answer_and_the_next_one_keeps_its_place(waiting: Waiting) -> None:
    page, walking = waiting.page, waiting.walking
    before = page.evaluate("history.length")
    walking.next()
    expect(walking.button).to_have_attribute("aria-disabled", "true")
    walking.at(DAMAGE)
    waiting.socket.let_go()
    walking.at(MAINTENANCE)
    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title(re.compile("Stap 3 van "))
    expect(page.locator("hgroup p")).to_contain_text("Stap 3 van ")
    assert page.evaluate("history.length") == before + 1
    assert OWN in waiting.stored
    page.go_back()
    walking.at(DAMAGE)
    assert walking.filled("details_chain") == {"details_chain": OWN}


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_link_beside_next_does_not_move_while_an_answer_is_sent(
    walk: Walking, case: FlowCase, language: str
) -> None:
    assert case.flow.name == "repair-request"
    waiting = Waiting(walk(language=language))
    link = waiting.page.get_by_role("link", name=waiting.walking.say("To overview"))
    waiting.walking.button.scroll_into_view_if_needed()
    before = link.bounding_box()
    waiting.walking.next()
    expect(waiting.walking.button).to_have_text(waiting.walking.say("Sending…"))
    assert link.bounding_box() == before


@pytest.mark.parametrize(("gap", "sent"), [(250, False), (350, True)])
def test_two_taps_are_one_press_if_they_come_as_quickly_as_a_double_tap(waiting: Waiting, gap: int, sent: bool) -> None:
    walking = waiting.walking
    waiting.socket.let_go()
    walking.button.evaluate(_TAP, 10_000)
    walking.at(MAINTENANCE)
    walking.button.evaluate(_TAP, 10_000 + gap)
    waiting.page.wait_for_timeout(500)
    walking.at(PHOTOS if sent else MAINTENANCE)


def test_f11_a_change_in_another_tab_is_said_with_everything_typed(waiting: Waiting) -> None:
    page, walking = waiting.page, waiting.walking
    execute(walking.visitor.server, "UPDATE drafts SET version = version + 1")
    walking.next()
    waiting.socket.let_go()
    expect(page.get_by_text("Deze aanvraag is in een ander tabblad gewijzigd")).to_be_visible()
    walking.at(DAMAGE)
    assert walking.values("details_chain") == {"details_chain": OWN}
    assert OWN not in waiting.stored
    walking.next()
    walking.at(MAINTENANCE)
    assert OWN in waiting.stored


def test_f37_without_a_connection_the_browser_waits_where_it_is(waiting: Waiting) -> None:
    page, walking = waiting.page, waiting.walking
    page.context.set_offline(True)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    walking.next()
    banner = page.locator("[data-connection=lost] p")
    expect(banner).to_be_in_viewport()
    text = walking.say("Waiting for the connection…")
    expect(walking.button).to_have_text(text)
    expect(page.get_by_role("status").filter(has_text=text)).to_have_count(1)
    walking.at(DAMAGE)
    page.context.set_offline(False)
    waiting.socket.let_go()
    walking.at(MAINTENANCE)
    assert OWN in waiting.stored


def test_an_answer_that_never_comes_keeps_everything_typed(walk: Walking, case: FlowCase) -> None:
    assert case.flow.name == "repair-request"
    walking = walk()
    walking.page.clock.install()
    waiting = Waiting(walking)
    page = waiting.page
    walking.next()
    waiting.socket.wait()
    waiting.socket.lose()
    page.clock.fast_forward(31_000)
    expect(walking.button).not_to_have_attribute("aria-disabled", "true")
    walking.at(DAMAGE)
    assert walking.values("details_chain") == {"details_chain": OWN}
    waiting.socket.let_go()
    walking.next()
    walking.at(MAINTENANCE)
    assert OWN in waiting.stored
