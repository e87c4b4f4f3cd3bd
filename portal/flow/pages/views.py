"""A journey with its files as a page shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any
from zlib import crc32

import reflex as rx

from portal.contract.errors import ProviderError
from portal.flow.api import Draft, DraftSummary, Receipt
from portal.flow.journey import Journey, places_of
from portal.flow.model import CHECK, Flow
from portal.flow.registry import FLOWS
from portal.flow.rules import FILES, AnswerContext, Facts, Files
from portal.frontend.toasts import DEFAULT_MILLISECONDS, Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.validation import in_groups


@dataclass(frozen=True, slots=True)
class DraftCard:
    """A request to go on with. `name` is empty while its subject is not chosen; moments are ISO 8601."""

    draft_id: str
    flow: str
    href: str
    subject: str
    name: str
    saved_at: str


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """A request that was sent.

    Attributes:
        reference_in_groups: the reference in groups.
        planned: the local day of the work, if any.
        summary: what else it tells, as text.
    """

    reference: str = ""
    reference_in_groups: str = ""
    sent_at: str = ""
    email: str = ""
    planned: str = ""
    summary: dict[str, str] = field(default_factory=dict)


def draft_card(entry: DraftSummary) -> DraftCard:
    """Tell a draft in a list."""
    return DraftCard(
        draft_id=entry.draft_id,
        flow=entry.flow,
        href=f"/{entry.flow}?draft={entry.draft_id}",
        subject=entry.subject,
        name=entry.name,
        saved_at=entry.updated_at.isoformat(),
    )


def receipt_view(receipt: Receipt | None) -> ReceiptView:
    """Tell what a request became; empty when there is none."""
    if receipt is None:
        return ReceiptView()
    reference = receipt.reference
    return ReceiptView(
        reference=reference,
        reference_in_groups=in_groups(reference),
        sent_at=receipt.sent_at.isoformat(),
        email=receipt.email,
        planned=str(receipt.summary.get("planned", "")),
        summary={name: str(value) for name, value in receipt.summary.items() if not isinstance(value, dict | list)},
    )


def journey_of(draft: Draft, day: date) -> Journey:
    """The way of a draft, in which steps are named by their addresses."""
    flow = FLOWS[draft.flow]
    completed = [step.name for address in draft.completed if (step := flow.step_at(address))]
    return Journey(flow, draft.answers, completed, draft.facts, day)


def journey_view(journey: Journey) -> dict[str, Any]:
    """Everything the pages of a flow show of a journey, by name of the variable."""
    flow, path = journey.flow, journey.path
    answers = {**flow.empty(), **journey.answers}
    return {
        # Copies: what a state holds is its own.
        **{name: copy(value) for name, value in _progress(flow, tuple(step.name for step in path)).items()},
        "open": list(journey.open),
        "asked": [entry.name for step in path for entry in journey.asked_fields(step)],
        "texts": {name: value for name, value in answers.items() if isinstance(value, str)},
        "lists": {name: value for name, value in answers.items() if isinstance(value, list)},
        "warnings": codes(journey.warnings()),
        "marks": {step.name: _mark([answers[entry.name] for entry in step.fields]) for step in path},
    }


@lru_cache(maxsize=256)
def _progress(flow: Flow, names: tuple[str, ...]) -> Mapping[str, Any]:
    """What depends on nothing but the steps on the way: it is the same for nearly every customer."""
    path = [step for step in flow.all_steps if step.name in names]
    places = places_of(path)
    neighbours = list(pairwise(path))
    return {
        "path": list(names),
        "numbers": {name: place.x for name, place in places.items()},
        "total": places[CHECK].y,
        "back": {after.name: flow.url(before) for before, after in neighbours},
        "ahead": {before.name: flow.url(after) for before, after in neighbours},
    }


def _mark(answers: list[Any]) -> str:
    """A short name for these answers, the same in every process."""
    return f"{crc32(repr(answers).encode()):08x}"


def codes(findings: Mapping[str, Any]) -> dict[str, str]:
    """Findings as texts of the catalogue's codes."""
    return {name: code.value for name, code in findings.items()}


_KILO = 1000

_MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class FileView:
    """A file that arrived. `amount` and `unit` are its size in words, `size` in bytes."""

    id: str
    name: str
    size: int
    kind: str
    photo: bool
    amount: str
    unit: str


def file_views(flow: Flow, facts: Facts) -> dict[str, list[FileView]]:
    """The files of every field that asks for some."""
    entries = facts.get(FILES, ())
    return {
        field.name: [_view(entry) for entry in entries if entry["field"] == field.name]
        for field in flow.fields
        if isinstance(field.rule, Files)
    }


def _view(entry: Any) -> FileView:
    size = int(entry["size"])
    few = size < _MEGA
    return FileView(
        id=entry["id"],
        name=entry["name"],
        size=size,
        kind=entry["kind"],
        photo=bool(entry["photo"]),
        amount=str(max(1, round(size / _KILO))) if few else f"{size / _MEGA:.1f}",
        unit="kB" if few else "MB",
    )


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


NAMED_REFUSALS = frozenset(
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
    }
)


async def show_refusal(
    state: rx.State, error: ProviderError, title: str = "", advice: str = "", names: Mapping[str, str] | None = None
) -> None:
    """Show a notification for a refusal.

    Args:
        state: any state of the tab.
        error: the refusal.
        title: English text of what failed as a whole; without it the refusal itself is the title.
        advice: English text of the flow that goes with the title, unless the refusal is one of those that are told.
            Without it the refusal says itself what is wrong.
        names: what fills the `{names}` in the title.
    """
    # What is merely not filled in yet is said by the summary alone.
    only_empty = bool(error.fields) and set(error.fields.values()) == {Code.REQUIRED}
    named = (code for code in (error.code, *error.fields.values()) if code in NAMED_REFUSALS and not only_empty)
    reason = MESSAGES[code] if (code := next(named, None)) else ""
    if title:
        text = reason or advice or MESSAGES[error.code]
        (await state.get_state(Toasts))._add("error", title, text, DEFAULT_MILLISECONDS, **(names or {}))
    elif reason:
        (await state.get_state(Toasts))._add("error", reason)
