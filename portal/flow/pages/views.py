"""The views of drafts, receipts and files, and what subjects say about steps, receipts and failures."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Any
from zlib import crc32

import reflex as rx

from portal.contract.errors import ProviderError
from portal.contract.models import mapped
from portal.flow.api import Draft, Receipt
from portal.flow.facts import AnswerContext, Answers, Facts, FileFacts
from portal.flow.journey import FLOWS, Journey, places_of
from portal.flow.model import CHECK, Findings, Flow, Step
from portal.flow.rules import Files
from portal.frontend.file_views import FileView
from portal.frontend.toasts import DEFAULT_MILLISECONDS, Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.reflex_adapter.state import BaseState, assign_changed, differing
from portal.vocabulary.staff import CONCEALED


def journey_of(draft: Draft, day: date) -> Journey:
    flow = FLOWS[draft.flow]
    completed = [step.name for address in draft.completed if (step := flow.step_at(address))]
    return Journey(flow, draft.answers, completed, draft.facts, day)


def journey_view(journey: Journey, version: int) -> dict[str, object]:
    flow, path, answers = journey.flow, journey.path, journey.answers
    empty = flow.empty()
    return {
        **_progress(flow, path),
        "open": list(journey.open),
        "binds": journey.binds_to_pay,
        "asked": [entry.name for step in path for entry in journey.asked_fields(step)],
        "texts": {
            **{name: "" for name, value in empty.items() if value == ""},
            **{name: value for name, value in answers.items() if isinstance(value, str)},
            **journey.proposed,
        },
        "lists": {name: answers.get(name) or [] for name, value in empty.items() if value == []},
        "warnings": codes(journey.warnings()),
        "marks": {step.name: _mark(step, answers, version) for step in path},
    }


def _progress(flow: Flow, path: Sequence[Step]) -> dict[str, object]:
    numbers = places_of(path)
    neighbours = list(pairwise(path))
    return {
        "path": [step.name for step in path],
        "numbers": {name: number.x for name, number in numbers.items()},
        "total": numbers[CHECK].y,
        "back": {after.name: flow.url(before) for before, after in neighbours},
        "ahead": {before.name: flow.url(after) for before, after in neighbours},
    }


def _mark(step: Step, answers: Answers, version: int) -> str:
    """A hash of the answers to a step that is the same in every process; empty if nothing was answered.

    Dots may stand for another number in each version. The browser would go on showing the one that was typed.
    """
    given = [answers.get(entry.name) for entry in step.fields]
    if not any(given):
        return ""
    return f"{crc32(repr((given, version) if CONCEALED in given else given).encode()):08x}"


def codes(findings: Findings) -> dict[str, str]:
    return {name: code.value for name, code in findings.items()}


def file_views(flow: Flow, facts: Facts) -> dict[str, list[FileView]]:
    files = FileFacts.of(facts).files
    return {
        field.name: [mapped(FileView, file, upload_id=file.id) for file in files if file.field == field.name]
        for field in flow.fields
        if isinstance(field.rule, Files)
    }


ReceiptHook = Callable[[rx.State, Receipt], Awaitable[None]]
"""Copies data of a receipt into the state of a subject."""

Failure = tuple[str, dict[str, str]]
"""English text of what could not be done, and the values of its `{names}`."""

DescribeFailure = Callable[[rx.State], Awaitable[Failure | None]]

_asking: dict[str, object] = {}
_receipt_hooks: dict[str, ReceiptHook] = {}
_failures: dict[str, DescribeFailure] = {}


def asks_when_shown(field: str, event: Any) -> None:
    """Register an event that the step with this field sends when it is shown.

    Such a page is not served with its data: it would appear, and ask, before the draft is there.
    """
    _asking[field] = event


def loads_more(step: Step) -> list[Any]:
    return [_asking[entry.name] for entry in step.fields if entry.name in _asking]


def shows_receipt(*flows: str) -> Callable[[ReceiptHook], ReceiptHook]:
    def register(hook: ReceiptHook) -> ReceiptHook:
        _receipt_hooks.update(dict.fromkeys(flows, hook))
        return hook

    return register


def fails(flow: str) -> Callable[[DescribeFailure], DescribeFailure]:
    """Let a function replace `Flow.failure` for a flow."""

    def register(describe: DescribeFailure) -> DescribeFailure:
        _failures[flow] = describe
        return describe

    return register


async def failure(flow: Flow, state: rx.State) -> Failure | None:
    """The text that replaces `Flow.failure`; none if there is no replacement."""
    describe = _failures.get(flow.name)
    return await describe(state) if describe else None


async def show_receipt(state: rx.State, receipt: Receipt) -> None:
    if hook := _receipt_hooks.get(receipt.flow):
        await hook(state, receipt)


_NAMED_REFUSALS = frozenset(
    {
        Code.REPAIR_REQUEST_LINE_NOT_FOUND,
        Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE,
        Code.REPAIR_REQUEST_INVALID_STATUS,
        Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES,
        Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE,
        Code.EXPIRED_REPAIR_REQUEST,
        Code.UNRESOLVED_FILES,
        Code.OPEN_WORK_ORDER_EXISTS,
        Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID,
        Code.SERVICE_REQUEST_NOT_VALID,
        Code.POSTAL_CODE_NOT_FOUND,
        Code.NO_DELIVERY_OPTIONS,
        Code.LOCATION_OUT_OF_REACH,
        Code.LOCATION_CLOSED,
        Code.LOCATION_ON_VACATION,
        Code.INSURANCE_OPTIONS_FAILED,
        Code.INSURANCE_EXISTS,
        Code.INSURANCE_REQUEST_EXISTS,
        Code.INSURANCE_TERM_OVER,
        Code.PACKAGE_EXISTS,
        Code.ORDER_CANCELLED,
        Code.ALREADY_RETURNED,
        Code.BIKE_GOING_BACK,
    }
)


async def show_refusal(
    state: rx.State, error: ProviderError, title: str = "", advice: str = "", names: Mapping[str, str] | None = None
) -> None:
    # The error summary alone reports missing answers.
    only_empty = bool(error.fields) and set(error.fields.values()) == {Code.REQUIRED}
    named = (code for code in (error.code, *error.fields.values()) if code in _NAMED_REFUSALS and not only_empty)
    reason = MESSAGES[code] if (code := next(named, None)) else ""
    if title:
        text = reason or advice or MESSAGES[error.code]
        (await state.get_state(Toasts))._add(
            "error", title, text, timeout=DEFAULT_MILLISECONDS, alone=False, **(names or {})
        )
    elif reason:
        (await state.get_state(Toasts))._add("error", reason)


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
