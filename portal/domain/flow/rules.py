"""Rules for single answers: texts and choices. A rule returns the answer as it is kept, or refuses it with a code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from portal.domain import validation
from portal.domain.characters import LONGEST_TEXT, count_characters, tidy_text
from portal.domain.codes import Code
from portal.domain.flow.answers import Answer, AnswerContext
from portal.domain.validation import InvalidValue


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
class Checked(OneValue):
    """A line of text that a function of `portal.domain.validation` accepts.

    Attributes:
        check: takes the text, returns it as it is kept.
        codes: what it can refuse with.
    """

    check: Callable[[str], str]
    codes: tuple[Code, ...] = (Code.TOO_LONG,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The text as the function returns it."""
        return self.check(str(given))


LINE = Checked(validation.required)
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
