"""Amounts, numbers and moments as people in the Netherlands write them, formatted in the browser.

The server sends amounts as text ("39.95") and moments in ISO 8601; an empty value is shown as an empty text.
"""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n.messages import LANGUAGE
from portal.reflex_adapter.var import browser_function

FORMATS_MODULE = "$/utils/portal/formats"


def _formatted(name: str, *values: Any) -> rx.Var[str]:
    return browser_function(name, FORMATS_MODULE).call(LANGUAGE, *values).to(str)


def money(amount: rx.Var[Any] | str, currency: rx.Var[str] | str = "EUR") -> rx.Var[str]:
    """An amount with its currency: "€ 39,95" or "€39.95".

    Args:
        amount: Decimal number as text.
        currency: ISO 4217 code.
    """
    return _formatted("money", amount, currency)


def number(value: rx.Var[Any] | float | str, decimals: int = 0) -> rx.Var[str]:
    """A number with separators: "1.250" or "1,250".

    Args:
        value: The number, or decimal text.
        decimals: How many digits are shown behind the separator, at most.
    """
    return _formatted("number", value, decimals)


def day(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A calendar day: "3 juni 2026".

    Args:
        value: ISO day, or an ISO moment of which the day in Europe/Amsterdam is taken.
    """
    return _formatted("day", value)


def weekday_day(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A calendar day with its weekday: "woensdag 3 juni 2026"."""
    return _formatted("weekdayDay", value)


def weekday_month(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A day whose year is clear, or stands beside it: "dinsdag 9 juni"."""
    return _formatted("weekdayMonth", value)


def first_day(first: rx.Var[Any] | str, last: rx.Var[Any] | str) -> rx.Var[str]:
    """The first of two days, without what both have in common: the "8" of "8 t/m 14 juni 2026"."""
    return _formatted("firstDay", first, last)


def month(value: rx.Var[Any] | str) -> rx.Var[str]:
    """The short name of the month of a day: "jun"."""
    return _formatted("month", value)


def moment(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A day and a time in Europe/Amsterdam: "3 juni 2026, 14:05"."""
    return _formatted("moment", value)
