"""A journey as a page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any
from zlib import crc32

from portal.contract.drafts import DraftSummary, Receipt
from portal.domain.flow import Journey, places_of
from portal.domain.identifiers import spoken
from portal.flows import FLOWS
from portal.states.views.amounts import Amounts, kept_amounts


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
        amounts: of a return, what it is worth; unsafe: its battery must not travel.
    """

    reference: str = ""
    spoken: str = ""
    sent_at: str = ""
    email: str = ""
    planned: str = ""
    summary: dict[str, str] = field(default_factory=dict)
    amounts: Amounts = field(default_factory=Amounts)
    unsafe: bool = False


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
        amounts=kept_amounts(receipt.summary.get("settlement") or {}),
        unsafe=bool(receipt.summary.get("instructions")),
    )


def journey_view(way: Journey) -> dict[str, Any]:
    """Everything the pages of a flow show of a journey, by name of the variable."""
    flow, path = way.flow, way.path
    answers = {**flow.empty(), **way.answers}
    return {
        # Copies: what a state holds is its own.
        **{name: copy(value) for name, value in _road(flow.name, tuple(step.slug for step in path)).items()},
        "open": list(way.open),
        "asked": [entry.name for step in path for entry in way.asked_fields(step)],
        "texts": {name: value for name, value in answers.items() if isinstance(value, str)},
        "lists": {name: value for name, value in answers.items() if isinstance(value, list)},
        "warnings": codes(way.warnings()),
        "marks": {step.slug: _mark([answers[entry.name] for entry in step.fields]) for step in path},
    }


@lru_cache(maxsize=256)
def _road(name: str, slugs: tuple[str, ...]) -> Mapping[str, Any]:
    """What depends on nothing but the steps on the way: it is the same for nearly every customer."""
    flow = FLOWS[name]
    places = places_of([step for step in flow.steps if step.slug in slugs])
    neighbours = list(pairwise(slugs))
    return {
        "path": list(slugs),
        "numbers": {slug: place.x for slug, place in places.items()},
        "total": places[flow.check.slug].y,
        "back": {after: flow.url(before) for before, after in neighbours},
        "ahead": {before: flow.url(after) for before, after in neighbours},
    }


def _mark(answers: list[Any]) -> str:
    """A short name for these answers, the same in every process."""
    return f"{crc32(repr(answers).encode()):08x}"


def codes(findings: Mapping[str, Any]) -> dict[str, str]:
    """Findings as texts of the catalogue's codes."""
    return {name: code.value for name, code in findings.items()}
