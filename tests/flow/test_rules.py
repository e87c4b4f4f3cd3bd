"""The rules for single answers."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.bikes.flow import PIN_STEP
from portal.flow import (
    AnswerContext,
    Iban,
    Kilometres,
    Month,
    Offered,
    OneOf,
    Phone,
    Postcode,
    Rule,
    SomeOf,
    Words,
    Year,
    lies_ahead,
)
from portal.flow.model import Control, Field
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue, count_characters, tidy_text

DAY = date(2026, 6, 3)
FACTS = {"bikes": [{"id": "A", "refusal": ""}, {"id": "B", "refusal": "open_work_order_exists"}]}
CONTEXT = AnswerContext({"country": "BE"}, FACTS, DAY)
FAMILY = "👨‍👩‍👧‍👦"
"""One character of eleven code points."""

OPTIONS = {"a": "A", "b": "B"}
BIKES = Offered("bikes", (Code.OPEN_WORK_ORDER_EXISTS,), Code.REPAIR_REQUEST_LINE_NOT_FOUND)
PIN_CODE = PIN_STEP.fields[1].rule


def outcome(rule: Rule, value: str | list[str]) -> str | list[str] | Code:
    """The answer in its stored form, or the code with which the rule refuses it."""
    try:
        return rule(value, CONTEXT)
    except InvalidValue as refused:
        return refused.code


@pytest.mark.parametrize(
    ("rule", "typed", "kept"),
    [
        *((Month(), typed, "3") for typed in ("3", "03", "mrt", "Maart", "mar.", "MARCH")),
        (Month(), "okt", "10"),
        (Month(), "dece", "12"),
        (Kilometres(), "12,5", "12.5"),
        (Kilometres(), "12.50", "12.5"),
        (Kilometres(), " 1 250 ", "1250"),
        (Kilometres(), "0", "0"),
        (Iban(), "nl91 abna 0417 1643 00", "NL91ABNA0417164300"),
        (Iban(), "BE68539007547034", "BE68539007547034"),
        (Iban(), "DE89-3704-0044-0532-0130-00", "DE89370400440532013000"),
        (Postcode("country"), "3583", "3583"),
        (Postcode("nowhere"), "1234ab", "1234 AB"),
        (Phone("country"), "0470 12 34 56", "+32470123456"),
        (OneOf(OPTIONS), "a", "a"),
        (SomeOf(OPTIONS), ["b", "a", "b"], ["a", "b"]),
        (BIKES, "A", "A"),
        (PIN_CODE, "48 17-3", "48173"),
        (Words(30, 1000), FAMILY * 30, FAMILY * 30),
    ],
)
def test_an_answer_is_stored_in_its_normal_form(rule: Rule, typed: str | list[str], kept: str | list[str]) -> None:
    assert outcome(rule, typed) == kept


@pytest.mark.parametrize(
    ("rule", "code", "wrong"),
    [
        (Month(), Code.INVALID_MONTH, ["13", "0", "ma", "j", "juu", "maart 2024", "-3", "3.5"]),
        (Year(), Code.INVALID_YEAR, ["24", "1949", "2037", "20 24", "20245", "jaar"]),
        (Kilometres(), Code.INVALID_NUMBER, ["12,555", "-1", "abc", "1e3", "1.250,5", "1000000", "٣", ","]),
        (Iban(), Code.INVALID_IBAN, ["NL91ABNA0417164301", "NL91ABNA041716430", "BR1500000000000010932840814P2", "x"]),
        (Postcode("country"), Code.INVALID_POSTCODE, ["1234 AB"]),
        (OneOf(OPTIONS), Code.INVALID_CHOICE, ["c"]),
        (SomeOf(OPTIONS), Code.INVALID_CHOICE, [["a", "c"]]),
        (BIKES, Code.OPEN_WORK_ORDER_EXISTS, ["B"]),
        (BIKES, Code.REPAIR_REQUEST_LINE_NOT_FOUND, ["C"]),
        (PIN_CODE, Code.INVALID_PIN_CODE, ["12", "123456789", "12a4", "١٢٣٤"]),
        (Words(1, 1000), Code.TOO_LONG, [FAMILY * 600]),
    ],
)
def test_a_wrong_answer_is_refused(rule: Rule, code: Code, wrong: list[str | list[str]]) -> None:
    assert [outcome(rule, typed) for typed in wrong] == [code] * len(wrong)
    assert code in rule.codes


@pytest.mark.parametrize(
    ("text", "characters"),
    [("", 0), ("één", 3), ("e\u0301", 1), (FAMILY, 1), ("🇳🇱🇧🇪", 2), ("a\nb", 3), ("ﬁets", 4), ("👍🏽", 1)],
)
def test_a_character_is_what_a_person_sees(text: str, characters: int) -> None:
    assert count_characters(text) == characters


def test_a_text_keeps_its_lines_and_loses_invisible_characters() -> None:
    assert tidy_text(" eerst\r\ndan\ttoen\x00\u202e \n") == "eerst\ndan toen"
    assert tidy_text("👨‍👩‍👧") == "👨‍👩‍👧"


def test_the_month_after_this_one_lies_ahead_and_this_one_does_not() -> None:
    months = (("6", "2026"), ("7", "2026"), ("1", "2027"), ("", ""))
    assert [lies_ahead(month, year, DAY) for month, year in months] == [False, True, True, False]


@pytest.mark.parametrize("empty", ["", "  ", "\u200b", None, []])
def test_an_empty_answer_is_accepted_only_if_the_field_is_optional(empty: str | list[str] | None) -> None:
    assert Field("a", "A", Words(1, 9), optional=True).read(empty, CONTEXT) == ""
    with pytest.raises(InvalidValue) as caught:
        Field("a", "A", Words(1, 9)).read(empty, CONTEXT)
    assert caught.value.code is Code.REQUIRED


def test_one_value_of_a_list_is_a_list() -> None:
    field = Field("a", "A", SomeOf({"x": "X", "y": "Y"}), control=Control.CHECKBOX)
    assert field.read("x", CONTEXT) == ["x"]
    assert field.read(["y", "", "x"], CONTEXT) == ["x", "y"]


@given(st.text(max_size=300))
def test_a_rule_accepts_its_own_result(text: str) -> None:
    for rule in (Words(1, 200), Month(), Year(), Kilometres(), Iban(), Postcode("country"), Phone("country")):
        kept = outcome(rule, text)
        assert isinstance(kept, Code) or outcome(rule, kept) == kept
