"""A journey as a page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Any
from zlib import crc32

from portal.contract.drafts import Draft, DraftSummary, Receipt
from portal.domain.flow import CHECK, Flow, Journey, places_of
from portal.domain.identifiers import spoken
from portal.flows import FLOWS


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
        spoken: the reference in groups.
        planned: the local day of the work, if any.
        summary: what else it tells, as text.
    """

    reference: str = ""
    spoken: str = ""
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
        spoken=spoken(reference),
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


def journey_view(way: Journey) -> dict[str, Any]:
    """Everything the pages of a flow show of a journey, by name of the variable."""
    flow, path = way.flow, way.path
    answers = {**flow.empty(), **way.answers}
    return {
        # Copies: what a state holds is its own.
        **{name: copy(value) for name, value in _progress(flow, tuple(step.name for step in path)).items()},
        "open": list(way.open),
        "asked": [entry.name for step in path for entry in way.asked_fields(step)],
        "texts": {name: value for name, value in answers.items() if isinstance(value, str)},
        "lists": {name: value for name, value in answers.items() if isinstance(value, list)},
        "warnings": codes(way.warnings()),
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
