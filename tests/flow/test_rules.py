"""The rules for single answers."""

from __future__ import annotations

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


def _refused(rule: Rule, value: str | list[str]) -> Code:
    with pytest.raises(InvalidValue) as caught:
        rule(value, CONTEXT)
    assert caught.value.code in rule.codes
    return caught.value.code


@pytest.mark.parametrize(("minimum", "maximum"), [(31, 1000), (30, 1000), (20, 300)])
def test_a_text_is_counted_after_trimming(minimum: int, maximum: int) -> None:
    rule = Words(minimum, maximum)
    assert _refused(rule, f"  {'a' * (minimum - 1)}\r\n ") is Code.TOO_SHORT
    assert rule(f"  {'a' * minimum} ", CONTEXT) == "a" * minimum
    assert rule("a" * maximum, CONTEXT) == "a" * maximum
    assert _refused(rule, "a" * (maximum + 1)) is Code.TOO_LONG


@pytest.mark.parametrize(
    ("text", "characters"),
    [("", 0), ("één", 3), ("e\u0301", 1), ("👨‍👩‍👧‍👦", 1), ("🇳🇱🇧🇪", 2), ("a\nb", 3), ("ﬁets", 4), ("👍🏽", 1)],
)
def test_a_character_is_what_a_person_sees(text: str, characters: int) -> None:
    assert count_characters(text) == characters


def test_a_thousand_family_emojis_of_eleven_code_points_do_not_pass_as_a_text_of_a_thousand() -> None:
    assert _refused(Words(1, 1000), "👨‍👩‍👧‍👦" * 600) is Code.TOO_LONG
    assert Words(30, 1000)("👨‍👩‍👧‍👦" * 30, CONTEXT)


def test_a_text_keeps_its_lines_and_loses_invisible_characters() -> None:
    assert tidy_text(" eerst\r\ndan\ttoen\x00\u202e \n") == "eerst\ndan toen"
    assert tidy_text("👨‍👩‍👧") == "👨‍👩‍👧"


@pytest.mark.parametrize(
    ("typed", "month"),
    [
        ("3", "3"),
        ("03", "3"),
        ("mrt", "3"),
        ("Maart", "3"),
        ("mar.", "3"),
        ("MARCH", "3"),
        ("okt", "10"),
        ("dece", "12"),
    ],
)
def test_a_month_is_read_as_a_number_or_a_name(typed: str, month: str) -> None:
    assert Month()(typed, CONTEXT) == month


@pytest.mark.parametrize("typed", ["13", "0", "ma", "j", "juu", "maart 2024", "-3", "3.5"])
def test_an_invalid_month_is_refused(typed: str) -> None:
    assert _refused(Month(), typed) is Code.INVALID_MONTH


@pytest.mark.parametrize("typed", ["24", "1949", "2037", "20 24", "20245", "jaar"])
def test_an_invalid_year_is_refused(typed: str) -> None:
    assert _refused(Year(), typed) is Code.INVALID_YEAR


def test_the_month_after_this_one_lies_ahead_and_this_one_does_not() -> None:
    assert not lies_ahead("6", "2026", DAY)
    assert lies_ahead("7", "2026", DAY)
    assert lies_ahead("1", "2027", DAY)
    assert not lies_ahead("", "", DAY)


@pytest.mark.parametrize(("typed", "kept"), [("12,5", "12.5"), ("12.50", "12.5"), (" 1 250 ", "1250"), ("0", "0")])
def test_a_number_takes_a_comma_or_a_point(typed: str, kept: str) -> None:
    assert Kilometres()(typed, CONTEXT) == kept


@pytest.mark.parametrize("typed", ["12,555", "-1", "abc", "1e3", "1.250,5", "1000000", "٣", ","])
def test_an_invalid_number_is_refused(typed: str) -> None:
    assert _refused(Kilometres(), typed) is Code.INVALID_NUMBER


@pytest.mark.parametrize("typed", ["nl91 abna 0417 1643 00", "BE68539007547034", "DE89-3704-0044-0532-0130-00"])
def test_an_iban_may_have_spaces_and_lower_case(typed: str) -> None:
    assert str(Iban()(typed, CONTEXT)).isalnum()


@pytest.mark.parametrize("typed", ["NL91ABNA0417164301", "NL91ABNA041716430", "BR1500000000000010932840814P2", "x"])
def test_a_wrong_iban_is_refused(typed: str) -> None:
    assert _refused(Iban(), typed) is Code.INVALID_IBAN


def test_a_postcode_and_a_phone_number_follow_the_country() -> None:
    assert Postcode("country")("3583", CONTEXT) == "3583"
    assert _refused(Postcode("country"), "1234 AB") is Code.INVALID_POSTCODE
    assert Phone("country")("0470 12 34 56", CONTEXT) == "+32470123456"
    assert Postcode("nowhere")("1234ab", CONTEXT) == "1234 AB"


def test_only_what_is_offered_can_be_chosen() -> None:
    options = {"a": "A", "b": "B"}
    assert OneOf(options)("a", CONTEXT) == "a"
    assert _refused(OneOf(options), "c") is Code.INVALID_CHOICE
    assert SomeOf(options)(["b", "a", "b"], CONTEXT) == ["a", "b"]
    assert _refused(SomeOf(options), ["a", "c"]) is Code.INVALID_CHOICE


def test_an_unavailable_option_is_refused_with_its_reason() -> None:
    rule = Offered("bikes", (Code.OPEN_WORK_ORDER_EXISTS,), Code.REPAIR_REQUEST_LINE_NOT_FOUND)
    assert rule("A", CONTEXT) == "A"
    assert _refused(rule, "B") is Code.OPEN_WORK_ORDER_EXISTS
    assert _refused(rule, "C") is Code.REPAIR_REQUEST_LINE_NOT_FOUND


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
        try:
            kept = rule(text, CONTEXT)
        except InvalidValue:
            continue
        assert rule(kept, CONTEXT) == kept


@pytest.mark.parametrize("text", ["12", "123456789", "12a4", "١٢٣٤"])
def test_a_pin_code_has_four_to_eight_digits(text: str) -> None:
    assert _refused(PIN_STEP.fields[1].rule, text) is Code.INVALID_PIN_CODE


def test_a_pin_code_may_be_written_in_groups() -> None:
    assert PIN_STEP.fields[1].rule("48 17-3", CONTEXT) == "48173"
