"""Rules for single answers: a rule returns the answer in its stored form or refuses it with a code."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Protocol

from babel import Locale

from portal.flow.facts import Answer, AnswerContext, FileFacts
from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.terms import MILEAGE_DECIMALS, REQUEST_MEGABYTES
from portal.kernel.validation import MAX_TEXT, InvalidValue, clean, count_characters, tidy_text
from portal.vocabulary.files import FileKind
from portal.vocabulary.staff import CONCEALED

Condition = Callable[[AnswerContext], bool]


@dataclass(frozen=True, slots=True)
class Answered:
    """The condition that a field has one of these answers. `Flow` checks that the field exists."""

    field: str
    values: tuple[str, ...]

    def __call__(self, answers: AnswerContext) -> bool:
        """Whether the condition is met."""
        return answers.text(self.field) in self.values


def answered(field: str, *values: str) -> Answered:
    """The condition that a field has one of these answers.

    `field`: name of a field that comes earlier in the flow.
    """
    return Answered(field, values)


def always(_answers: AnswerContext) -> bool:
    """The condition that is always met."""
    return True


class Rule(Protocol):
    """The check of one answer. A rule never gets an empty answer: `Field.read` handles those."""

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes the rule can refuse with. A page ships only their texts."""

    @property
    def several(self) -> bool:
        """Whether the answer is a list."""

    @property
    def messages(self) -> Mapping[Code, str]:
        """English texts that replace the catalogue's texts of these codes."""

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the answer in its stored form. Raises `InvalidValue`: the rule refuses the answer."""


class OneValue:
    """Base class of rules for one value."""

    several = False
    messages: Mapping[Code, str] = MappingProxyType({})


class SeveralValues:
    """Base class of rules for a list of values."""

    several = True
    messages: Mapping[Code, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Words(OneValue):
    """A longer text of `minimum` to `maximum` visible characters after trimming."""

    minimum: int
    maximum: int
    codes: tuple[Code, ...] = field(default=(Code.TOO_SHORT, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the text in its normal form."""
        value = tidy_text(str(given))
        # A text never has fewer code points than characters, so `len` alone often decides.
        if len(value) < self.minimum or (characters := count_characters(value)) < self.minimum:
            raise InvalidValue(Code.TOO_SHORT)
        if len(value) > MAX_TEXT or characters > self.maximum:
            raise InvalidValue(Code.TOO_LONG)
        return value


