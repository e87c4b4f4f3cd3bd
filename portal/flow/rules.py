"""Rules for single answers: a rule returns the answer as it is stored, or refuses it with a code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any, Protocol

from babel import Locale
from stdnum import iban
from stdnum.exceptions import ValidationError

from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.terms import MILEAGE_DECIMALS, REQUEST_MEGABYTES
from portal.kernel.validation import LONGEST_TEXT, InvalidValue, clean, count_characters, tidy_text
from portal.vocabulary.files import FileKind

Answer = str | list[str]
"""One text, or several values of a list. Kept as the rule of the field returned it."""

Answers = Mapping[str, Answer]
"""Answers by name of the field."""

Facts = Mapping[str, Any]
"""What the retailer's side knows and the flow depends on, as JSON: the bikes to choose from, and so on."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The answers to a flow, with everything that they are judged by.

    Attributes:
        given: everything answered so far, this step included.
        facts: what the retailer's side knows.
        day: today in Europe/Amsterdam.
    """

    given: Answers
    facts: Facts
    day: date

    def text(self, name: str) -> str:
        """The answer to a field of one value; empty while there is none."""
        value = self.given.get(name, "")
        return value if isinstance(value, str) else ""

    def several(self, name: str) -> list[str]:
        """The answer to a field of several values; empty while there is none."""
        value = self.given.get(name, [])
        return value if isinstance(value, list) else []

    def of_field(self, name: str) -> AnswerContext:
        """The same, with the files of one field only."""
        mine = [entry for entry in self.facts.get("files", ()) if entry["field"] == name]
        return replace(self, facts={**self.facts, "files": mine})

    def entry(self, key: str, name: str) -> Mapping[str, Any]:
        """The entry of a list of facts that an answer names by its `id`; empty when there is none.

        Args:
            key: the list among the facts.
            name: the field whose answer is the `id`.
        """
        wanted = self.text(name)
        return next((entry for entry in self.facts.get(key, ()) if entry.get("id") == wanted), {})


Condition = Callable[[AnswerContext], bool]


@dataclass(frozen=True, slots=True)
class Answered:
    """The condition that a field has one of these answers. `Flow` checks that there is such a field."""

    field: str
    values: tuple[str, ...]

    def __call__(self, answers: AnswerContext) -> bool:
        """Whether it has."""
        return answers.text(self.field) in self.values


def answered(field: str, *values: str) -> Answered:
    """The condition that a field has one of these answers.

    Args:
        field: name of a field that is asked before.
        *values: the answers.
    """
    return Answered(field, values)


def always(_answers: AnswerContext) -> bool:
    """Whatever was answered."""
    return True


class Rule(Protocol):
    """What an answer has to be. An empty answer never reaches a rule: the field decides about those."""

    @property
    def codes(self) -> tuple[Code, ...]:
        """The refusals it can give, so that a page ships the texts of these only."""
        ...

    @property
    def several(self) -> bool:
        """Whether the answer is a list."""
        ...

    @property
    def messages(self) -> Mapping[Code, str]:
        """English texts of refusals that say more here than they do elsewhere."""
        ...

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The answer as it is kept.

        Raises:
            InvalidValue: with the code.
        """
        ...


class OneValue:
    """Base of the rules for one value."""

    several = False
    messages: Mapping[Code, str] = MappingProxyType({})


