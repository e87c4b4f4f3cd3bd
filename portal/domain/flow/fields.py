"""One thing that is asked, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from portal.domain.codes import Code
from portal.domain.flow.answers import Answer, AnswerContext, Condition, always
from portal.domain.flow.figures import Year
from portal.domain.flow.files import Files
from portal.domain.flow.rules import Offered, OneOf, Rule, SomeOf
from portal.domain.validation import InvalidValue

OPTIONAL_FIELDS = "optional"
"""List among the facts: names of fields that this shop lets stay empty, by its settings."""


class Control(StrEnum):
    """How a field is asked when its step has no body of its own."""

    LINE = "line"
    DIGITS = "digits"
    DECIMAL = "decimal"
    AREA = "area"
    PHONE = "phone"
    EMAIL = "email"
    SELECT = "select"
    RADIO = "radio"
    CHECKBOX = "checkbox"
    FILES = "files"


_CONTROLS: tuple[tuple[type, Control], ...] = (
    (OneOf, Control.RADIO),
    (Offered, Control.RADIO),
    (SomeOf, Control.CHECKBOX),
    (Files, Control.FILES),
    (Year, Control.DIGITS),
)
"""How a field is asked by its rule, unless it says otherwise; with a line of text by any other rule."""


def required(_answers: AnswerContext) -> Code:
    """What is said of an answer that is missing, usually."""
    return Code.REQUIRED


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that is asked.

    Attributes:
        name: of the control in the form and of the answer; unique within the flow.
        label: English text of the label, marked with `N_`.
        rule: what the answer has to be.
        hint: English text below the label.
        about: English name of what it belongs to, when several fields have the same label: "Chain: description".
        optional: whether it may stay empty.
        required_by: name of the setting by which a shop insists on an answer; without it, `optional` alone decides.
        applies: whether it is asked, given the answers of the steps before and the fields before it in this step.
        belongs_to: fields that this answer is about: when one of them changes, the answer is thrown away.
        control: how it is asked; by default as its rule suggests.
        autocomplete: token of the HTML standard.
        empty: what is said while the answer is missing; one of the codes of its rule, where nothing can be answered.
    """

    name: str
    label: str
    rule: Rule
    hint: str = ""
    about: str = ""
    optional: bool = False
    required_by: str = ""
    applies: Condition = always
    belongs_to: tuple[str, ...] = ()
    control: Control = None  # type: ignore[assignment]  # never none once it is made
    autocomplete: str = "off"
    empty: Callable[[AnswerContext], Code] = required

    def __post_init__(self) -> None:
        """Choose the control."""
        if self.control is None:
            usual = next((control for kind, control in _CONTROLS if isinstance(self.rule, kind)), Control.LINE)
            object.__setattr__(self, "control", usual)

    @property
    def codes(self) -> tuple[Code, ...]:
        """All refusals it can give."""
        return self.rule.codes if self.optional else (Code.REQUIRED, *self.rule.codes)

    def read(self, given: Answer | None, answers: AnswerContext) -> Answer:
        """The answer as it is kept.

        Raises:
            InvalidValue: with the code.
        """
        value = self._shaped(given)
        if not value:
            if self.optional or self.name in answers.facts.get(OPTIONAL_FIELDS, ()):
                return value
            raise InvalidValue(self.empty(answers))
        return self.rule(value, answers.of_field(self.name) if self.control is Control.FILES else answers)

    def _shaped(self, given: Answer | None) -> Answer:
        """A list for a field of several values, a text for any other; empty when nothing can be seen in it."""
        if self.rule.several:
            values = given if isinstance(given, list) else [given] if given else []
            return [value for value in values if value]
        text = given if isinstance(given, str) else given[0] if given else ""
        return text if any(sign.isprintable() and not sign.isspace() for sign in text) else ""
