"""What a flow is: steps with fields, in an order, some only under a condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from portal.flow.rules import (
    Answer,
    AnswerContext,
    Answered,
    Answers,
    Condition,
    Facts,
    Files,
    Offered,
    OneOf,
    OneValue,
    Rule,
    SomeOf,
    Year,
    always,
)
from portal.kernel.codes import Code
from portal.kernel.money import Cost
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue, is_short_id


@dataclass(frozen=True, slots=True)
class Refusals:
    """Codes for a request as a whole; what is wrong with single answers is told by their steps.

    Attributes:
        expired: it was left alone too long.
        no_key: it was sent without the key that was given out with it.
        wrong_key: it was sent with another key.
        sent: an answer or a file was changed after it was sent.
        no_files: none of the files that were answered is there any more.
    """

    expired: Code = Code.EXPIRED_REPAIR_REQUEST
    no_key: Code = Code.INVALID_INPUT
    wrong_key: Code = Code.INVALID_INPUT
    sent: Code = Code.DRAFT_SENT
    no_files: Code = Code.UNRESOLVED_FILES


USUAL = Refusals()
"""Of a flow that has no codes of its own for this."""


@dataclass(frozen=True, slots=True)
class LookedUp(OneValue):
    """What was chosen from a stock.

    Once it is answered, the facts hold it under `key`: its `id`, and a `refusal` when it cannot be had (any more).

    Attributes:
        key: of the facts.
        unknown: the code for what cannot be of this stock.
        refusals: the codes it can be refused with.
        options: the stock where it is small; without it a short id is expected.
    """

    key: str
    unknown: Code
    refusals: tuple[Code, ...] = ()
    options: Mapping[str, str] | None = None

    @property
    def codes(self) -> tuple[Code, ...]:
        """All refusals."""
        return tuple(dict.fromkeys((self.unknown, *self.refusals)))

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The `id`."""
        name = str(given)
        if not (name in self.options if self.options is not None else is_short_id(name)):
            raise InvalidValue(self.unknown)
        if refusal := looked_up(answers, self.key, name).get("refusal"):
            raise InvalidValue(Code(refusal))
        return name


def looked_up(answers: AnswerContext, key: str, name: str) -> Mapping[str, Any]:
    """What the provider found for a choice; empty while it was not looked up."""
    found = answers.facts.get(key) or {}
    return found if name and found.get("id") == name else {}


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
        value = self._normalized(given)
        if not value:
            if self.optional or self.name in answers.facts.get(OPTIONAL_FIELDS, ()):
                return value
            raise InvalidValue(self.empty(answers))
        return self.rule(value, answers.of_field(self.name) if self.control is Control.FILES else answers)

    def _normalized(self, given: Answer | None) -> Answer:
        """A list for a field of several values, a text for any other; empty when nothing can be seen in it."""
        if self.rule.several:
            values = given if isinstance(given, list) else [given] if given else []
            return [value for value in values if value]
        text = given if isinstance(given, str) else given[0] if given else ""
        return text if any(sign.isprintable() and not sign.isspace() for sign in text) else ""


INTRO, CHECK, CONFIRMATION = "intro", "check", "confirmation"
"""Names of the pages that every flow has; no step is called so. The last one is an address as well."""

Findings = Mapping[str, Code]
"""What is to be said about fields, by their name."""