@dataclass(frozen=True, slots=True)
class ValidatedText(OneValue):
    """A line of text that a function of `portal.kernel.validation` accepts.

    `check`: returns the text in its stored form, or raises `InvalidValue`.
    `codes`: the codes `check` can refuse with.
    """

    check: Callable[[str], str]
    codes: tuple[Code, ...] = (Code.TOO_LONG,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the result of `check`."""
        return self.check(str(given))


LINE = ValidatedText(validation.required)
"""A line of text of at most 60 characters: a name, a street, a city."""


@dataclass(frozen=True, slots=True)
class OneOf(OneValue):
    """One of a fixed set of options. `options` maps each value to its English text."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = field(default=(Code.INVALID_CHOICE,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the value."""
        if given not in self.options:
            raise InvalidValue(Code.INVALID_CHOICE)
        return given


@dataclass(frozen=True, slots=True)
class SomeOf(SeveralValues):
    """One or more of a fixed set of options, stored in the order of `options`."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = field(default=(Code.INVALID_CHOICE,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the values."""
        if not set(given) <= set(self.options):
            raise InvalidValue(Code.INVALID_CHOICE)
        return [option for option in self.options if option in given]


@dataclass(frozen=True, slots=True)
class Offered(OneValue):
    """One of the entries of a list in the facts, such as the customer's bikes.

    `key`: name of the list. Each entry has an `id` and a `refusal`: a code, or empty if the entry can be chosen.
    `unknown`: the code for an `id` that is not in the list.
    """

    key: str
    refusals: tuple[Code, ...] = ()
    unknown: Code = Code.INVALID_CHOICE

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes of the entries and the code for an unknown `id`."""
        return (self.unknown, *self.refusals)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the `id`."""
        entry = next((entry for entry in answers.facts.get(self.key, ()) if entry["id"] == given), None)
        if entry is None:
            raise InvalidValue(self.unknown)
        if refusal := entry.get("refusal"):
            raise InvalidValue(Code(refusal))
        return str(given)


_MINIMUM_LETTERS = 3
"""Letters of a month's name that identify it in both languages."""


@cache
def _month_numbers() -> dict[str, int]:
    numbers: dict[str, int] = {}
    for language in ("nl", "en"):
        for width in ("wide", "abbreviated"):
            for month, name in Locale(language).months["format"][width].items():
                numbers[name.rstrip(".").casefold()] = month
    return numbers


@dataclass(frozen=True, slots=True)
class Month(OneValue):
    """A month as a number, a name or the start of a name: 3, 03, mrt, maart, March. Stored as its number.

    `codes`: its own code, and those with which its step refuses a month.
    """

    codes: tuple[Code, ...] = (Code.INVALID_MONTH,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the number, 1 to 12, without a leading zero."""
        text = clean(str(given)).rstrip(".").casefold()
        if re.fullmatch(r"0?[1-9]|1[0-2]", text):
            return str(int(text))
        numbers = _month_numbers()
        if text in numbers:
            return str(numbers[text])
        matches = {number for name, number in numbers.items() if name.startswith(text)}
        if len(text) < _MINIMUM_LETTERS or len(matches) != 1:
            raise InvalidValue(Code.INVALID_MONTH)
        return str(matches.pop())


@dataclass(frozen=True, slots=True)
class Year(OneValue):
    """A year of four digits, from `first` until `ahead` years from now."""

    first: int = 1950
    ahead: int = 10
    codes: tuple[Code, ...] = field(default=(Code.INVALID_YEAR,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the year."""
        text = clean(str(given))
        if not re.fullmatch(r"[0-9]{4}", text) or not self.first <= int(text) <= answers.day.year + self.ahead:
            raise InvalidValue(Code.INVALID_YEAR)
        return text


def lies_ahead(month: str, year: str, day: date) -> bool:
    """Whether a month begins after `day` (edge-cases 53). False if `month` or `year` is not a number."""
    return month.isdigit() and year.isdigit() and (int(year), int(month)) > (day.year, day.month)


def not_in_the_future(month: str, year: str) -> Callable[[AnswerContext], dict[str, Code]]:
    """A `Step.warns` function that warns if the month lies in the future.

    `month`: name of the field that asks for the month.
    `year`: name of the field that asks for the year.
    """

    def warn(answers: AnswerContext) -> dict[str, Code]:
        ahead = lies_ahead(answers.text(month), answers.text(year), answers.day)
        return {month: Code.DATE_IN_FUTURE} if ahead else {}

    return warn


@dataclass(frozen=True, slots=True)
class Kilometres(OneValue):
    """A distance with a comma or a point and at most two decimals (part-2 §5). Stored with a point.

    `smallest`, `largest`: inclusive bounds.
    """

    smallest: Decimal = Decimal(0)
    largest: Decimal = Decimal(999_999)
    codes: tuple[Code, ...] = field(default=(Code.INVALID_NUMBER,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the number as a plain decimal text, such as '12.5'."""
        text = clean(str(given)).replace(" ", "").replace(",", ".")
        if not re.fullmatch(rf"[0-9]{{1,9}}(\.[0-9]{{1,{MILEAGE_DECIMALS}}})?", text):
            raise InvalidValue(Code.INVALID_NUMBER)
        value = Decimal(text)
        if not self.smallest <= value <= self.largest:
            raise InvalidValue(Code.INVALID_NUMBER)
        return f"{value.normalize():f}"


@dataclass(frozen=True, slots=True)
class Iban(OneValue):
    """An IBAN of a SEPA country, checked by form, length and check digits. Stored without spaces, in capitals."""

    codes: tuple[Code, ...] = field(default=(Code.INVALID_IBAN,), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """Return the IBAN in its stored form."""
        return validation.sepa_iban(str(given))

    @staticmethod
    def written(value: str) -> str:
        """A stored IBAN as people write it: in groups of four. Dots that stand for one stay together."""
        return value if value == CONCEALED else validation.in_groups_of_four(value)


def _country(answers: AnswerContext, name: str) -> Country:
    try:
        return Country(answers.text(name))
    except ValueError:
        return Country.NL


@dataclass(frozen=True, slots=True)
class Postcode(OneValue):
    """A postcode of the country that another field asks for."""

    country_field: str
    codes: tuple[Code, ...] = field(default=(Code.INVALID_POSTCODE, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the postcode as the country writes it."""
        return validation.postcode(str(given), _country(answers, self.country_field))


@dataclass(frozen=True, slots=True)
class Phone(OneValue):
    """A phone number. A national number belongs to the country that another field asks for. Stored as E.164."""

    country_field: str
    codes: tuple[Code, ...] = field(default=(Code.INVALID_PHONE, Code.TOO_LONG), init=False)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the number as E.164."""
        return validation.phone(str(given), _country(answers, self.country_field))


MAX_REQUEST_BYTES = REQUEST_MEGABYTES * 1024 * 1024
"""Most bytes that all files of one request may have."""


@dataclass(frozen=True, slots=True)
class Files(SeveralValues):
    """Files that were uploaded to the draft. The answer is the list of their ids.

    `photo`: whether at least one file has to be a photo (edge-cases 61).
    """

    minimum: int
    maximum: int
    kinds: frozenset[FileKind] = frozenset(FileKind)
    photo: bool = False

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes the rule can refuse with."""
        least = (Code.TOO_FEW_FILES,) if self.minimum > 1 else ()
        photo = (Code.PHOTO_REQUIRED,) if self.photo else ()
        return (Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED, *least, *photo)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the ids without duplicates, in upload order."""
        files = answers.part(FileFacts).files
        if not set(given) <= {file.id for file in files}:
            raise InvalidValue(Code.UNRESOLVED_FILES)
        chosen = [file for file in files if file.id in given]
        if any(file.kind not in self.kinds for file in chosen):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        if len(chosen) > self.maximum:
            raise InvalidValue(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if len(chosen) < self.minimum:
            raise InvalidValue(Code.TOO_FEW_FILES)
        if self.photo and not any(file.photo for file in chosen):
            raise InvalidValue(Code.PHOTO_REQUIRED)
        return [file.id for file in chosen]
