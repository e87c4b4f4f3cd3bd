"""The steps that many cases can take together."""

from __future__ import annotations

from portal.cases.models import NextStep
from portal.cases.provider.content import common_steps
from portal.contract.account import LocalizedText


def step(status: str, sentence: str = "We begin.", **asks: bool) -> NextStep:
    label, text = LocalizedText.same(status), LocalizedText.same(sentence)
    return NextStep.model_validate({"status": status, "label": label, "sentence": text, **asks})


def test_only_steps_of_all_cases_are_common_in_the_order_of_the_first() -> None:
    one = [step("in_repair"), step("wait_for_parts"), step("cancelled")]
    other = [step("cancelled"), step("done"), step("in_repair")]
    assert [each.status for each in common_steps([one, other])] == ["in_repair", "cancelled"]
    assert common_steps([one, []]) == []
    assert common_steps([one]) == one


def test_a_step_that_asks_something_about_one_case_is_none_of_many() -> None:
    plain, policy = [step("finished")], [step("finished", asks_policy=True)]
    battery = [step("finished", asks_battery=True)]
    for each in ([policy], [plain, policy], [policy, plain], [battery, plain]):
        assert common_steps(each) == []


def test_what_customers_read_is_shown_where_they_read_the_same() -> None:
    here, there = [step("ready", "Collect it in Utrecht.")], [step("ready", "Collect it in Gent.")]
    assert common_steps([here, here])[0].sentence == here[0].sentence
    assert common_steps([here, there])[0].sentence == LocalizedText()
