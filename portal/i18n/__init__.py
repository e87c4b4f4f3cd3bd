"""Texts, amounts and moments on the pages, in the language of the visitor.

Everything here returns a Var that the browser evaluates: switching language changes every text at once.
"""

from portal.i18n.messages import (
    LANGUAGE,
    Text,
    _,
    choice,
    day,
    first_day,
    lowered,
    moment,
    money,
    month,
    ngettext,
    number,
    weekday_day,
    weekday_month,
)

__all__ = [
    "LANGUAGE",
    "Text",
    "_",
    "choice",
    "day",
    "first_day",
    "lowered",
    "moment",
    "money",
    "month",
    "ngettext",
    "number",
    "weekday_day",
    "weekday_month",
]
