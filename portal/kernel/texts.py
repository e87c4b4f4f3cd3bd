"""Texts and languages: mark texts for translation, read catalogues, choose the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Literal, get_args

from babel.messages.pofile import read_po

from portal.kernel.terms import IN_TEXTS, SPELLED, Terms


def N_(text: str) -> str:
    """Mark an English text for translation without translating it here.

    Rules are independent of language; pages, mails and documents translate the text.
    """
    return text


Locale = Literal["nl", "en"]
LOCALES: tuple[Locale, ...] = get_args(Locale)
WRITTEN: Locale = "en"
"""The language of the sources. The text itself is the message id, so this language has no catalogue."""

TRANSLATED: tuple[Locale, ...] = tuple(locale for locale in LOCALES if locale != WRITTEN)
DEFAULT: Locale = "nl"
"""Language of visitors who have not chosen one (part-1 §1)."""

COOKIE = "lang"
"""The cookie that stores the choice for a year. The browser writes it, so its value must be validated."""


def known_locale(value: str | None) -> Locale:
    """The language with this code, or the default language for any other value."""
    ours: dict[str, Locale] = {locale: locale for locale in LOCALES}
    return ours.get(value or "", DEFAULT)


def locale_of(cookie_header: str) -> Locale:
    """The language chosen in the Cookie header of a request."""
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(cookie_header)
    except CookieError:
        return DEFAULT
    return known_locale(cookies[COOKIE].value) if COOKIE in cookies else DEFAULT


_BEFORE_UNIT = re.compile(r"(?<=[\d}]) (?=(?:km|kg|kB|MB|GB)\b)")


def with_units(text: str) -> str:
    """A text in which no line ends between a number and its unit."""
    return _BEFORE_UNIT.sub("\u00a0", text)


_NAMES = re.compile(r"\{(" + "|".join(IN_TEXTS) + r")\}")

_NONE: Mapping[str, int] = {}

_NUMBERS: dict[Locale, tuple[str, ...]] = {
    "nl": ("nul", "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf"),
    "en": ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
}


def with_terms(text: str, locale: Locale, changed: Mapping[str, int] = _NONE) -> str:
    """Fill in the terms that a text names in braces; other placeholders stay unchanged. Numbers keep their units.

    `text`: A translated text, or an English text that has no translation.
    `locale`: The language of numbers that are spelled out as words.
    `changed`: Values that a shop has set, by name; the others are those of the installation.
    """
    return _NAMES.sub(
        lambda found: _written(found[1], changed.get(found[1], IN_TEXTS[found[1]]), locale), with_units(text)
    )


SETTABLE = frozenset(IN_TEXTS) & frozenset(Terms.model_fields)
"""Terms in texts that a setting changes: a page that was built before fills them in when it is shown."""


def settable_in(*texts: str) -> list[str]:
    """The settable terms that texts name."""
    return sorted({name for text in texts for name in _NAMES.findall(text) if name in SETTABLE})


def written_terms(locale: Locale) -> dict[str, str]:
    """The settable terms as texts of a language write them."""
    return {name: _written(name, IN_TEXTS[name], locale) for name in SETTABLE}


def _written(name: str, value: int | time, locale: Locale) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    spelled = name in SPELLED and value < len(_NUMBERS[locale])
    return _NUMBERS[locale][value] if spelled else str(value)


DIRECTORY = Path(__file__).resolve().parents[2] / "locale"


def path_of(locale: Locale) -> Path:
    """The file of a catalogue."""
    return DIRECTORY / locale / "LC_MESSAGES" / "portal.po"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The translations into one language.

    `messages`: Translation by message id; for the singular id of a message with plural, both forms.
    """

    locale: Locale
    messages: Mapping[str, tuple[str, ...]]

    def gettext(self, text: str, changed: Mapping[str, int] = _NONE) -> str:
        """Translate a text and fill in its terms; without a translation the English text is used."""
        return with_terms(self.messages.get(text, (text,))[0], self.locale, changed)

    def template(self, text: str) -> str:
        """Translate a text whose terms the browser fills in, because a setting or a shop changes them."""
        return self._template(self.messages.get(text, (text,))[0])

    def _template(self, translated: str) -> str:
        return _NAMES.sub(
            lambda found: found[0] if found[1] in SETTABLE else _written(found[1], IN_TEXTS[found[1]], self.locale),
            with_units(translated),
        )

    def templates(self, singular: str, plural: str) -> tuple[str, str]:
        """Singular and plural form of a text. Dutch and English both use the singular only for 1."""
        found = self.messages.get(singular, ())
        one, many = (found[0], found[1]) if len(found) == 2 else (singular, plural)
        return self._template(one), self._template(many)

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        """Translate a text with singular and plural form."""
        return with_terms(self.templates(singular, plural)[0 if n == 1 else 1], self.locale)


