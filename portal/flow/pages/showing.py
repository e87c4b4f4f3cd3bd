"""What the states of subjects show of a draft.

A subject registers a function that computes the variables of its state from the facts and the answers, and from nothing
else. So its result holds until something changes that it read. What it reads is recorded, not declared: a step that
changes the text of a damage computes no bikes, addresses and locations anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

import reflex as rx
from typing_extensions import override

from portal.flow.model import Flow
from portal.flow.rules import AnswerContext
from portal.reflex_adapter.state import BaseState, assign_changed, differing

View = Callable[[Flow, AnswerContext], Mapping[str, Any]]
"""Computes variables of a state by name. Equal facts and answers on the same day give equal values."""

_MISSING = object()
_MOST_DRAFTS = 256
"""Of how many drafts a process remembers the values: those that were shown last."""


class _Recorded(Mapping[str, Any]):
    """Facts or answers that record which of them were read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self._read: dict[str, Any] = {}
        self._whole = False

    @override
    def __getitem__(self, name: str) -> Any:
        value = self._read[name] = self._values.get(name, _MISSING)
        if value is _MISSING:
            raise KeyError(name)
        return value

    @override
    def __iter__(self) -> Iterator[str]:
        self._whole = True
        return iter(self._values)

    @override
    def __len__(self) -> int:
        self._whole = True
        return len(self._values)

    def reads(self) -> Mapping[str, Any] | None:
        """What was read, by name; None if all of it was."""
        return None if self._whole else self._read


def _holds(reads: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return all(values.get(name, _MISSING) == value for name, value in reads.items())


@dataclass(frozen=True, slots=True)
class _Result:
    """The values of a view, and what it read."""

    values: Mapping[str, Any]
    day: date
    given: Mapping[str, Any] | None
    facts: Mapping[str, Any] | None

    def holds_for(self, answers: AnswerContext) -> bool:
        """Whether the view would read the same. Whatever read everything is computed anew."""
        if self.day != answers.day or self.given is None or self.facts is None:
            return False
        return _holds(self.given, answers.given) and _holds(self.facts, answers.facts)


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A state that shows drafts of some flows."""

    state: type[rx.State]
    applies: Callable[[Flow], bool]
    view: View
    then: Callable[[Any], None] | None

    def look(self, flow: Flow, answers: AnswerContext) -> _Result:
        given, facts = _Recorded(answers.given), _Recorded(answers.facts)
        values = self.view(flow, AnswerContext(given, facts, answers.day))
        return _Result(values, answers.day, given.reads(), facts.reads())


_shown: list[_Shown] = []
_results: dict[str, dict[_Shown, _Result]] = {}
"""Results by draft, the one that was shown last at the end. They belong to the draft: a tab compares them with its own
state."""


def shows_where(
    state: type[rx.State], applies: Callable[[Flow], bool], then: Callable[[Any], None] | None = None
) -> Callable[[View], View]:
    """Let a state show the drafts of some flows, and their facts before there is a draft.

    Args:
        state: the state.
        applies: whether it shows a flow.
        then: called with the state when what it shows has changed, for variables that depend on others of the state.
    """

    def register(view: View) -> View:
        _shown.append(_Shown(state, applies, view, then))
        shown_in.cache_clear()
        return view

    return register


def shows(state: type[rx.State], *flows: str) -> Callable[[View], View]:
    """Let a state show the drafts of these flows, like `shows_where`."""
    return shows_where(state, lambda flow: flow.name in flows)


def shows_field(state: type[rx.State], field: str, then: Callable[[Any], None] | None = None) -> Callable[[View], View]:
    """Let a state show the drafts of the flows that have this field, like `shows_where`."""
    return shows_where(state, lambda flow: any(entry.name == field for entry in flow.fields), then)


@cache
def shown_in(flow: Flow) -> list[_Shown]:
    """The states that show a flow."""
    return [shown for shown in _shown if shown.applies(flow)]


async def show_draft(flow: Flow, state: rx.State, answers: AnswerContext, draft: str = "") -> None:
    """Show a draft in the states of subjects.

    Args:
        flow: the flow.
        state: any state of the tab.
        answers: the answers and facts of the draft.
        draft: its id; empty for answers that are not stored.
    """
    known: dict[_Shown, _Result] = _results.pop(draft, {}) if draft else {}
    for shown in shown_in(flow):
        result = known.get(shown)
        if result is None or not result.holds_for(answers):
            result = known[shown] = shown.look(flow, answers)
        of_subject = await state.get_state(shown.state)
        if changed := differing(of_subject, result.values):
            # The state may change its lists, so it gets copies.
            assign_changed(of_subject, {name: copy(value) for name, value in changed.items()})
            if shown.then:
                shown.then(of_subject)
    if draft:
        _results[draft] = known
        if len(_results) > _MOST_DRAFTS:
            del _results[next(iter(_results))]


async def forget_shown(root: BaseState) -> None:
    """Clear the states of subjects in a tree: they show another flow.

    Args:
        root: the state tree of a tab.
    """
    for state in {shown.state for shown in _shown}:
        (await root.get_state(state)).reset()


def shows_the_same(flow: Flow, before: AnswerContext, after: AnswerContext) -> bool:
    """Whether the browser sees the same in the states of subjects for two drafts."""
    for shown in shown_in(flow):
        result = shown.look(flow, before)
        if not result.holds_for(after) and _visible(result.values) != _visible(shown.view(flow, after)):
            return False
    return True


def _visible(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the variables that are kept from the browser."""
    return {name: value for name, value in values.items() if not name.startswith("_")}
