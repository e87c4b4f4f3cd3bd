"""Texts, amounts and moments on the pages, in the language of the visitor.

Everything here returns a Var that the browser evaluates: switching language changes every text at once.
"""

from portal.domain.marks import N_
from portal.i18n.formats import day, first_day, moment, money, month, number, weekday_day, weekday_month
from portal.i18n.messages import LANGUAGE, Text, _, choice, lowered, ngettext
from portal.texts import LOCALES, Locale, both, known_locale, locale_of

__all__ = [
    "LANGUAGE",
    "LOCALES",
    "N_",
    "Locale",
    "Text",
    "_",
    "both",
    "choice",
    "day",
    "first_day",
    "known_locale",
    "locale_of",
    "lowered",
    "moment",
    "money",
    "month",
    "ngettext",
    "number",
    "weekday_day",
    "weekday_month",
]
