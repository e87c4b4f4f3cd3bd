"""Rules for figures: months and years, decimals, bank accounts, and what follows the country of an address."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache

from babel import Locale
from stdnum import iban
from stdnum.exceptions import ValidationError

from portal.domain import validation
from portal.domain.codes import Code
from portal.domain.countries import Country
from portal.domain.flow.answers import Answer, AnswerContext
from portal.domain.flow.rules import OneValue
from portal.domain.terms import MILEAGE_DECIMALS
from portal.domain.validation import InvalidValue, clean

_FEWEST_LETTERS = 3
"""Of the name of a month: enough to tell all twelve apart in both languages."""


@cache
def _names_of_months() -> dict[str, int]:
    found: dict[str, int] = {}
    for language in ("nl", "en"):
        for width in ("wide", "abbreviated"):
            for month, name in Locale(language).months["format"][width].items():
                found[name.rstrip(".").casefold()] = month
    return found


@dataclass(frozen=True, slots=True)
class Month(OneValue):
    """A month, as a number or by its name or the start of it: 3, 03, mrt, maart, March. Kept as its number."""

    codes: tuple[Code, ...] = field(default=(Code.INVALID_MONTH,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The number, 1 to 12, without a zero in front."""
        text = clean(str(given)).rstrip(".").casefold()
        if re.fullmatch(r"0?[1-9]|1[0-2]", text):
            return str(int(text))
        months = _names_of_months()
        if text in months:
            return str(months[text])
        fitting = {month for name, month in months.items() if name.startswith(text)}
        if len(text) < _FEWEST_LETTERS or len(fitting) != 1:
            raise InvalidValue(Code.INVALID_MONTH)
        return str(fitting.pop())


@dataclass(frozen=True, slots=True)
class Year(OneValue):
    """A year in four digits, from `first` to `ahead` years from now."""

    first: int = 1950
    ahead: int = 10
    codes: tuple[Code, ...] = field(default=(Code.INVALID_YEAR,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The year."""
        text = clean(str(given))
        if not re.fullmatch(r"[0-9]{4}", text) or not self.first <= int(text) <= answers.day.year + self.ahead:
            raise InvalidValue(Code.INVALID_YEAR)
        return text


def lies_ahead(month: str, year: str, day: date) -> bool:
    """Whether a month begins after `day`; the current month does not (edge-cases 53). False for what is no month."""
    return month.isdigit() and year.isdigit() and (int(year), int(month)) > (day.year, day.month)


def not_in_the_future(month: str, year: str) -> Callable[[AnswerContext], dict[str, Code]]:
    """A warning of a month that lies ahead.

    Args:
        month: name of the field that asks for it.
        year: name of the field that asks for its year.
    """

    def warn(answers: AnswerContext) -> dict[str, Code]:
        ahead = lies_ahead(answers.text(month), answers.text(year), answers.day)
        return {month: Code.DATE_IN_FUTURE} if ahead else {}

    return warn


@dataclass(frozen=True, slots=True)
class Number(OneValue):
    """A number with a comma or a point and at most two decimals (part-2 §5). Kept with a point.

    Attributes:
        smallest, largest: bounds, both included.
    """

    smallest: Decimal = Decimal(0)
    largest: Decimal = Decimal(999_999)
    codes: tuple[Code, ...] = field(default=(Code.INVALID_NUMBER,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The number as a plain decimal text, such as '12.5'."""
        text = clean(str(given)).replace(" ", "").replace(",", ".")
        if not re.fullmatch(rf"[0-9]{{1,9}}(\.[0-9]{{1,{MILEAGE_DECIMALS}}})?", text):
            raise InvalidValue(Code.INVALID_NUMBER)
        value = Decimal(text)
        if not self.smallest <= value <= self.largest:
            raise InvalidValue(Code.INVALID_NUMBER)
        return f"{value.normalize():f}"


@dataclass(frozen=True, slots=True)
class Iban(OneValue):
    """A bank account of any SEPA country: form, length and check digits. Kept compact and in capitals."""

    codes: tuple[Code, ...] = field(default=(Code.INVALID_IBAN,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The number without blanks."""
        text = re.sub(r"[\s.-]", "", clean(str(given)))
        try:
            value = iban.validate(text, check_country=False)
        except ValidationError:
            raise InvalidValue(Code.INVALID_IBAN) from None
        if value[:2] not in SEPA:
            raise InvalidValue(Code.INVALID_IBAN)
        return value


SEPA = frozenset(
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE "
    "SI SK SM VA".split()
)
"""Countries of the single euro payments area, by the letters an IBAN begins with."""


def _country(answers: AnswerContext, name: str) -> Country:
    try:
        return Country(answers.text(name))
    except ValueError:
        return Country.NL


@dataclass(frozen=True, slots=True)
class Postcode(OneValue):
    """A postcode in the form of the country that another field names."""

    country_field: str
    codes: tuple[Code, ...] = field(default=(Code.INVALID_POSTCODE, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The postcode in the country's writing."""
        return validation.postcode(str(given), _country(answers, self.country_field))


@dataclass(frozen=True, slots=True)
class Phone(OneValue):
    """A phone number, national ones read as of the country that another field names. Kept as E.164."""

    country_field: str
    codes: tuple[Code, ...] = field(default=(Code.INVALID_PHONE, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The number."""
        return validation.phone(str(given), _country(answers, self.country_field))
