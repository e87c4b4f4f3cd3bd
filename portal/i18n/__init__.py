"""Translated texts, amounts and dates on the pages, in the visitor's language.

Customers can switch between Dutch and English on every page. The retailer edits the Dutch texts in the catalogues in
`locale`. The rules:

- The English text in the source is the id of a message. Code contains no Dutch.
- Every function returns a Var that the browser evaluates, so a switch changes all texts without a request.
- A catalogue is complete: `python -m portal.i18n check` fails on a missing or obsolete translation.

Read the package in this order:

- `messages`: texts, amounts and dates for pages.
- `catalogues`: collecting messages from the sources, updating and checking the catalogues.
- `__main__`: the command line.

Texts of mails and documents are translated on the server, with `portal.kernel.texts`.
"""

from portal.i18n.messages import (
    LANGUAGE,
    Text,
    _,
    choice,
    clock,
    day,
    decimal,
    distance,
    first_day,
    localized,
    lowered,
    moment,
    money,
    month,
    ngettext,
    number,
    setting,
    weekday_day,
    weekday_month,
    weekday_short,
)

__all__ = [
    "LANGUAGE",
    "Text",
    "_",
    "choice",
    "clock",
    "day",
    "decimal",
    "distance",
    "first_day",
    "localized",
    "lowered",
    "moment",
    "money",
    "month",
    "ngettext",
    "number",
    "setting",
    "weekday_day",
    "weekday_month",
    "weekday_short",
]
