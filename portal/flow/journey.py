"""The progress of one customer through a flow: which steps are done, which may be opened, which is next.

As in GOV.UK's forms-runner, a customer may open the completed steps and the next one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import takewhile

from portal.flow.facts import Answer, AnswerContext, Answers, Facts
from portal.flow.model import Field, Findings, Flow, FlowError, Step, nothing
from portal.flow.rules import always
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.vocabulary.staff import CONCEALED, DOT, HiddenNumber


@dataclass(frozen=True, slots=True)
class StepNumber:
    """The number of a step: `x` of `y`. An extra question shares the number of the step before it."""

    x: int
    y: int
    extra: bool


def places_of(path: Sequence[Step]) -> dict[str, StepNumber]:
    """The numbers of the steps of a path, by step name. The intro, which comes first, has no number."""
    last = sum(not step.extra for step in path[1:])
    numbers: dict[str, StepNumber] = {}
    x = 0
    for step in path[1:]:
        x += 0 if step.extra else 1
        numbers[step.name] = StepNumber(x, last, step.extra)
    return numbers


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The result of answering one step.

    `errors`: why the answers were refused; empty if they were accepted.
    `warnings`: the answers the customer should check again.
    `answers`: all answers of the draft afterwards.
    `completed`: names of all completed steps afterwards.
    """

    errors: Findings = field(default_factory=dict)
    warnings: Findings = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    completed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Journey:
    """A flow with the answers of one customer. `answers`: the answers, each valid at the time it was given."""

    flow: Flow
    answers: Answers
    completed: Collection[str]
    facts: Facts
    day: date

    @property
    def binds_to_pay(self) -> bool:
        """Whether sending the answers so far obliges the customer to pay."""
        return self.flow.binds_to_pay(self._now)

    @cached_property
    def path(self) -> tuple[Step, ...]:
        """The steps that apply, from the intro to the check page."""
        return tuple(step for step in self.flow.all_steps if step.applies(self._now))

    @cached_property
    def next_open(self) -> Step:
        """The first step that is not done; the check page if all are done."""
        return next((step for step in self.path[:-1] if not self._is_done(step)), self.flow.check_step)

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Names of the steps that may be opened: those that are done, and the next one."""
        return tuple(step.name for step in self.path[: self.path.index(self.next_open) + 1])

    @property
    def finished(self) -> bool:
        """Whether all steps are done, so that the request can be sent."""
        return self.next_open is self.flow.check_step

    def may_open(self, step: Step) -> bool:
        """Whether all steps before this one are done."""
        before = tuple(takewhile(lambda other: other is not step, self.path))
        return len(before) < len(self.path) and all(self._is_done(other) for other in before)

    def previous(self, step: Step) -> Step | None:
        """The step before this one on the path; none for the first."""
        index = self.path.index(step) if step in self.path else 0
        return self.path[index - 1] if index else None

    def following(self, step: Step, *, changing: bool = False) -> Step:
        """The step to show after this one was answered."""
        if changing:
            return self.next_open
        index = self.path.index(step) if step in self.path else 0
        after = self.path[min(index + 1, len(self.path) - 1)]
        return after if self.may_open(after) else self.next_open

    @cached_property
    def proposed(self) -> dict[str, str]:
        """The answers that are filled in beforehand, for fields on the path without an answer."""
        return {
            entry.name: value
            for step in self.path
            for entry in step.fields
            if entry.name not in self.answers and (value := entry.proposed(self._now))
        }

    def asked_fields(self, step: Step) -> tuple[Field, ...]:
        """The fields of a step that apply."""
        now = self._now
        return tuple(entry for entry in step.fields if entry.applies is always or entry.applies(now))

    def given(self) -> dict[str, Answer]:
        """The answers to the fields on the path, without any others. Only these are sent."""
        return {
            entry.name: self.answers[entry.name]
            for step in self.path
            for entry in self.asked_fields(step)
            if entry.name in self.answers
        }

    def problems(self, step: Step) -> Findings:
        """The errors in the current answers to a step."""
        return self._read(step, self.answers)[0]

    def warnings(self) -> Findings:
        """The warnings of all steps on the path."""
        steps = [step for step in self.path if step.warns is not nothing]
        return {name: code for step in steps for name, code in _warnings(step, self._now).items()}

    def answer(self, step: Step, given: Mapping[str, Answer]) -> StepOutcome:
        """Answer a step."""
        errors, read = self._read(step, given)
        if errors:
            return StepOutcome(errors=errors)
        answers = {**self.answers, **read}
        changed = {name for name, value in read.items() if self.answers.get(name) != value}
        # Answers that depend on a changed answer are deleted, and so are the answers that depend on those.
        while stale := [
            entry.name
            for entry in self.flow.fields
            if entry.name in answers and entry.name not in read and changed & set(entry.belongs_to)
        ]:
            for name in stale:
                del answers[name]
            changed |= set(stale)
        repeated = {other.name for other in self.flow.steps if other is not step and changed & set(other.repeat_when)}
        completed = tuple(name for name in (*self.completed, step.name) if name not in repeated)
        return StepOutcome(
            warnings=_warnings(step, self._context(answers)),
            answers=answers,
            completed=tuple(dict.fromkeys(completed)),
        )

    def with_numbers(self, given: Mapping[str, Answer]) -> dict[str, Answer]:
        """The values of a form with the stored number where staff left the dots that stand for it (decision 0084).

        Without a stored number it is the one that the form proposed. Dots that stand for nothing stay, and are refused.
        Who types behind the dots means what was typed.
        """
        known, meant = {**self.proposed, **self.answers}, dict(given)
        for name in HiddenNumber:
            typed = given.get(name)
            if isinstance(typed, str) and DOT in typed:
                meant[name] = typed.replace(DOT, "").strip() or known.get(name) or typed
        return meant

    def accepted(self, step: Step, given: Mapping[str, Answer]) -> dict[str, Answer]:
        """Those of the raw values of a form that the rules of their fields accept, in their stored form."""
        return self._read(step, given)[1]

    @cached_property
    def _now(self) -> AnswerContext:
        return self._context(self.answers)

    @cached_property
    def _done(self) -> dict[str, bool]:
        """Cache of `_is_done`, by step name."""
        return {}

    def _is_done(self, step: Step) -> bool:
        if step.name not in self._done:
            self._done[step.name] = step.name in self.completed and not self.problems(step)
        return self._done[step.name]

    def _read(self, step: Step, given: Mapping[str, Answer]) -> tuple[dict[str, Code], dict[str, Answer]]:
        """Read the answers to a step, field by field, because a field may depend on the one before it."""
        answers: dict[str, Answer] = dict(self.answers)
        errors: dict[str, Code] = {}
        read: dict[str, Answer] = {}
        context = self._context(answers)
        for entry in step.fields:
            if not entry.applies(context):
                continue
            if self.answers.get(entry.name) == CONCEALED == given.get(entry.name):
                # The draft as staff get it: the answer was accepted, and is not in it.
                read[entry.name] = CONCEALED
                continue
            try:
                read[entry.name] = answers[entry.name] = entry.read(given.get(entry.name), context)
            except InvalidValue as refusal:
                errors[entry.name] = refusal.code
                # The next fields depend on the form as the customer sees it, not on the stored answer.
                answers.pop(entry.name, None)
        return errors or dict(step.rules(context)), read

    def _context(self, answers: Answers) -> AnswerContext:
        return AnswerContext(answers, self.facts, self.day)


def _warnings(step: Step, context: AnswerContext) -> Findings:
    """The warnings of a step, for fields that apply only."""
    asked = {entry.name for entry in step.fields if entry.applies(context)} if step.warns is not nothing else set()
    return {name: code for name, code in step.warns(context).items() if name in asked}


class FlowRegistry(Mapping[str, Flow]):
    """The flows by name. `portal.subjects` registers them; the engine itself knows none."""

    def __init__(self) -> None:
        self._flows: dict[str, Flow] = {}

    def register(self, flows: Iterable[Flow]) -> None:
        """Add flows. Adding the same flow again has no effect. Raises `FlowError`."""
        for flow in flows:
            if self._flows.setdefault(flow.name, flow) is not flow:
                raise FlowError(f"{flow.name}: two flows have this name")

    def __getitem__(self, name: str) -> Flow:
        return self._flows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._flows)

    def __len__(self) -> int:
        return len(self._flows)


FLOWS = FlowRegistry()
