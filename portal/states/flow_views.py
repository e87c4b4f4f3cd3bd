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


async def show(flow: str, state: rx.State, facts: Facts, answers: Answers) -> None:
    """Tell everybody who looks at this flow."""
    for look in _looks.get(flow, ()):
        await look(state, facts, answers)
