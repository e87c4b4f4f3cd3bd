"""The account of a request: what every channel says about it (part-1 §9, part-2 §8).

The provider builds the account once, from the stored rows. Pages, confirmations, mails, PDFs, labels, calendar files
and text messages render it; none of them computes an amount, chooses a sentence or writes an address by itself. So two
channels cannot disagree.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self

from pydantic import Field

from portal.contract.models import Amount, Locale, Model
from portal.kernel.terms import OF_SHOPS
from portal.kernel.texts import LOCALES, catalogue


class LocalizedText(Model):
    """A text in every language. It is empty in all of them or in none."""

    nl: str = ""
    en: str = ""

    @classmethod
    def of(cls, text: str, **values: Any) -> Self:
        """Translate an English text marked with `N_`, and fill its placeholders."""
        terms = {name: value for name, value in values.items() if name in OF_SHOPS}
        return cls.each(
            lambda locale: catalogue(locale).gettext(text, terms).format(**_values(values, locale)) if text else ""
        )

    @classmethod
    def each(cls, write: Callable[[Locale], str]) -> Self:
        """Write a text in each language with a function of the language."""
        return cls(**{locale: write(locale) for locale in LOCALES})

    @classmethod
    def same(cls, text: str) -> Self:
        """A text that reads the same in every language, such as a name or what the customer typed."""
        return cls.each(lambda _locale: text)

    def text(self, locale: Locale) -> str:
        """The text in one language."""
        return str(getattr(self, locale))

    def __bool__(self) -> bool:
        return bool(self.nl or self.en)


def _values(values: dict[str, Any], locale: Locale) -> dict[str, Any]:
    return {name: _value(value, locale) for name, value in values.items()}


def _value(value: Any, locale: Locale) -> Any:
    if isinstance(value, LocalizedText):
        return value.text(locale)
    return value(locale) if callable(value) else value


class Direction(StrEnum):
    """Who pays whom."""

    NONE = "none"
    CUSTOMER_PAYS = "customer_pays"
    CUSTOMER_RECEIVES = "customer_receives"


class AccountAmount(Model):
    """A line of the amounts, in euros including VAT. In a refund, what is deducted is negative."""

    label: LocalizedText
    amount: Amount


class AccountMoney(Model):
    """The amounts of a request.

    `total`: amount that is paid in this direction; zero if nothing is paid.
    `label`: name of the total, such as "Je krijgt terug".
    `besides`: amounts that the total leaves out, such as what is still to be paid for the order.
    """

    lines: list[AccountAmount] = Field(default_factory=list)
    direction: Direction = Direction.NONE
    total: Amount = Decimal("0.00")
    label: LocalizedText = LocalizedText()
    note: LocalizedText = LocalizedText()
    besides: list[AccountAmount] = Field(default_factory=list)


class AccountFact(Model):
    """A label with its value; a value of several lines is a list.

    `files`: whether the lines are names of files. A page that shows the files themselves leaves it out.
    """

    label: LocalizedText
    lines: list[LocalizedText]
    files: bool = False

    @classmethod
    def of(cls, label: str, *lines: LocalizedText) -> Self:
        """A fact whose label is an English text of the catalogue."""
        return cls(label=LocalizedText.of(label), lines=list(lines))


class AccountHandover(Model):
    """How and where something is handed over.

    `country`: name of its country; empty for a place of the retailer.
    `when`: the planned day and hours, or what is known of them; empty if nothing is.
    `cost`: what the customer pays for this way; zero if it is free.
    `day`: the planned local day; None until one is planned.
    """

    how: LocalizedText
    place: list[str] = Field(default_factory=list)
    country: LocalizedText = LocalizedText()
    when: LocalizedText = LocalizedText()
    cost: Amount = Decimal("0.00")
    day: date | None = None


class Account(Model):
    """What every channel says about one request.

    `reference`: in groups of four, for reading.
    `title`: heading of confirmation, page, mail, PDF and browser tab.
    `meaning`: what the status means to the customer, for the chosen handover; empty if the status says it all.
    `phases`: the phases in order; empty if the request was cancelled or its status is unknown.
    `phase`: index of the current phase; their number once all are done; None without phases.
    `handover`: how the goods go; None if nothing is handed over.
    `back`: how they come back, if that differs.
    `next_steps`: what happens next, for this status, handover and direction of money; empty once it is closed.
    """

    reference: str
    title: LocalizedText
    status: LocalizedText
    meaning: LocalizedText = LocalizedText()
    phases: list[LocalizedText] = Field(default_factory=list)
    phase: int | None = None
    handover: AccountHandover | None = None
    back: AccountHandover | None = None
    facts: list[AccountFact] = Field(default_factory=list)
    money: AccountMoney = AccountMoney()
    next_steps: list[LocalizedText] = Field(default_factory=list)


EMPTY_ACCOUNT = Account(reference="", title=LocalizedText(), status=LocalizedText())
"""The account of a page that has not loaded one."""
