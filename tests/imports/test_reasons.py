"""Every error that the models of records can give has a reason that staff read in their language."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from portal.imports.rules.reading import read_json_lines
from portal.imports.rules.reasons import TYPES, reason_of, reason_texts
from portal.imports.rules.records import RECORDS
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.exchange import REJECTIONS, Rejection
from tests.imports.test_documentation import GUIDE

NUMBER = {"ge": {"greater_than_equal"}, "le": {"less_than_equal"}}
LENGTH = {"min_length": {"string_too_short"}, "max_length": {"string_too_long"}}
ERRORS: dict[str, tuple[set[str], dict[str, set[str]]]] = {
    "str": ({"string_type", "string_unicode"}, {**LENGTH, "pattern": {"string_pattern_mismatch"}}),
    "int": ({"int_type", "int_parsing", "int_parsing_size", "int_from_float"}, NUMBER),
    "float": ({"float_type", "float_parsing", "finite_number"}, NUMBER),
    "decimal": (
        {"decimal_type", "decimal_parsing", "finite_number"},
        {
            **NUMBER,
            "max_digits": {"decimal_max_digits", "decimal_whole_digits"},
            "decimal_places": {"decimal_max_places", "decimal_whole_digits"},
        },
    ),
    "bool": ({"bool_type", "bool_parsing"}, {}),
    "date": ({"date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"}, {}),
    "datetime": (
        {"datetime_type", "datetime_parsing", "datetime_from_date_parsing", "datetime_object_invalid"},
        {},
    ),
    "enum": ({"enum"}, {}),
    "list": ({"list_type"}, {"min_length": {"too_short"}, "max_length": {"too_long"}}),
    "model": ({"model_type", "model_attributes_type"}, {}),
    "model-fields": ({"missing", "extra_forbidden", "dict_type"}, {}),
}
"""The errors of each kind of schema, always and by its limits, as pydantic documents them."""

COUNTRIES = "NL, BE, DE, FR, DK, SE, NO"

NO_ERRORS = {
    "model-field", "nullable", "default", "definitions", "definition-ref", "function-before", "function-after",
    "function-plain", "no-info",
}  # fmt: skip
"""Kinds of schema that only hold others, or give errors of our own."""


def schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema with all that it holds."""
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield schema
        for name, part in schema.items():
            if name not in {"metadata", "serialization"}:
                yield from schemas(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from schemas(part)


def possible(record: type[BaseModel]) -> set[str]:
    """The types of error that a model can give, read from its schema."""
    found: set[str] = set()
    for schema in schemas(record.__pydantic_core_schema__):
        kind = schema["type"]
        if kind in NO_ERRORS:
            continue
        always, by_limit = ERRORS[kind]
        found |= always
        for limit, types in by_limit.items():
            found |= types if schema.get(limit) is not None else set()
    return found


@pytest.mark.parametrize("kind", RECORDS)
def test_every_error_that_a_record_can_have_has_a_reason(kind: str) -> None:
    found = possible(RECORDS[kind])
    assert {"missing", "extra_forbidden", "string_type"} <= found
    assert {error for error in found if error not in TYPES} == set()


def example(kind: str) -> dict[str, Any]:
    """The record of the guide."""
    found = re.search(rf"^### {kind}\n(?:(?!^#).)*?^```json\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE)
    assert found
    return json.loads(found[1])


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=300)
    | st.sampled_from(["2026-13-40", "2026-03-31T10:00:00", "1e400", "12.3456", "-1", "unknown", "9" * 400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@pytest.mark.parametrize("kind", RECORDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_is_wrong_staff_read_it_in_their_language_with_its_limits(kind: str, data: st.DataObject) -> None:
    record = example(kind)
    fields = [*RECORDS[kind].model_fields, "surprise"]
    for name in data.draw(st.lists(st.sampled_from(fields), min_size=1, max_size=3)):
        record[name] = data.draw(JUNK)
    try:
        RECORDS[kind].model_validate(record)
    except ValidationError as error:
        field, reason = reason_of(error.errors()[0])
        assert field.partition(".")[0] in {*fields, ""}
        assert reason.code != Rejection.INVALID
        texts = reason_texts(reason.code, reason.values)
        assert all(texts.values())
        assert texts["nl"] != texts["en"]
        assert not re.search(r"\{\w+\}", texts["nl"] + texts["en"]), texts


@pytest.mark.parametrize(
    ("kind", "wrong", "field", "reason"),
    [
        ("customers", {"first_name": "x" * 61}, "first_name", ("text_too_long", {"most": 60})),
        ("customers", {"email": "nonsense"}, "email", (Code.INVALID_EMAIL, {})),
        (
            "customers",
            {"country_code": "XX"},
            "country_code",
            ("unknown_choice", {"choices": "NL, BE, DE, FR, DK, SE, NO"}),
        ),
        ("orders", {"ordered_at": "2026-03-31T10:00:00"}, "ordered_at", ("no_time_zone", {})),
        ("orders", {"lines": []}, "lines", ("too_few", {"least": 1})),
        ("locations", {"opening_hours": "always"}, "opening_hours", ("wrong_hours", {})),
        ("tariffs", {"type": "none"}, "type", ("no_insurance", {})),
        ("insurances", {"covers": []}, "covers", ("too_few", {"least": 1})),
        ("terms", {"term": "withdrawal_days", "value": 13}, "value", ("out_of_bounds", {"least": 14, "most": 365})),
        ("delivery-places", {"weekday": 8}, "weekday", ("too_large", {"most": 7})),
        ("service-products", {"price": "1.999"}, "price", ("too_many_decimals", {"most": 2})),
    ],
)
def test_a_reason_names_the_field_and_its_limits(
    kind: str, wrong: dict[str, Any], field: str, reason: tuple[str, dict[str, Any]]
) -> None:
    with pytest.raises(ValidationError) as caught:
        RECORDS[kind].model_validate({**example(kind), **wrong})
    name, found = reason_of(caught.value.errors()[0])
    assert (name, found.code) == (field, reason[0])
    assert found.values == reason[1]


def test_every_reason_has_a_text_in_both_languages() -> None:
    assert set(REJECTIONS) == set(Rejection)
    assert not {code.value for code in Rejection} & {code.value for code in Code if code in MESSAGES}
    assert reason_texts("of a later version", {}) == {"nl": "", "en": ""}


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a": ' + "9" * 5000 + "}", '{"a"'])
def test_a_line_that_breaks_the_parser_is_no_json(line: str) -> None:
    (found,) = read_json_lines(io.StringIO(line))
    assert found.error is not None
    assert found.error.code == Rejection.NOT_JSON