def nothing(_answers: AnswerContext) -> Findings:
    """Nothing is to be said."""
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One page of a flow. Everything that belongs to it is bound to this object; its name stands in drafts.

    Attributes:
        name: what it is called, unique within the flow. Its address follows from its place (`Flow.address`).
        title: English text of its heading, a question where it asks one; unique within the flow.
        fields: what it asks, in the order of the page.
        rules: errors that need several answers at once; asked when every single field is right.
        warns: what the customer should look at again, of fields that are asked; it keeps nobody from going on.
        applies: whether it is on the way, given the answers of the steps before.
        extra: carries the number of the step before it, and is called an extra question.
        repeat_when: fields of earlier steps; when one changes, this step is asked again, filled in as it was.
        missing: the code for a request that lacks this step.
        invalid: the code for answers that are refused; `fields` of the error say where.
    """

    name: str
    title: str
    fields: tuple[Field, ...] = ()
    rules: Callable[[AnswerContext], Findings] = nothing
    warns: Callable[[AnswerContext], Findings] = nothing
    applies: Condition = always
    extra: bool = False
    repeat_when: tuple[str, ...] = ()
    missing: Code = Code.INVALID_INPUT
    invalid: Code = Code.INVALID_INPUT

    def field(self, name: str) -> Field:
        """The field of this name.

        Raises:
            KeyError: it has none.
        """
        found = next((entry for entry in self.fields if entry.name == name), None)
        if found is None:
            raise KeyError(name)
        return found


class FlowError(ValueError):
    """A declaration contradicts itself."""


class SettlementProtocol(Protocol):
    """What something is worth, as a flow about money computes it."""

    def to_json(self) -> dict[str, Any]:
        """The amounts as they are kept and travel."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """A journey from an intro over questions to a check page, which sends the request.

    Attributes:
        name: what it is called between the two sides; its path is the same with a slash in front.
        title: English text: what the customer does here, a verb in it.
        intro: English text: heading of the first page.
        steps: the questions. First page, check page and confirmation are added.
        check: English text: heading of the check page.
        check_address: last part of the address of the check page, where that is not numbered.
        send: English text of the button that sends the request; it names the act.
        sent: English text: what has happened once it is sent; heading of the confirmation, on page, mail and paper.
        failure: English text for a request that could not be sent (part-1 §8, part-2 §8).
        advice: English text that goes with it: what to do. Empty when the refusal says it best.
        next_steps: English texts: what happens next and when, in order; for page, mail and paper.
        refusals: codes for a request as a whole.
        subject: the field that says what the request is about. A customer has one draft for each of them.
        closed: why the flow cannot be started at all, from the facts; none when it can.
        prefill: the subject that a link to the first page names in its query, once the facts are known; by default
            the value of the query that is called as the subject.
        costs: what the request costs, as far as that is known.
        settlement: what the customer gets back or pays in the end, as far as that is known.
    """

    name: str
    title: str
    _: KW_ONLY
    intro: str
    steps: tuple[Step, ...]
    check: str = N_("Check your request")
    check_address: str = ""
    send: str
    sent: str = N_("Your request has been sent")
    failure: str = N_("Request could not be submitted")
    advice: str = ""
    next_steps: tuple[str, ...] = ()
    refusals: Refusals = USUAL
    subject: str = ""
    closed: Callable[[Facts], Code | None] = lambda _facts: None
    prefill: Callable[[Mapping[str, str], Facts], str] | None = None
    costs: Callable[[AnswerContext], Sequence[Cost]] | None = None
    settlement: Callable[[AnswerContext], SettlementProtocol] | None = None
    all_steps: tuple[Step, ...] = field(init=False, repr=False)
    _addresses: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the declaration, and give every step its address."""
        steps = (Step(INTRO, self.intro), *self.steps, Step(CHECK, self.check))
        self._check_steps()
        self._check_fields()
        object.__setattr__(self, "all_steps", steps)
        object.__setattr__(self, "_addresses", dict(self._numbered(steps)))

    def _check_steps(self) -> None:
        if not self.steps:
            raise FlowError(f"{self.name}: needs at least one question")
        self._refuse_twice("step", [INTRO, CHECK, CONFIRMATION, *(step.name for step in self.steps)])
        self._refuse_twice("title", [self.intro, self.check, *(step.title for step in self.steps)])
        self._refuse_twice("field", [entry.name for entry in self.fields])
        if empty := [step.name for step in self.steps if not step.fields]:
            raise FlowError(f"{self.name}: a step without fields: {', '.join(empty)}")
        if self.subject and self.subject not in [entry.name for entry in self.steps[0].fields]:
            raise FlowError(f"{self.name}: the first question has to ask for the subject")

    def _check_fields(self) -> None:
        """Whether every field that a step or a field names is asked before it."""
        before: set[str] = set()
        for step in self.steps:
            self._refuse_unknown(step.name, before, (*step.repeat_when, *_named(step.applies)))
            for entry in step.fields:
                self._refuse_unknown(entry.name, before, (*entry.belongs_to, *_named(entry.applies)))
                before.add(entry.name)

    def _refuse_twice(self, kind: str, names: Iterable[str]) -> None:
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise FlowError(f"{self.name}: {kind} used twice: {', '.join(twice)}")

    def _refuse_unknown(self, who: str, known: Collection[str], names: Iterable[str]) -> None:
        if unknown := [name for name in names if name not in known]:
            raise FlowError(f"{self.name}: {who} names what is not asked before it: {', '.join(unknown)}")

    def _numbered(self, steps: tuple[Step, ...]) -> Iterable[tuple[str, str]]:
        """Names with addresses: the first page has none of its own, questions are numbered, extra ones named."""
        number = 0
        for step in steps:
            number += 0 if step.extra or step.name == INTRO else 1
            if step.name == INTRO:
                address = ""
            elif step.extra:
                address = f"{step.name}-step"
            elif step.name == CHECK and self.check_address:
                address = self.check_address
            else:
                address = f"step-{number}"
            yield step.name, address

    @property
    def path(self) -> str:
        """Where it begins."""
        return f"/{self.name}"

    @property
    def intro_step(self) -> Step:
        """The page it begins with."""
        return self.all_steps[0]

    @property
    def check_step(self) -> Step:
        """The page before sending."""
        return self.all_steps[-1]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Everything that can be asked."""
        return tuple(entry for step in self.steps for entry in step.fields)

    @property
    def confirmation(self) -> str:
        """Path of the page after sending."""
        return f"{self.path}/{CONFIRMATION}"

    def step(self, name: str) -> Step | None:
        """The step of this name."""
        return next((step for step in self.all_steps if step.name == name), None)

    def address(self, step: Step | str) -> str:
        """Last part of the path of a step, given the step or its name; empty for the first page."""
        return self._addresses[step if isinstance(step, str) else step.name]

    def step_at(self, address: str) -> Step | None:
        """The step at this address."""
        return next((step for step in self.all_steps if self._addresses[step.name] == address), None)

    def url(self, step: Step) -> str:
        """Path of a step."""
        address = self.address(step)
        return f"{self.path}/{address}" if address else self.path

    def empty(self) -> dict[str, Any]:
        """No answer to any field, in the form of each."""
        return {entry.name: [] if entry.rule.several else "" for entry in self.fields}

    def subject_of(self, answers: Answers) -> str:
        """What these answers are about; empty while that is not known."""
        value = answers.get(self.subject, "") if self.subject else ""
        return value if isinstance(value, str) else ""

    def subject_in(self, query: Mapping[str, str], facts: Facts) -> str:
        """The subject that a link to the first page names; empty when it names none."""
        return self.prefill(query, facts) if self.prefill else query.get(self.subject, "")


def _named(condition: Condition) -> tuple[str, ...]:
    return (condition.field,) if isinstance(condition, Answered) else ()