class SeveralValues:
    """Base of the rules for a list."""

    several = True
    messages: Mapping[Code, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Words(OneValue):
    """A longer text of `minimum` to `maximum` characters as a person counts them, after trimming."""

    minimum: int
    maximum: int
    codes: tuple[Code, ...] = field(default=(Code.TOO_SHORT, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The text in its normal form."""
        value = tidy_text(str(given))
        # One cannot count fewer code points than characters, so most texts need no counting.
        if len(value) < self.minimum or (characters := count_characters(value)) < self.minimum:
            raise InvalidValue(Code.TOO_SHORT)
        if len(value) > LONGEST_TEXT or characters > self.maximum:
            raise InvalidValue(Code.TOO_LONG)
        return value


@dataclass(frozen=True, slots=True)
class ValidatedText(OneValue):
    """A line of text that a function of `portal.kernel.validation` accepts.

    Attributes:
        check: takes the text, returns it as it is kept.
        codes: what it can refuse with.
    """

    check: Callable[[str], str]
    codes: tuple[Code, ...] = (Code.TOO_LONG,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The text as the function returns it."""
        return self.check(str(given))


LINE = ValidatedText(validation.required)
"""A line of text of at most 60 characters: a name, a street, a city."""


@dataclass(frozen=True, slots=True)
class OneOf(OneValue):
    """One of the options. `options` maps each value to its English text."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = field(default=(Code.INVALID_CHOICE,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The value."""
        if given not in self.options:
            raise InvalidValue(Code.INVALID_CHOICE)
        return given


@dataclass(frozen=True, slots=True)
class SomeOf(SeveralValues):
    """One or more of the options, kept in the order in which they are offered."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = field(default=(Code.INVALID_CHOICE,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The values."""
        if not set(given) <= set(self.options):
            raise InvalidValue(Code.INVALID_CHOICE)
        return [option for option in self.options if option in given]


@dataclass(frozen=True, slots=True)
class Offered(OneValue):
    """One of the entries that the facts offer: things only the retailer's side knows, such as the customer's bikes.

    Attributes:
        key: list among the facts. Each entry has an `id`, and a `refusal`: a code, or empty when it can be chosen.
        refusals: the codes an entry can be refused with.
        unknown: the code for an `id` that is not offered.
    """

    key: str
    refusals: tuple[Code, ...] = ()
    unknown: Code = Code.INVALID_CHOICE

    @property
    def codes(self) -> tuple[Code, ...]:
        """The refusals of the entries, and the one for what is not offered."""
        return (self.unknown, *self.refusals)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The `id`."""
        found = next((entry for entry in answers.facts.get(self.key, ()) if entry["id"] == given), None)
        if found is None:
            raise InvalidValue(self.unknown)
        if refusal := found.get("refusal"):
            raise InvalidValue(Code(refusal))
        return str(given)


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


FILES = "files"
"""List among the facts of a draft, complete files only: `id`, `field`, `name`, `size`, `kind`, `photo`."""

LARGEST_TOGETHER = REQUEST_MEGABYTES * 1024 * 1024
"""Bytes of all files of one request."""


@dataclass(frozen=True, slots=True)
class Files(SeveralValues):
    """Files that were uploaded to the draft; the answer is the list of their ids.

    Attributes:
        minimum, maximum: how many, both included.
        kinds: what they may be.
        photo: whether at least one of them has to be a photo (edge-cases 61).
    """

    minimum: int
    maximum: int
    kinds: frozenset[FileKind] = frozenset(FileKind)
    photo: bool = False

    @property
    def codes(self) -> tuple[Code, ...]:
        """The refusals it can give."""
        least = (Code.TOO_FEW_FILES,) if self.minimum > 1 else ()
        photo = (Code.PHOTO_REQUIRED,) if self.photo else ()
        return (Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED, *least, *photo)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The ids, each once, in the order of uploading."""
        present = {entry["id"]: entry for entry in answers.facts.get(FILES, ())}
        if not set(given) <= set(present):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        chosen = [entry for identifier, entry in present.items() if identifier in given]
        if any(entry["kind"] not in self.kinds for entry in chosen):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        if len(chosen) > self.maximum:
            raise InvalidValue(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if len(chosen) < self.minimum:
            raise InvalidValue(Code.TOO_FEW_FILES)
        if self.photo and not any(entry["photo"] for entry in chosen):
            raise InvalidValue(Code.PHOTO_REQUIRED)
        return [str(entry["id"]) for entry in chosen]
