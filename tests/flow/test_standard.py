"""The rules of the flow standard that a declaration decides, for all flows (flow-standard F1, F23)."""

import json

import pytest

from portal.contract.models import Locale
from portal.flow import AnswerContext, Control, Field, Words
from portal.flow.journey import FLOWS
from portal.flow.pages.spec import error_of
from portal.kernel.codes import Code
from portal.kernel.texts import LOCALES, catalogue
from portal.kernel.validation import InvalidValue
from portal.work_orders.flow.claim import REPAYMENT
from portal.work_orders.flow.repair import COMMON, REPAIR, details_of
from tests.flow.parts import DAY

LONGER = [
    pytest.param(field, id=f"{flow.name}-{field.name}")
    for flow in FLOWS.values()
    for field in flow.fields
    if isinstance(field.rule, Words)
]

NOBODY = AnswerContext({}, {}, DAY)


def _refusal(field: Field, text: str) -> Code | None:
    try:
        field.read(text, NOBODY)
    except InvalidValue as refused:
        return refused.code
    return None


@pytest.mark.parametrize("field", LONGER)
def test_f23_a_longer_text_has_its_bounds_after_trimming(field: Field) -> None:
    rule = field.rule
    assert isinstance(rule, Words)
    assert field.control is Control.AREA
    for length, code in (
        (rule.minimum - 1, Code.TOO_SHORT),
        (rule.minimum, None),
        (rule.maximum, None),
        (rule.maximum + 1, Code.TOO_LONG),
    ):
        assert _refusal(field, "a" * length) is code
        assert _refusal(field, f"  {'a' * length}\n ") is code
    assert _refusal(field, " \n ") is Code.REQUIRED


_SUGGESTED = [
    *((field, text) for flow in FLOWS.values() for field in flow.fields for text in field.suggestions),
    *((field, text) for part, _, text in COMMON for field in REPAIR.fields if field.name == details_of(part)),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("field", "text"), _SUGGESTED)
def test_a_suggestion_is_a_whole_answer_in_every_language(field: Field, text: str, locale: Locale) -> None:
    assert _refusal(field, catalogue(locale).gettext(text)) is None


_CHOICES = {
    f"{flow.name}-{field.name}": field
    for flow in FLOWS.values()
    for field in flow.fields
    if field.control in {Control.RADIO, Control.CHECKBOX, Control.SELECT} and not field.optional
}


@pytest.mark.parametrize("field", _CHOICES.values(), ids=_CHOICES)
def test_an_empty_choice_says_what_to_choose(field: Field) -> None:
    text = str(error_of(field))
    assert "is required" not in text
    assert json.dumps(field.ask)[1:-1] in text
    assert "is verplicht" not in catalogue("nl").gettext(field.ask)


def test_an_empty_text_says_that_it_is_required() -> None:
    assert "{label} is required." in str(error_of(REPAYMENT.field("account_holder")))
