"""What was typed and not sent: kept, asked about, never lost unseen (flow-standard F39, F40, F48)."""

import re

from playwright.sync_api import Dialog, expect

from portal.flow import Control, Step
from portal.work_orders.flow.claim import CLAIM
from tests.support.browser import Visit
from tests.support.flows import CASES, FlowCase
from tests.support.stored import forget_requests
from tests.support.walks import Walk, Walking

CLAIMING = next(case for case in CASES if case.flow is CLAIM)


def _typed_field(walking: Walk) -> tuple[Step, str]:
    """The first step with a field to type into, reached with nothing typed; and the name of that field."""
    for step in walking.case.steps:
        for field in step.fields:
            if field.control in {Control.AREA, Control.LINE} and field.name in walking.case.answers[step.name]:
                walking.stand_at(step.name)
                walking.fill(
                    {
                        name: value
                        for name, value in walking.case.answers[step.name].items()
                        if not isinstance(value, str) or value in {"known", "other", "*"}
                    }
                )
                return step, field.name
    raise AssertionError("nothing to type in this flow")


def test_f39_leaving_with_something_typed_asks_first(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    step, name = _typed_field(walking)
    page.locator(f"#{name}").fill("half a sentence")
    page.get_by_role("link", name=walking.say("To overview")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    expect(question.get_by_role("button", name=walking.say("Stay here"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(question).to_be_hidden()
    expect(page.locator(f"#{name}")).to_have_value("half a sentence")
    walking.fill(walking.case.answers[step.name])
    walking.next()
    expect(page).not_to_have_url(re.compile(walking.flow.address(step)))


def test_f39_the_browser_asks_only_when_something_would_be_lost(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    step, name = _typed_field(walking)
    page.locator(f"#{name}").fill("half a sentence")
    page.on("dialog", stay)
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    assert asked == ["beforeunload"]
    # Staying on the page leaves a page that works (design D7).
    walking.fill(walking.case.answers[step.name])
    walking.next()
    expect(page).not_to_have_url(re.compile(walking.flow.address(step)))
    expect(page.locator("h1")).to_be_visible()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == ["beforeunload"]


def test_f40_after_the_session_ended_one_is_back_at_the_same_step(walk: Walking, case: FlowCase) -> None:
    walking = walk()
    page = walking.page
    last = case.steps[-1]
    walking.stand_at(last.name)
    walking.fill(case.answers[last.name])
    walking.visitor.end_sessions(walking.button)
    walking.visitor.log_in(*case.customer)
    page.goto(case.flow.url(last))
    walking.at(last)
    walking.answer(last.name)
    walking.at(case.flow.check_step)


def test_f48_another_language_keeps_the_step_and_what_was_typed(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    step, name = _typed_field(walking)
    page.locator(f"#{name}").fill("half a sentence")
    page.get_by_role("button", name="EN English").click()
    walking.visitor.language = "en"
    walking.at(step)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(f"#{name}")).to_have_value("half a sentence")
    expect(page).to_have_title(re.compile("Step "))
    page.reload()
    walking.at(step)


def test_what_was_typed_is_there_after_a_reload_and_secrets_are_nowhere_in_the_browser(visit: Visit) -> None:
    visitor = visit()
    forget_requests(visitor.server)
    visitor.log_in(*CLAIMING.customer)
    walking = Walk(visitor, CLAIMING)
    page = walking.page
    walking.stand_at("repayment")
    page.locator("[name=method][value=account]").check()
    page.locator("#account_holder").fill("N. Haddad")
    page.locator("#iban").fill("NL91 ABNA 0417 1643 00")
    page.reload()
    walking.at("repayment")
    expect(page.locator("#account_holder")).to_have_value("N. Haddad")
    expect(page.locator("[name=method][value=account]")).to_be_checked()
    expect(page.locator("#iban")).to_have_value("")
    assert "0417" not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    walking.fill(CLAIMING.answers["repayment"])
    walking.next()
    walking.at(walking.flow.check_step)
    stored = "Object.keys(sessionStorage).filter(key => key.startsWith('typed '))"
    assert page.evaluate(stored) == [], "what was sent is not kept"
    forget_requests(visitor.server)


def test_a_logout_leaves_nothing_that_was_typed(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    _, name = _typed_field(walking)
    page.locator(f"#{name}").fill("half a sentence")
    assert "half a sentence" in page.evaluate("JSON.stringify({...sessionStorage})")
    page.on("dialog", lambda dialog: dialog.accept())
    page.evaluate("fetch('/auth/logout', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})")
    page.goto("/")
    expect(page.locator("#order_number")).to_be_visible()
    page.wait_for_function("!JSON.stringify({...sessionStorage}).includes('half a sentence')")
