"""What staff type for a price is read as they meant it, or refused beside its field."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.imports.rules.records import RECORDS
from portal.kernel.codes import Code
from portal.master_data.rules import PRICE_FIELDS, amount, read_day, read_price
from portal.vocabulary.prices import PriceKind


def written(value: Decimal, thousands: str, decimals: str) -> str:
    return f"{value:,.2f}".translate(str.maketrans({",": thousands, ".": decimals}))


@given(st.decimals(min_value=0, max_value=Decimal("9999999.99"), places=2))
def test_amounts_of_both_languages_are_read(value: Decimal) -> None:
    assert amount(written(value, ".", ",")) == value
    assert amount(written(value, ",", ".")) == value
    assert amount(f"€ {written(value, '', ',')}") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", "8.00"),
        ("8,5", "8.50"),
        ("1.249", "1249.00"),
        ("1,249", "1249.00"),
        ("8.505", "8505.00"),
        ("€\u00a07.95", "7.95"),
    ],
)
def test_three_digits_are_thousands_and_fewer_are_decimals(text: str, value: str) -> None:
    assert amount(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "-1", "8,", ",50", "1.249.00", "1 249,00 euro", "8½", "٨", "1e3", "1,24,000"])
def test_other_texts_are_no_amounts(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        amount(text)


PACKAGE = {"monthly": ["8,50"], "includes": ["tyres", "adjustment"], "half_price_jobs": ["2"], "most_chosen": ["yes"]}


def test_a_package_is_read_whole() -> None:
    values, problems = read_price(PriceKind.SERVICE_PACKAGES, {}, PACKAGE)
    assert not problems
    assert values == {
        "monthly": Decimal("8.50"), "includes": ["adjustment", "tyres"], "half_price_jobs": ["2"], "most_chosen": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("term", "typed", "value"),
    [
        ("withdrawal_days", "14", 14),
        ("withdrawal_days", "13", Code.INVALID_NUMBER),
        ("withdrawal_days", "366", Code.INVALID_NUMBER),
        ("warranty_years", "2", 2),
        ("warranty_years", "1", Code.INVALID_NUMBER),
        ("return_days", "", Code.REQUIRED),
        ("return_days", "14,5", Code.INVALID_NUMBER),
    ],
)
def test_a_period_is_never_shorter_than_the_law_allows(term: str, typed: str, value: int | Code) -> None:
    values, problems = read_price(PriceKind.TERMS, {"term": term}, {"value": [typed]})
    assert (problems or values)["value"] == value


def test_boxes_that_are_not_checked_are_empty() -> None:
    values, _ = read_price(PriceKind.SERVICE_PACKAGES, {}, {"monthly": ["0"]})
    assert (values["includes"], values["half_price_jobs"], values["most_chosen"]) == ([], [], False)


@pytest.mark.parametrize(
    ("kind", "typed", "problems"),
    [
        (PriceKind.SERVICE_PRODUCTS, {}, {"price": Code.REQUIRED, "sku": Code.REQUIRED}),
        (PriceKind.SERVICE_PRODUCTS, {"price": ["10001"], "sku": ["x" * 41]},
         {"price": Code.INVALID_NUMBER, "sku": Code.TOO_LONG}),
        (PriceKind.SERVICE_PACKAGES, {"monthly": ["8"], "includes": ["everything"]}, {"includes": Code.INVALID_CHOICE}),
        (PriceKind.TARIFFS, {"per_mille": ["1001"], "minimum": ["free"]},
         {"per_mille": Code.INVALID_NUMBER, "minimum": Code.INVALID_NUMBER}),
        (PriceKind.INSURANCES, {"offered": ["yes"], "excess": ["0"]}, {"covers": Code.REQUIRED}),
        (PriceKind.INSURANCES, {"offered": ["yes"], "excess": ["0"], "covers": ["abroad"]}, {}),
        (PriceKind.INSURANCES, {"offered": ["yes"], "excess": ["0"], "covers": ["x"]}, {"covers": Code.INVALID_CHOICE}),
        (PriceKind.INSURANCES, {"excess": ["0"]}, {}),
        (PriceKind.DELIVERY_PLACES, {"places": ["1.5"]}, {"places": Code.INVALID_NUMBER}),
        (PriceKind.DELIVERY_PLACES, {"places": ["²"]}, {"places": Code.INVALID_NUMBER}),
        (PriceKind.DELIVERY_DAYS, {"capacity": ["-1"]}, {"capacity": Code.INVALID_NUMBER}),
    ],
)  # fmt: skip
def test_each_field_has_its_own_problem(kind: PriceKind, typed: dict[str, Any], problems: dict[str, Code]) -> None:
    assert read_price(kind, {}, typed)[1] == problems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-06-02", date(2026, 6, 2)),
        ("2026-06-03", date(2026, 6, 3)),
        ("2026-06-01", Code.INVALID_CHOICE),
        ("3 juni", Code.INVALID_CHOICE),
        ("", Code.REQUIRED),
    ],
)
def test_a_price_holds_from_today_or_later(text: str, found: date | Code) -> None:
    assert read_day(text, date(2026, 6, 2)) == found


@pytest.mark.parametrize("kind", PriceKind)
def test_the_form_has_the_fields_of_the_record(kind: PriceKind) -> None:
    assert {entry.name for entry in PRICE_FIELDS[kind]} < set(RECORDS[kind].model_fields)
