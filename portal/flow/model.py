"""The model of a flow: an ordered list of steps with fields, some of them conditional."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from portal.flow.facts import Answer, AnswerContext, Answers, Facts, FileFacts
from portal.flow.rules import (
    Answered,
    Condition,
    Files,
    Kilometres,
    Offered,
    OneOf,
    OneValue,
    Rule,
    SomeOf,
    Year,
    always,
)
from portal.kernel.codes import Code
from portal.kernel.texts import N_, Cost, total
from portal.kernel.validation import InvalidValue, is_short_id


@dataclass(frozen=True, slots=True)
class Refusals:
    """Codes that refuse a request as a whole. `Step` has the codes for single answers."""

    expired: Code = Code.EXPIRED_REPAIR_REQUEST
    no_key: Code = Code.INVALID_INPUT
    wrong_key: Code = Code.INVALID_INPUT
    sent: Code = Code.DRAFT_SENT
    no_files: Code = Code.UNRESOLVED_FILES


NOT_SUBMITTED = N_("Request could not be submitted")
"""Title of every failure to send a request (part-2 §9)."""

DEFAULT_REFUSALS = Refusals()
"""The codes of a flow that declares none."""


@dataclass(frozen=True, slots=True)
class LookedUp(OneValue):
    """A choice that the retailer's side looks up, such as one of its service locations.

    After the lookup, `facts[key]` holds the choice: its `id`, and a `refusal` if it is not available.

    `unknown`: the code for an answer that cannot be an `id`.
    `options`: all choices, if there are few; without them the rule accepts any short id.
    """

    key: str
    unknown: Code
    refusals: tuple[Code, ...] = ()
    options: Mapping[str, str] | None = None

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes the rule can refuse with."""
        return tuple(dict.fromkeys((self.unknown, *self.refusals)))

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the `id`."""
        identifier = str(given)
        if not (identifier in self.options if self.options is not None else is_short_id(identifier)):
            raise InvalidValue(self.unknown)
        if refusal := looked_up(answers, self.key, identifier).get("refusal"):
            raise InvalidValue(Code(refusal))
        return identifier


def looked_up(answers: AnswerContext, key: str, identifier: str) -> Mapping[str, Any]:
    """The result of the lookup of a choice; empty if it was not looked up yet."""
    result = answers.facts.get(key) or {}
    return result if identifier and result.get("id") == identifier else {}


OPTIONAL_FIELDS = "optional"
"""Key of the facts that lists the fields made optional by the settings of the shop."""


class Control(StrEnum):
    """The kind of form control of a field."""

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
    (Kilometres, Control.DECIMAL),
)
"""The default control for each kind of rule; `LINE` for all others."""


def unknown(_answers: AnswerContext) -> str:
    """Propose nothing."""
    return ""


def required(_answers: AnswerContext) -> Code:
    """The default code for a missing answer."""
    return Code.REQUIRED


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a step.

    `name`: name of the form control and of the answer; unique within the flow.
    `label`: English text of the label, marked with `N_`.
    `ask`: English sentence that asks for a missing answer: 'Choose a store.' Every choice has one; a text without it
    gets '{label} is required.'
    `hint`: English text below the label.
    `about`: English name that tells fields with the same label apart, as in "Chain: description".
    `optional`: whether the answer may be empty; a condition if other answers decide that.
    `required_by`: name of the setting that makes the answer required; without it, `optional` alone decides.
    `applies`: whether the field is asked, given the answers to the earlier steps and fields.
    `belongs_to`: fields this answer depends on; it is deleted when one of them changes.
    `control`: the form control; by default the one for the rule.
    `autocomplete`: token of the HTML standard.
    `empty`: the code for a missing answer; a code of the rule if nothing can be chosen.
    `proposed`: the answer that is filled in until there is one: what is known already, or costs nothing; empty for
    none. It counts once the customer presses Next.
    `suggestions`: English sentences with which the text can begin; each is a complete answer.
    """

    name: str
    label: str
    rule: Rule
    ask: str = ""
    hint: str = ""
    about: str = ""
    optional: bool | Condition = False
    required_by: str = ""
    applies: Condition = always
    belongs_to: tuple[str, ...] = ()
    control: Control = None  # pyrefly: ignore[bad-assignment]  # set by __post_init__
    autocomplete: str = "off"
    empty: Callable[[AnswerContext], Code] = required
    proposed: Callable[[AnswerContext], str] = unknown
    suggestions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.control is None:
            default = next((control for kind, control in _CONTROLS if isinstance(self.rule, kind)), Control.LINE)
            object.__setattr__(self, "control", default)

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes the field can refuse an answer with."""
        return self.rule.codes if self.optional is True else (Code.REQUIRED, *self.rule.codes)

    def may_be_empty(self, answers: AnswerContext) -> bool:
        """Whether no answer is needed, because of the declaration, the earlier answers or the settings of the shop."""
        allowed = self.optional(answers) if callable(self.optional) else self.optional
        return allowed or self.name in answers.facts.get(OPTIONAL_FIELDS, ())

    def read(self, given: Answer | None, answers: AnswerContext) -> Answer:
        """The answer in its stored form. Raises `InvalidValue` if it is missing or the rule refuses it."""
        value = self._normalized(given)
        if not value:
            if self.may_be_empty(answers):
                return value
            raise InvalidValue(self.empty(answers))
        if self.control is Control.FILES:
            own = [file for file in answers.part(FileFacts).files if file.field == self.name]
            answers = replace(answers, facts={**answers.facts, **FileFacts(files=own).stored()})
        return self.rule(value, answers)

    def _normalized(self, given: Answer | None) -> Answer:
        """A list for a multiple-value field, a text for any other; empty if it has no visible character."""
        if self.rule.several:
            values = given if isinstance(given, list) else [given] if given else []
            return [value for value in values if value]
        text = given if isinstance(given, str) else given[0] if given else ""
        return text if any(character.isprintable() and not character.isspace() for character in text) else ""


INTRO, CHECK, CONFIRMATION = "intro", "check", "confirmation"
"""Reserved names: the pages that every flow has. `CONFIRMATION` is an address as well."""

Findings = Mapping[str, Code]


def nothing(_answers: AnswerContext) -> Findings:
    """Return no findings."""
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One page of a flow. Handlers and pages refer to this object; drafts store its name.

    `name`: unique within the flow. `Flow.address` derives the address from the position.
    `title`: English text of the heading, often a question; unique within the flow.
    `rules`: finds errors that involve several answers; called when every single answer is valid.
    `warns`: finds answers the customer should check again; a warning does not block the step.
    `applies`: whether the step is on the path, given the answers to the earlier steps.
    `extra`: whether the step is an extra question, which shares the number of the step before it.
    `repeat_when`: fields of earlier steps; when one changes, the customer has to confirm this step again.
    `missing`: the code for a request without this step.
    `invalid`: the code for refused answers; the `fields` of the error name them.
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
        """The field of this name, or a `KeyError`."""
        field = next((entry for entry in self.fields if entry.name == name), None)
        if field is None:
            raise KeyError(name)
        return field


class FlowError(ValueError):
    """A declaration contradicts itself."""


class SettlementProtocol(Protocol):
    """The amounts that a flow about money computes."""

    @property
    def binds_to_pay(self) -> bool:
        """Whether a price is due for what the customer asks for, also if it is deducted from a refund."""

    @property
    def amounts(self) -> tuple[object, ...]:
        """What the customer agrees to, apart from names."""

    def to_json(self) -> dict[str, object]:
        """The amounts as JSON, as they are stored and sent."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a link that names a bike, an item or an order answers.

    `answers`: to fields of the first step.
    `asks`: whether the first step is asked all the same, with these answers filled in.
    """

    answers: Answers
    asks: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The declaration of a flow: an intro, steps, and a check page that sends the request.

    Texts are English msgids.

    `name`: identifies the flow; the path is the name with a slash in front.
    `steps`: the steps; intro, check page and confirmation page are added.
    `check_address`: last part of the path of the check page; numbered by default.
    `sent`: heading of the confirmation, on the page, in the mail and in the PDF.
    `failure`: error title if the request could not be sent (part-1 §8, part-2 §8).
    `advice`: what to do after such a failure; empty if the refusal says it.
    `subject`: name of the field that holds the subject, such as the bike. There is one draft per customer, flow and
    subject.
    `closed`: why the flow cannot be started, given the facts; none if it can.
    `instead`: name of another flow that fits what the customer has better, given the query of a link to the intro and
    the facts; empty if this one fits. The intro leads there.
    `prefill`: reads what a link to the intro is about from its query, given the facts; by default the query parameter
    with the name of the subject field.
    `opening`: what that answers, given it and the answers so far with the facts; by default the subject.
    `priced`: whether a price is due that is neither in `costs` nor in `settlement`, such as one a month.
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
    failure: str = NOT_SUBMITTED
    advice: str = ""
    refusals: Refusals = DEFAULT_REFUSALS
    subject: str = ""
    closed: Callable[[Facts], Code | None] = lambda _facts: None
    instead: Callable[[Mapping[str, str], Facts], str] = lambda _query, _facts: ""
    prefill: Callable[[Mapping[str, str], Facts], str] | None = None
    opening: Callable[[str, AnswerContext], Opening] | None = None
    costs: Callable[[AnswerContext], Sequence[Cost]] | None = None
    settlement: Callable[[AnswerContext], SettlementProtocol] | None = None
    priced: Callable[[AnswerContext], bool] = lambda _answers: False
    all_steps: tuple[Step, ...] = field(init=False, repr=False)
    fields: tuple[Field, ...] = field(init=False, repr=False)
    _addresses: dict[str, str] = field(init=False, repr=False)
    _steps: dict[str, Step] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute the addresses. Raises `FlowError` if the declaration contradicts itself."""
        steps = (Step(INTRO, self.intro), *self.steps, Step(CHECK, self.check))
        object.__setattr__(self, "fields", tuple(entry for step in self.steps for entry in step.fields))
        self._check_steps()
        self._check_fields()
        object.__setattr__(self, "all_steps", steps)
        object.__setattr__(self, "_addresses", dict(self._step_addresses(steps)))
        object.__setattr__(self, "_steps", {self._addresses[step.name]: step for step in steps})

    def _check_steps(self) -> None:
        if not self.steps:
            raise FlowError(f"{self.name}: needs at least one question")
        self._refuse_duplicates("step", [INTRO, CHECK, CONFIRMATION, *(step.name for step in self.steps)])
        self._refuse_duplicates("title", [self.intro, self.check, *(step.title for step in self.steps)])
        self._refuse_duplicates("field", [entry.name for entry in self.fields])
        if empty := [step.name for step in self.steps if not step.fields]:
            raise FlowError(f"{self.name}: a step without fields: {', '.join(empty)}")
        if self.subject and self.subject not in [entry.name for entry in self.first_step.fields]:
            raise FlowError(f"{self.name}: the first question has to ask for the subject")

    def _check_fields(self) -> None:
        """Check that conditions and dependencies refer to earlier fields only."""
        earlier: set[str] = set()
        for step in self.steps:
            self._refuse_unknown(step.name, earlier, (*step.repeat_when, *_fields_in(step.applies)))
            for entry in step.fields:
                self._refuse_unknown(entry.name, earlier, (*entry.belongs_to, *_fields_in(entry.applies)))
                earlier.add(entry.name)

    def _refuse_duplicates(self, kind: str, names: Iterable[str]) -> None:
        if duplicates := [name for name, count in Counter(names).items() if count > 1]:
            raise FlowError(f"{self.name}: {kind} used twice: {', '.join(duplicates)}")

    def _refuse_unknown(self, name: str, earlier: Collection[str], references: Iterable[str]) -> None:
        if unknown := [reference for reference in references if reference not in earlier]:
            raise FlowError(f"{self.name}: {name} refers to fields that are not asked before it: {', '.join(unknown)}")

    def _step_addresses(self, steps: tuple[Step, ...]) -> Iterable[tuple[str, str]]:
        """Step names with addresses: empty for the intro, `step-1` and so on, and `NAME-step` for extra questions."""
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
        """Path of the intro."""
        return f"/{self.name}"

    @property
    def intro_step(self) -> Step:
        """The intro page as a step without fields."""
        return self.all_steps[0]

    @property
    def first_step(self) -> Step:
        """The first question."""
        return self.steps[0]

    @property
    def check_step(self) -> Step:
        """The check page as a step without fields."""
        return self.all_steps[-1]

    @property
    def confirmation(self) -> str:
        """Path of the confirmation page."""
        return f"{self.path}/{CONFIRMATION}"

    def step(self, name: str) -> Step | None:
        """The step of this name, if there is one."""
        return next((step for step in self.all_steps if step.name == name), None)

    def address(self, step: Step | str) -> str:
        """Last part of the path of a step, given the step or its name; empty for the intro."""
        return self._addresses[step if isinstance(step, str) else step.name]

    def step_at(self, address: str) -> Step | None:
        """The step at this address, if there is one."""
        return self._steps.get(address)

    def url(self, step: Step | str) -> str:
        """Path of a step, given the step or its name."""
        address = self.address(step)
        return f"{self.path}/{address}" if address else self.path

    def empty(self) -> dict[str, object]:
        """An empty answer to every field: `[]` or an empty text."""
        return {entry.name: [] if entry.rule.several else "" for entry in self.fields}

    def binds_to_pay(self, answers: AnswerContext) -> bool:
        """Whether sending the request obliges the customer to pay; its button then says so."""
        if self.priced(answers) or (self.costs and total(self.costs(answers)) > 0):
            return True
        return self.settlement is not None and self.settlement(answers).binds_to_pay

    def subject_of(self, answers: Answers) -> str:
        """The subject of these answers; empty if it is not chosen yet."""
        value = answers.get(self.subject, "") if self.subject else ""
        return value if isinstance(value, str) else ""

    def opened_with(self, about: str, answers: AnswerContext) -> Opening:
        """What a link answers."""
        if about and self.opening:
            return self.opening(about, answers)
        return Opening({self.subject: about} if about and self.subject else {})

    def subject_in(self, query: Mapping[str, str], facts: Facts) -> str:
        """What a link to the intro is about, such as a bike; empty if it names nothing."""
        return self.prefill(query, facts) if self.prefill else query.get(self.subject, "")


def _fields_in(condition: Condition) -> tuple[str, ...]:
    return (condition.field,) if isinstance(condition, Answered) else ()
