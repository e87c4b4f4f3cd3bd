"""What a flow is: steps with fields, in an order, some only under a condition. Declarations stand in `portal/flows`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from portal.domain.codes import Code
from portal.domain.flow.answers import Answer, Answers, Asked, Condition, Facts, always
from portal.domain.flow.refusals import USUAL, Refusals
from portal.domain.flow.rules import Rule
from portal.domain.marks import N_
from portal.domain.validation import InvalidValue

NOT_INSISTED = "optional"
"""List among the facts: names of fields that this shop lets stay empty, by its settings."""
Findings = Mapping[str, Code]
"""What is to be said about fields, by their name."""


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


def required(_asked: Asked) -> Code:
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
        applies: whether it is asked, given the answers of the steps before and the fields before it in this step.
        belongs_to: fields that this answer is about: when one of them changes, the answer is thrown away.
        control: how it is asked.
        autocomplete: token of the HTML standard.
        empty: what is said while the answer is missing; one of the codes of its rule, where nothing can be answered.
    """

    name: str
    label: str
    rule: Rule
    hint: str = ""
    about: str = ""
    optional: bool = False
    applies: Condition = always
    belongs_to: tuple[str, ...] = ()
    control: Control = Control.LINE
    autocomplete: str = "off"
    empty: Callable[[Asked], Code] = required

    @property
    def codes(self) -> tuple[Code, ...]:
        """All refusals it can give."""
        return self.rule.codes if self.optional else (Code.REQUIRED, *self.rule.codes)

    def read(self, given: Answer | None, asked: Asked) -> Answer:
        """The answer as it is kept.

        Raises:
            InvalidValue: with the code.
        """
        value = self._shaped(given)
        if not value:
            if self.optional or self.name in asked.facts.get(NOT_INSISTED, ()):
                return value
            raise InvalidValue(self.empty(asked))
        return self.rule(value, asked.of_field(self.name) if self.control is Control.FILES else asked)

    def _shaped(self, given: Answer | None) -> Answer:
        """A list for a field of several values, a text for any other; empty when nothing can be seen in it."""
        if self.rule.several:
            values = given if isinstance(given, list) else [given] if given else []
            return [value for value in values if value]
        text = given if isinstance(given, str) else given[0] if given else ""
        return text if any(sign.isprintable() and not sign.isspace() for sign in text) else ""


def nothing(_asked: Asked) -> Findings:
    """Nothing is to be said."""
    return {}


@dataclass(frozen=True, slots=True)
class Step:
    """One page of a flow.

    Attributes:
        slug: last part of its path; empty for the intro.
        title: English text of its heading, a question where it asks one; unique within the flow.
        fields: what it asks, in the order of the page.
        rules: errors that need several answers at once; asked when every single field is right.
        warnings: what the customer should look at again; it does not keep them from going on.
        applies: whether it is on the way, given the answers of the steps before.
        extra: carries the number of the step before it and is called an extra question.
        asked_again: fields of earlier steps; when one changes, this step is asked again, filled in as it was.
        missing: the code for a request that lacks this step.
        invalid: the code for answers that are refused; `fields` of the error say where.
    """

    slug: str
    title: str
    fields: tuple[Field, ...] = ()
    rules: Callable[[Asked], Findings] = nothing
    warnings: Callable[[Asked], Findings] = nothing
    applies: Condition = always
    extra: bool = False
    asked_again: tuple[str, ...] = ()
    missing: Code = Code.INVALID_INPUT
    invalid: Code = Code.INVALID_INPUT


class FlowError(ValueError):
    """A declaration contradicts itself."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A journey from an intro over questions to a check page, which sends the request.

    Attributes:
        name: what it is called between the houses; its path is the same with a slash in front.
        title: English text: what the customer does here, a verb in it.
        steps: the intro (slug ''), the questions, and the check page last. The confirmation is added by the engine.
        send: English text of the button that sends the request; it names the act.
        failure: English text for a request that could not be sent (part-1 §8, part-2 §8).
        advice: English text that goes with it: what to do. Empty when the refusal says it best.
        subject: the field that says what the request is about. A customer has one draft for each of them.
        closed: why the flow cannot be started at all, from the facts; none when it can.
        sent: English text: what has happened once it is sent; heading of the confirmation, on page, mail and paper.
        next_steps: English texts: what happens next and when, in order; likewise.
        refusals: codes for a request as a whole.
    """

    name: str
    title: str
    steps: tuple[Step, ...]
    send: str
    failure: str = N_("Request could not be submitted")
    advice: str = ""
    subject: str = ""
    closed: Callable[[Facts], Code | None] = lambda _facts: None
    sent: str = N_("Your request has been sent")
    next_steps: tuple[str, ...] = ()
    refusals: Refusals = USUAL

    def __post_init__(self) -> None:
        """Check the declaration."""
        for kind, names in (
            ("slug", [step.slug for step in self.steps]),
            ("title", [step.title for step in self.steps]),
            ("field", [field.name for field in self.fields]),
        ):
            if twice := [name for name, count in Counter(names).items() if count > 1]:
                raise FlowError(f"{self.name}: {kind} used twice: {', '.join(twice)}")
        if len(self.steps) < 3 or self.steps[0].slug or self.steps[0].fields or self.steps[-1].fields:
            raise FlowError(f"{self.name}: needs an intro, at least one question, and a check page")
        if self.subject and self.subject not in [field.name for field in self.steps[1].fields]:
            raise FlowError(f"{self.name}: the first question has to ask for the subject")

    @property
    def path(self) -> str:
        """Where it begins."""
        return f"/{self.name}"

    @property
    def intro(self) -> Step:
        """The page it begins with."""
        return self.steps[0]

    @property
    def check(self) -> Step:
        """The page before sending."""
        return self.steps[-1]

    @property
    def questions(self) -> tuple[Step, ...]:
        """The steps between."""
        return self.steps[1:-1]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Everything that can be asked."""
        return tuple(field for step in self.steps for field in step.fields)

    @property
    def confirmation(self) -> str:
        """Path of the page after sending."""
        return f"{self.path}/{CONFIRMATION}"

    def step(self, slug: str) -> Step | None:
        """The step with this slug."""
        return next((step for step in self.steps if step.slug == slug), None)

    def url(self, step: Step | str) -> str:
        """Path of a step."""
        slug = step if isinstance(step, str) else step.slug
        return f"{self.path}/{slug}" if slug else self.path

    def empty(self) -> dict[str, Any]:
        """No answer to any field, in the form of each."""
        return {field.name: [] if field.rule.several else "" for field in self.fields}

    def subject_of(self, answers: Answers) -> str:
        """What these answers are about; empty while that is not known."""
        value = answers.get(self.subject, "") if self.subject else ""
        return value if isinstance(value, str) else ""


CONFIRMATION = "confirmation"
"""Slug of the page after sending."""
