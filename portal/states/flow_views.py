"""What single flows show beside the answers: their states look at every draft that arrives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import reflex as rx

from portal.domain.flow import Answers, Facts

Look = Callable[[rx.State, Facts, Answers], Awaitable[None]]
"""Puts what a flow's own pages need into a state of its own (`await state.get_state(…)`)."""

_looks: dict[str, list[Look]] = {}


def shows(*flows: str) -> Callable[[Look], Look]:
    """Let a function look at every draft of these flows, and at their facts before there is one."""

    def register(look: Look) -> Look:
        for flow in flows:
            _looks.setdefault(flow, []).append(look)
        return look

    return register


Failure = tuple[str, dict[str, str]]
"""English text of what could not be done, and what fills its `{names}`."""
_failures: dict[str, Callable[[rx.State], Awaitable[Failure | None]]] = {}


def fails(flow: str) -> Callable[..., Callable[[rx.State], Awaitable[Failure | None]]]:
    """Let a function say what could not be done, where the flow's own words do not name it."""

    def register(
        tell: Callable[[rx.State], Awaitable[Failure | None]],
    ) -> Callable[[rx.State], Awaitable[Failure | None]]:
        _failures[flow] = tell
        return tell

    return register


async def failure(flow: str, state: rx.State) -> Failure | None:
    """What could not be done, as this flow names it; none where its own words do."""
    tell = _failures.get(flow)
    return await tell(state) if tell else None


async def show(flow: str, state: rx.State, facts: Facts, answers: Answers) -> None:
    """Tell everybody who looks at this flow."""
    for look in _looks.get(flow, ()):
        await look(state, facts, answers)