@cache
def catalogue(locale: Locale) -> Catalogue:
    """The texts of a language, read once."""
    return Catalogue(locale, _messages(locale))


def _messages(locale: Locale) -> Mapping[str, tuple[str, ...]]:
    if locale == WRITTEN:
        return {}
    with path_of(locale).open("rb") as file:
        entries = read_po(file, locale=locale)
    messages: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        forms = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        if entry.id and forms and all(forms) and not entry.fuzzy:
            messages[entry.id if isinstance(entry.id, str) else entry.id[0]] = forms
    return messages


def gettext_for(locale: Locale) -> Callable[[str], str]:
    """A function that translates server texts, such as mails and documents."""
    return catalogue(locale).gettext


def both(text: str, **values: str | int) -> dict[str, str]:
    """A text in every language, by language code; the browser shows the chosen one."""
    return {locale: _fill(catalogue(locale).gettext(text), values) for locale in LOCALES}


def _fill(text: str, values: Mapping[str, str | int]) -> str:
    # Not str.format: braces in a value or text must not be evaluated.
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


CURRENCY = "EUR"


class CostKind(StrEnum):
    """What a cost line is for."""

    SERVICE_JOB = "service_job"
    PACKAGE_DISCOUNT = "package_discount"
    PICK_UP = "pick_up"
    CALL_OUT = "call_out"


COST_NAMES: dict[CostKind, str] = {
    CostKind.SERVICE_JOB: N_("Service"),
    CostKind.PACKAGE_DISCOUNT: N_("Discount of your service package"),
    CostKind.PICK_UP: N_("Pick-up and delivery"),
    CostKind.CALL_OUT: N_("Call-out fee"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost line; the amount of a discount is negative."""

    kind: CostKind
    amount: Decimal


def total(costs: Sequence[Cost]) -> Decimal:
    """The sum, with two decimals."""
    return sum((cost.amount for cost in costs), Decimal("0.00"))


def snapshot(costs: Sequence[Cost]) -> dict[str, object]:
    """The lines in the form stored with a request, so that mail and PDF show the same amounts as the page."""
    return {
        "currency": CURRENCY,
        "lines": [{"kind": cost.kind.value, "amount": f"{cost.amount:.2f}"} for cost in costs],
        "total": f"{total(costs):.2f}",
    }


def stored_costs(stored: Mapping[str, Any] | None) -> tuple[Cost, ...]:
    """The lines of a stored snapshot; empty without a snapshot.

    Raises `ValueError`: the value is not a snapshot, or its total is not the sum of its lines.
    """
    if not stored:
        return ()
    try:
        costs = tuple(Cost(CostKind(line["kind"]), Decimal(line["amount"])) for line in stored["lines"])
        stored_total, currency = Decimal(stored["total"]), stored["currency"]
    except (KeyError, TypeError, ValueError, InvalidOperation):
        raise ValueError("not a valid list of costs") from None
    if stored_total != total(costs) or currency != CURRENCY:
        raise ValueError("costs that do not add up")
    return costs
