"""The way of one customer through a flow: what is answered, what may be opened, what comes next.

As in GOV.UK's forms-runner, a step may be opened when it is completed or the next one. Everything else follows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import takewhile

from portal.flow.model import Field, Findings, Flow, Step, nothing
from portal.flow.rules import Answer, AnswerContext, Answers, Facts
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue


@dataclass(frozen=True, slots=True)
class StepNumber:
    """Where a step stands: number `x` of `y`. An extra question shares the number of the step before it."""

    x: int
    y: int
    extra: bool


def places_of(path: Sequence[Step]) -> dict[str, StepNumber]:
    """Where each step of a way stands, by name; its first one, the intro, stands nowhere."""
    last = sum(not step.extra for step in path[1:])
    found: dict[str, StepNumber] = {}
    x = 0
    for step in path[1:]:
        x += 0 if step.extra else 1
        found[step.name] = StepNumber(x, last, step.extra)
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the answers to one step.

    Attributes:
        errors: why nothing was accepted; empty when it was.
        warnings: what the customer should look at again.
        answers: all answers from now on.
        completed: names of all completed steps from now on.
    """

    errors: Findings = field(default_factory=dict)
    warnings: Findings = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    completed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Journey:
    """A flow, with what one customer answered.

    Attributes:
        flow: the declaration.
        answers: what was answered, valid when it was.
        completed: names of the steps that were answered.
        facts: what the retailer's side knows now.
        day: today in Europe/Amsterdam.
    """

    flow: Flow
    answers: Answers
    completed: Collection[str]
    facts: Facts
    day: date

    @cached_property
    def path(self) -> tuple[Step, ...]:
        """The steps that are on the way, from the intro to the check page."""
        return tuple(step for step in self.flow.all_steps if step.applies(self._now))

    @cached_property
    def next_open(self) -> Step:
        """The first step that is not done; the check page when all are."""
        return next((step for step in self.path[:-1] if not self._is_done(step)), self.flow.check_step)

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Names of the steps that may be opened: all that are done, and the next one."""
        return tuple(step.name for step in self.path[: self.path.index(self.next_open) + 1])

    @property
    def finished(self) -> bool:
        """Whether everything is answered, so that it can be sent."""
        return self.next_open is self.flow.check_step

    def may_open(self, step: Step) -> bool:
        """Whether this step may be opened: what comes after it does not matter."""
        before = tuple(takewhile(lambda other: other is not step, self.path))
        return len(before) < len(self.path) and all(self._is_done(other) for other in before)

    def previous(self, step: Step) -> Step | None:
        """The step before this one on the way; none before the first."""
        place = self.path.index(step) if step in self.path else 0
        return self.path[place - 1] if place else None

    def following(self, step: Step, *, changing: bool = False) -> Step:
        """The step to show after this one was answered.

        Args:
            step: the step that was answered.
            changing: it was opened from the check page, to change an answer: straight back there, unless the change
                opened something else.
        """
        if changing:
            return self.next_open
        place = self.path.index(step) if step in self.path else 0
        after = self.path[min(place + 1, len(self.path) - 1)]
        return after if self.may_open(after) else self.next_open

    def asked_fields(self, step: Step) -> tuple[Field, ...]:
        """The fields of a step that are asked."""
        return tuple(entry for entry in step.fields if entry.applies(self._now))

    def given(self) -> dict[str, Answer]:
        """What was answered on the way, and nothing else: what is checked and sent."""
        return {
            entry.name: self.answers[entry.name]
            for step in self.path
            for entry in self.asked_fields(step)
            if entry.name in self.answers
        }

    def problems(self, step: Step) -> Findings:
        """What is wrong with the present answers to a step."""
        return self._read(step, self.answers)[0]

    def warnings(self) -> Findings:
        """What the customer should look at again, of all steps on the way."""
        return {name: code for step in self.path for name, code in _warnings(step, self._now).items()}

    def answer(self, step: Step, given: Mapping[str, Answer]) -> Outcome:
        """Answer a step.

        Args:
            step: the step; it may be opened.
            given: values of the form, raw; what the step does not ask is ignored.
        """
        errors, read = self._read(step, given)
        if errors:
            return Outcome(errors=errors)
        answers = {**self.answers, **read}
        changed = {name for name, value in read.items() if self.answers.get(name) != value}
        # What was about something else is thrown away, and what was about that as well.
        while stale := [
            entry.name
            for entry in self.flow.fields
            if entry.name in answers and entry.name not in changed and changed & set(entry.belongs_to)
        ]:
            for name in stale:
                del answers[name]
            changed |= set(stale)
        again = {other.name for other in self.flow.steps if other is not step and changed & set(other.repeat_when)}
        completed = tuple(name for name in (*self.completed, step.name) if name not in again)
        return Outcome(
            warnings=_warnings(step, self._context(answers)),
            answers=answers,
            completed=tuple(dict.fromkeys(completed)),
        )

    @cached_property
    def _now(self) -> AnswerContext:
        return self._context(self.answers)

    @cached_property
    def _done(self) -> dict[str, bool]:
        """What was found out so far."""
        return {}

    def _is_done(self, step: Step) -> bool:
        if step.name not in self._done:
            self._done[step.name] = step.name in self.completed and not self.problems(step)
        return self._done[step.name]

    def _read(self, step: Step, given: Mapping[str, Answer]) -> tuple[dict[str, Code], dict[str, Answer]]:
        """Read the answers to a step, field by field: whether a field is asked may depend on the one before it."""
        answers: dict[str, Answer] = dict(self.answers)
        errors: dict[str, Code] = {}
        read: dict[str, Answer] = {}
        context = self._context(answers)
        for entry in step.fields:
            if not entry.applies(context):
                continue
            try:
                read[entry.name] = answers[entry.name] = entry.read(given.get(entry.name), context)
            except InvalidValue as refusal:
                errors[entry.name] = refusal.code
                # The fields after it are asked as the customer sees them, not as they were before.
                answers.pop(entry.name, None)
        return errors or dict(step.rules(context)), read

    def _context(self, answers: Answers) -> AnswerContext:
        return AnswerContext(answers, self.facts, self.day)


def _warnings(step: Step, context: AnswerContext) -> Findings:
    """What to look at again of a step. An answer that is not asked for any more, such as another month, is silent."""
    asked = {entry.name for entry in step.fields if entry.applies(context)} if step.warns is not nothing else set()
    return {name: code for name, code in step.warns(context).items() if name in asked}
