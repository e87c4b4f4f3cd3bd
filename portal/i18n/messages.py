"""Translated texts as Vars, with days and amounts. Both languages are written into the page that uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from portal.kernel.texts import catalogue
from portal.reflex_adapter.var import browser_function, expression, hook_value

Text = rx.Var[str] | str
"""What a component accepts as a text: a translated Var, or a name or number that needs no translation."""

LANGUAGE_MODULE = "$/utils/portal/language"

LANGUAGE: rx.Var[str] = hook_value("lang", "useLanguage()", LANGUAGE_MODULE).to(str)
"""The language that the visitor sees, 'nl' or 'en'."""


def _(text: str, **values: Any) -> rx.Var[str]:
    """Translate a text.

    Args:
        text: The English text, the id in the catalogue. `{name}` is replaced by the value of that name.
        values: Vars, texts or numbers for the placeholders.

    Returns:
        The text in the language of the visitor.
    """
    dutch = catalogue("portal", "nl").gettext(text)
    english = catalogue("portal", "en").gettext(text)
    if dutch == english and not values:
        return rx.Var.create(english)
    return browser_function("t", LANGUAGE_MODULE).call(LANGUAGE, dutch, english, *([values] if values else [])).to(str)


def ngettext(singular: str, plural: str, n: rx.Var[int] | int, **values: Any) -> rx.Var[str]:
    """Translate a counted text.

    Args:
        singular: The English text for one, the id in the catalogue.
        plural: The English text for any other number.
        n: The number, which also fills `{n}`.
        values: Values of further placeholders.
    """
    dutch = catalogue("portal", "nl").forms(singular, plural)
    english = catalogue("portal", "en").forms(singular, plural)
    return (
        browser_function("tn", LANGUAGE_MODULE)
        .call(LANGUAGE, list(dutch), list(english), n, {"n": n, **values})
        .to(str)
    )


def choice(value: rx.Var[Any] | str, texts: Mapping[Any, Text], default: Text = "") -> rx.Var[str]:
    """Choose a text by a value that is only known in the browser, such as a status or an error code.

    Args:
        value: The value.
        texts: A text for each value: translated Vars, or English texts (marked with `N_`) to be translated here.
        default: What is shown for a value that is not listed.
    """
    options = {str(key): _(text) if isinstance(text, str) else text for key, text in texts.items()}
    fallback = (_(default) if default else "") if isinstance(default, str) else default
    return browser_function("choose", LANGUAGE_MODULE).call(options, value, fallback).to(str)


def lowered(text: rx.Var[str]) -> rx.Var[str]:
    """A text in the midst of another one: it begins with a small letter."""
    # Only of the first letter: the expression behind the text may be long, so it is written once.
    return expression(f"({text!s}).replace(/^./, (letter) => letter.toLowerCase())", text).to(str)


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
