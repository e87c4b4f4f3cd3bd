"""What staff fill in for a price or number, and what each field may hold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.terms import bounds
from portal.service_packages.rules import Inclusion
from portal.vocabulary.insurance import Cover
from portal.vocabulary.prices import PriceKind
from portal.vocabulary.services import JOBS


class FieldForm(StrEnum):
    """How a field is filled in."""

    AMOUNT = "amount"
    """Number with two decimals, such as euro."""
    COUNT = "count"
    TEXT = "text"
    CHOICES = "choices"
    """Any number of values from a list."""
    YES = "yes"
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class PriceField:
    """A field of a price.

    `name`: as in the record.
    `most`: largest number; for a text, most characters.
    `least`: smallest number of a `COUNT`.
    `choices`: the values of `CHOICES`.
    """

    name: str
    form: FieldForm
    most: int = 0
    least: int = 0
    choices: tuple[str, ...] = ()


MAX_EURO, MAX_PER_MILLE, MAX_PLACES, MAX_PERIOD, MAX_SKU = 10_000, 1_000, 10_000, 1_000, 40

PRICE_FIELDS: Mapping[PriceKind, Sequence[PriceField]] = {
    PriceKind.SERVICE_PRODUCTS: (
        PriceField("price", FieldForm.AMOUNT, MAX_EURO),
        PriceField("sku", FieldForm.TEXT, MAX_SKU),
    ),
    PriceKind.SERVICE_PACKAGES: (
        PriceField("monthly", FieldForm.AMOUNT, MAX_EURO),
        PriceField("includes", FieldForm.CHOICES, choices=tuple(Inclusion)),
        PriceField("half_price_jobs", FieldForm.CHOICES, choices=JOBS),
        PriceField("most_chosen", FieldForm.YES),
    ),
    PriceKind.INSURANCES: (
        PriceField("offered", FieldForm.YES),
        PriceField("excess", FieldForm.AMOUNT, MAX_EURO),
        PriceField("covers", FieldForm.CHOICES, choices=tuple(Cover)),
        PriceField("most_chosen", FieldForm.YES),
    ),
    PriceKind.TARIFFS: (
        PriceField("per_mille", FieldForm.AMOUNT, MAX_PER_MILLE),
        PriceField("minimum", FieldForm.AMOUNT, MAX_EURO),
    ),
    PriceKind.TERMS: (PriceField("value", FieldForm.COUNT, MAX_PERIOD),),
    PriceKind.DELIVERY_PLACES: (PriceField("places", FieldForm.COUNT, MAX_PLACES),),
    PriceKind.DELIVERY_DAYS: (PriceField("capacity", FieldForm.COUNT, MAX_PLACES),),
}
SHOP_KINDS = frozenset(
    {PriceKind.SERVICE_PRODUCTS, PriceKind.SERVICE_PACKAGES, PriceKind.INSURANCES, PriceKind.TARIFFS, PriceKind.TERMS}
)
"""Kinds of which a further shop can have its own; places for deliveries are shared by all shops."""

Typed = Mapping[str, Sequence[str]]
"""What was typed, by name of the field; a box that is not checked is missing."""

_NUMBER = re.compile(r"(\d{1,3}(?:([.,])\d{3}(?:\2\d{3})*)?|\d+)(?:([.,])(\d{1,2}))?")


def amount(text: str) -> Decimal:
    """Read an amount as people in both languages write it: '8,5', '€ 1.249,00', '1,249.00'.

    Three digits after a point or comma are thousands, one or two are decimals.
    Raises `ValueError`: it is none.
    """
    plain = re.sub(r"[€\s\u00a0]", "", text)
    found = _NUMBER.fullmatch(plain) if plain.isascii() else None
    if found is None or (found[2] and found[2] == found[3]):
        raise ValueError(f"not an amount: {text!r}")
    whole = re.sub(r"[.,]", "", found[1])
    return Decimal(f"{whole}.{(found[4] or '').ljust(2, '0')}")


def fields_of(kind: PriceKind, about: Mapping[str, Any]) -> Sequence[PriceField]:
    """Return the fields of a price; a period has the bounds of its term.

    `about`: what the price is about, by name of the field.
    """
    if kind is not PriceKind.TERMS:
        return PRICE_FIELDS[kind]
    least, most = bounds(about["term"])
    return (PriceField("value", FieldForm.COUNT, most, least),)


def read_price(kind: PriceKind, about: Mapping[str, Any], typed: Typed) -> tuple[dict[str, object], dict[str, Code]]:
    """Read the fields of a price.

    `about`: what the price is about, by name of the field.
    Returns the values by name of the field, and the problem of each field that is missing or wrong.
    """
    values: dict[str, object] = {}
    problems: dict[str, Code] = {}
    for field in fields_of(kind, about):
        found = _read(field, typed.get(field.name, ()))
        if isinstance(found, Code):
            problems[field.name] = found
        else:
            values[field.name] = found
    if values.get("offered") and values.get("covers") == []:
        problems["covers"] = Code.REQUIRED
    return values, problems


def read_day(text: str, earliest: date) -> date | Code:
    """Read a day in ISO 8601 that is not before `earliest`, or tell what is wrong."""
    if not text:
        return Code.REQUIRED
    found = validation.day(text)
    return found if found and found >= earliest else Code.INVALID_CHOICE


def _read(field: PriceField, typed: Sequence[str]) -> Any:
    if field.form is FieldForm.CHOICES:
        chosen = [value for value in field.choices if value in typed]
        return chosen if set(typed) <= set(field.choices) else Code.INVALID_CHOICE
    if field.form is FieldForm.YES:
        return bool(typed)
    text = typed[0].strip() if typed else ""
    if not text:
        return Code.REQUIRED
    if field.form is FieldForm.TEXT:
        return text if len(text) <= field.most else Code.TOO_LONG
    return _number(field, text)


def _number(field: PriceField, text: str) -> Decimal | int | Code:
    found: Decimal | int
    if field.form is FieldForm.AMOUNT:
        try:
            found = amount(text)
        except ValueError:
            return Code.INVALID_NUMBER
    # A sign or a letter is no digit, and other digits than 0 to 9 are not read by accident.
    elif re.fullmatch(r"[0-9]{1,9}", text):
        found = int(text)
    else:
        return Code.INVALID_NUMBER
    return found if field.least <= found <= field.most else Code.INVALID_NUMBER
