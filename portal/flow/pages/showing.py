"""What the states of subjects show of a draft.

A subject registers a function that computes the variables of its state from the facts and the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

import reflex as rx

from portal.flow.model import Flow
from portal.flow.rules import AnswerContext
from portal.reflex_adapter.state import BaseState, assign_changed, differing

View = Callable[[Flow, AnswerContext], Mapping[str, Any]]
"""Computes variables of a state by name."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    state: type[rx.State]
    applies: Callable[[Flow], bool]
    view: View
    then: Callable[[Any], None] | None


_shown: list[_Shown] = []


def shows_where(
    state: type[rx.State], applies: Callable[[Flow], bool], then: Callable[[Any], None] | None = None
) -> Callable[[View], View]:
    """Let a state show the drafts of some flows, and their facts before there is a draft."""

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
    return [shown for shown in _shown if shown.applies(flow)]


async def show_draft(flow: Flow, state: rx.State, answers: AnswerContext) -> None:
    for shown in shown_in(flow):
        of_subject = await state.get_state(shown.state)
        if changed := differing(of_subject, shown.view(flow, answers)):
            # The state may change its lists, so it gets copies.
            assign_changed(of_subject, {name: copy(value) for name, value in changed.items()})
            if shown.then:
                shown.then(of_subject)


async def forget_shown(root: BaseState) -> None:
    """Clear the states of subjects in a tree: they show another flow."""
    for state in {shown.state for shown in _shown}:
        (await root.get_state(state)).reset()
