"""What single flows show beside the answers: their states look at every draft that arrives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache

import reflex as rx

from portal.contract.drafts import Receipt
from portal.domain.flow import AnswerContext, Flow

Look = Callable[[rx.State, Flow, AnswerContext], Awaitable[None]]
"""Puts what the pages of a flow need into a state of its own (`await state.get_state(…)`)."""
LookAtReceipt = Callable[[rx.State, Receipt], Awaitable[None]]
"""The same for what a request became."""
Failure = tuple[str, dict[str, str]]
"""English text of what could not be done, and what fills its `{names}`."""
Fails = Callable[[rx.State], Awaitable[Failure | None]]

_looks: list[tuple[Callable[[Flow], bool], Look]] = []
_looks_at_receipts: dict[str, LookAtReceipt] = {}
_failures: dict[str, Fails] = {}


def shows_where(concerned: Callable[[Flow], bool]) -> Callable[[Look], Look]:
    """Let a function look at every draft of some flows, and at their facts before there is one.

    Args:
        concerned: whether it wants to see a flow.
    """

    def register(look: Look) -> Look:
        _looks.append((concerned, look))
        _looks_at.cache_clear()
        return look

    return register


def shows(*flows: str) -> Callable[[Look], Look]:
    """The same for the flows of these names."""
    return shows_where(lambda flow: flow.name in flows)


def shows_field(field: str) -> Callable[[Look], Look]:
    """The same for all flows that ask this field."""
    return shows_where(lambda flow: any(entry.name == field for entry in flow.fields))


def shows_receipt(*flows: str) -> Callable[[LookAtReceipt], LookAtReceipt]:
    """Let a function look at what became of the requests of these flows."""

    def register(look: LookAtReceipt) -> LookAtReceipt:
        _looks_at_receipts.update(dict.fromkeys(flows, look))
        return look

    return register


def fails(flow: str) -> Callable[[Fails], Fails]:
    """Let a function say what could not be done, where the flow's own words do not name it."""

    def register(describe: Fails) -> Fails:
        _failures[flow] = describe
        return describe

    return register


async def failure(flow: Flow, state: rx.State) -> Failure | None:
    """What could not be done, as this flow names it; none where its own words do."""
    describe = _failures.get(flow.name)
    return await describe(state) if describe else None


async def show(flow: Flow, state: rx.State, answers: AnswerContext) -> None:
    """Let everybody look who wants to see this flow."""
    for look in _looks_at(flow):
        await look(state, flow, answers)


async def show_receipt(state: rx.State, receipt: Receipt) -> None:
    """Let the flow look at what became of a request."""
    if look := _looks_at_receipts.get(receipt.flow):
        await look(state, receipt)


@cache
def _looks_at(flow: Flow) -> list[Look]:
    return [look for concerned, look in _looks if concerned(flow)]
