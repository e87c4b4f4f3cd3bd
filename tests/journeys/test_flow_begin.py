"""The beginning of every flow: who cannot begin, what is known or was begun before (flow-standard F17, F20, F58)."""

from playwright.sync_api import expect

from tests.support.flows import FlowCase
from tests.support.stored import count
from tests.support.walks import Walking


def test_f58_throwing_a_request_away_asks_first_and_starts_on_the_safe_answer(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    walking.until(case.steps[1].name)
    server = walking.visitor.server
    delete, keep = (walking.say(text) for text in ("Delete", "Keep the request"))
    begun = page.get_by_role("heading", name=walking.say("Carry on where you left off"))
    page.goto("/dashboard")
    page.get_by_role("button", name=delete).click()
    expect(page.get_by_role("button", name=keep)).to_be_focused()
    page.get_by_role("button", name=keep).click()
    assert count(server, "drafts") == 1
    # Begun anew on the first page of the flow, after another question; and thrown away for good on the overview.
    walking.open("intro")
    page.get_by_role("button", name=walking.say("Start over")).click()
    expect(page.get_by_role("button", name=keep)).to_be_focused()
    page.get_by_role("alertdialog").get_by_role("button", name=walking.say("Start over")).click()
    walking.at(case.steps[0])
    assert count(server, "drafts", f"completed LIKE '%{case.steps[0].name}%'") == 0
    page.goto("/dashboard")
    page.get_by_role("button", name=delete).click()
    page.get_by_role("alertdialog").get_by_role("button", name=delete).click()
    expect(begun).to_have_count(0)
    assert count(server, "drafts") == 0
