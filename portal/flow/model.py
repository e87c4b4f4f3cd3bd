"""What a flow is: steps with fields, in an order, some only under a condition. Declarations stand in `portal/flows`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Protocol

from portal.domain.codes import Code
from portal.domain.costs import Cost
from portal.domain.flow.answers import AnswerContext, Answered, Answers, Condition, Facts, always
from portal.domain.flow.fields import Field
from portal.domain.flow.refusals import USUAL, Refusals
from portal.domain.marks import N_

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


class Settlement(Protocol):
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
    settlement: Callable[[AnswerContext], Settlement] | None = None
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
