"""Translated texts, dates and amounts as Vars. A page contains its texts in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from portal.kernel.texts import catalogue, settable_in
from portal.reflex_adapter.var import browser_function, expression, hook_value

Text = rx.Var[str] | str
"""A text that a component accepts: a translated Var, or a name or number that needs no translation."""

LANGUAGE_MODULE = "$/utils/portal/language"
LANGUAGE: rx.Var[str] = hook_value("lang", "useLanguage()", LANGUAGE_MODULE).to(str)
"""The visitor's language, 'nl' or 'en'."""


def _(text: str, **values: Any) -> rx.Var[str]:
    dutch = catalogue("nl").template(text)
    english = catalogue("en").template(text)
    values = {name: setting(name) for name in settable_in(text)} | values
    if dutch == english and not values:
        return rx.Var.create(english)
    return browser_function("t", LANGUAGE_MODULE).call(LANGUAGE, dutch, english, *([values] if values else [])).to(str)


def setting(name: rx.Var[str] | str) -> rx.Var[str]:
    """A value of `portal.shown_settings`, which a page reads when it is shown; a period of the shop goes first."""
    return browser_function("setting", LANGUAGE_MODULE).call(LANGUAGE, name).to(str)


def ngettext(singular: str, plural: str, n: rx.Var[int] | int, **values: Any) -> rx.Var[str]:
    dutch = catalogue("nl").templates(singular, plural)
    english = catalogue("en").templates(singular, plural)
    values = {name: setting(name) for name in settable_in(singular, plural)} | values
    return (
        browser_function("tn", LANGUAGE_MODULE)
        .call(LANGUAGE, list(dutch), list(english), n, {"n": n, **values})
        .to(str)
    )


def choice(value: rx.Var[Any] | str, texts: Mapping[Any, Text], default: Text = "") -> rx.Var[str]:
    """Choose a text by a value that is known only in the browser, such as a status or an error code."""
    options = {str(key): _(text) if isinstance(text, str) else text for key, text in texts.items()}
    fallback = (_(default) if default else "") if isinstance(default, str) else default
    return browser_function("choose", LANGUAGE_MODULE).call(options, value, fallback).to(str)


def localized(texts: rx.Var[Any]) -> rx.Var[str]:
    """A text that the server sent in every language, such as a `LocalizedText` of an account."""
    return browser_function("translated", LANGUAGE_MODULE).call(LANGUAGE, texts).to(str)


def lowered(text: rx.Var[str]) -> rx.Var[str]:
    """A text with a lowercase first letter, for use within a sentence."""
    # The expression of the text may be long, so the generated code contains it only once.
    return expression(f"({text!s}).replace(/^./, (letter) => letter.toLowerCase())", text).to(str)


FORMATS_MODULE = "$/utils/portal/formats"


def _formatted(name: str, *values: Any) -> rx.Var[str]:
    return browser_function(name, FORMATS_MODULE).call(LANGUAGE, *values).to(str)


def money(amount: rx.Var[Any] | str, currency: rx.Var[str] | str = "EUR") -> rx.Var[str]:
    return _formatted("money", amount, currency)


def number(value: rx.Var[Any] | float | str, decimals: int = 0) -> rx.Var[str]:
    return _formatted("number", value, decimals)


def decimal(value: rx.Var[str] | str) -> rx.Var[str]:
    """A decimal text as the value of a field: "1077,5" or "1077.5", as it is typed."""
    return _formatted("decimal", value)


def distance(kilometres: rx.Var[Any] | float | str) -> rx.Var[str]:
    """A distance with its unit and at most two decimals: "120,5 km" or "120.5 km", as documents write it."""
    return _("{n} km", n=number(kilometres, 2))


def day(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A calendar day: "3 juni 2026"."""
    return _formatted("day", value)


def weekday_day(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A calendar day with its weekday: "woensdag 3 juni 2026"."""
    return _formatted("weekdayDay", value)


def weekday_month(value: rx.Var[Any] | str) -> rx.Var[str]:
    """A calendar day with its weekday and without the year: "dinsdag 9 juni"."""
    return _formatted("weekdayMonth", value)


def weekday_short(value: rx.Var[Any] | str) -> rx.Var[str]:
    """The shortest form of a calendar day with its weekday, for lists: "di 9 jun"."""
    return _formatted("weekdayShort", value)


def first_day(first: rx.Var[Any] | str, last: rx.Var[Any] | str) -> rx.Var[str]:
    """The first day of a range, without the month and year that both share: the "8" of "8 t/m 14 juni 2026"."""
    return _formatted("firstDay", first, last)


def month(value: rx.Var[Any] | str) -> rx.Var[str]:
    """The abbreviated month of a day: "jun"."""
    return _formatted("month", value)


def clock(value: rx.Var[Any] | str) -> rx.Var[str]:
    """Time of day in Europe/Amsterdam: "14:05"."""
    return _formatted("clock", value)


def moment(value: rx.Var[Any] | str) -> rx.Var[str]:
    """Date and time in Europe/Amsterdam: "3 juni 2026, 14:05"."""
    return _formatted("moment", value)
