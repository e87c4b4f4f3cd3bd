"""What the states of subjects show of a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
import reflex as rx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.flow import LINE, AnswerContext, Field, Flow, Step
from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.pages.showing import show_draft, shown_in, shows_where
from portal.flow.pages.state import FlowRun
from portal.kernel.days import today
from portal.reflex_adapter.state import BaseState, new_tree
from tests.flow.submissions import WAYS, Way, answer
from tests.support.connections import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

READING = Flow(
    "reading", "Read", intro="Reading", send="Send", steps=(Step("a", "A?", fields=(Field("a", "A", LINE),)),)
)
Reading = Callable[[AnswerContext], Any]
READINGS: Mapping[str, Reading] = {
    "an answer": lambda answers: answers.text("a"),
    "answers": lambda answers: answers.several("b"),
    "whether there is an answer": lambda answers: "a" in answers.given,
    "a fact": lambda answers: answers.facts.get("a", "none"),
    "a fact that must be there": lambda answers: "b" in answers.facts and answers.facts["b"],
    "an entry": lambda answers: dict(answers.entry("c", "a")),
    "all facts": lambda answers: sorted(answers.facts),
    "the number of answers": lambda answers: len(answers.given),
    "the files of a field": lambda answers: dict(answers.of_field("a").facts),
    "the day": lambda answers: answers.day.isoformat(),
    "one or the other": lambda answers: answers.text("a") or answers.facts.get("a"),
}
_read: list[str] = []


class Reader(rx.State):
    """Shows what `_read` names."""

    found: rx.Field[list[str]] = rx.field(default_factory=list)


def _found(answers: AnswerContext) -> list[str]:
    return [repr(READINGS[name](answers)) for name in _read]


@shows_where(Reader, lambda flow: flow is READING)
def _view(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {"found": _found(answers)}


_ids = st.sampled_from(["", "x", "y"])
_contexts = st.builds(
    AnswerContext,
    st.dictionaries(st.sampled_from(["a", "b"]), _ids | st.lists(_ids, max_size=2), max_size=2),
    st.fixed_dictionaries(
        {}, optional={"a": _ids, "b": _ids | st.none(), "c": st.lists(st.fixed_dictionaries({"id": _ids, "n": _ids}))}
    ),
    st.sampled_from([date(2026, 11, 23), date(2026, 11, 24)]),
)


def _tree() -> BaseState:
    return new_tree("/", "/", "localhost")


@pytest.mark.parametrize("name", READINGS)
@given(contexts=st.lists(_contexts, min_size=2, max_size=6))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_whatever_a_state_reads_it_shows_what_follows_from_it(name: str, contexts: list[AnswerContext]) -> None:
    _read[:] = [name]
    run = await _tree().get_state(FlowRun)
    for answers in contexts:
        await show_draft(READING, run, answers)
        assert (await run.get_state(Reader)).found == _found(answers)


async def _drafts(shop: Shop, way: Way) -> list[Draft]:
    """The draft after every step of a way."""
    token = await shop.token(*way.customer)
    drafts = [await shop.ask(FlowApi).open_draft(token, DraftStart(flow=way.flow.name, anew=True))]
    for step, values in way.answers.items():
        drafts.append(await answer(shop.provider, token, drafts[-1], step, values))
    await shop.ask(FlowApi).discard_draft(token, drafts[-1].draft_id)
    return drafts


def _in_all_ways(drafts: list[Draft]) -> Iterator[AnswerContext]:
    """The answers forwards and backwards, on the next day, and without each answer and each fact in turn."""
    contexts = [AnswerContext(draft.answers, draft.facts, today()) for draft in drafts]
    yield from contexts
    yield from reversed(contexts)
    last = contexts[-1]
    yield replace(last, day=last.day + timedelta(days=1))
    for name in last.given:
        yield replace(last, given={key: value for key, value in last.given.items() if key != name})
        yield last
    for name in last.facts:
        yield replace(last, facts={key: value for key, value in last.facts.items() if key != name})
        yield last


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_every_flow_shows_its_draft_as_it_is_in_every_tab(shop: Shop, way: Way) -> None:
    drafts = await _drafts(shop, way)
    tabs = [await _tree().get_state(FlowRun), await _tree().get_state(FlowRun)]
    for turn, answers in enumerate(_in_all_ways(drafts)):
        tab = tabs[turn % 3 == 0]
        await show_draft(way.flow, tab, answers)
        for shown in shown_in(way.flow):
            state = await tab.get_state(shown.state)
            expected = shown.view(way.flow, answers)
            assert {name: getattr(state, name) for name in expected} == expected
