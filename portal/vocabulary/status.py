"""The common base of all status tables: an entry per status, and the mappings derived from the entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeVar

from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import N_

Tone = Literal["neutral", "info", "ok", "warn", "err"]
"""How a status looks; the text comes first. Amber asks for patience, or for an act of the customer."""

STATUS_UNKNOWN = N_("Status unknown")
"""Label of a status that a newer provider sends and this portal does not know yet."""

UNCLEAR = N_("We cannot show here how far this is. Contact us if you want to know more.")
"""Meaning of such a status."""

UNKNOWN = "unknown"
"""Value of such a status in every family; it is never stored."""

S = TypeVar("S", bound=StrEnum)


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusEntry(Generic[S]):
    """What there is to say about one status.

    Attributes:
        label: its name, in English.
        meaning: what it means to the customer, in English.
        tone: how it looks.
        phase: how many phases lie behind, or which one is going on; none when it left the way through the phases.
        transitions: the statuses that may follow.
    """

    label: str
    meaning: str = ""
    tone: Tone = "neutral"
    phase: int | None = None
    transitions: tuple[S, ...] = ()


def labels_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, str]:
    """The name of each status."""
    return {status: row.label for status, row in rows.items()}


def meanings_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, str]:
    """What each status means to the customer."""
    return {status: row.meaning for status, row in rows.items()}


def tone_of(rows: Mapping[S, StatusEntry[S]], status: S | None) -> Tone:
    """The tone of a status; neutral without one."""
    return rows[status].tone if status else "neutral"


def transitions_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, frozenset[S]]:
    """The statuses that may follow each one that is stored."""
    return {status: frozenset(row.transitions) for status, row in rows.items() if status.value != UNKNOWN}


def graph_of(start: S, rows: Mapping[S, StatusEntry[S]]) -> StatusGraph[S]:
    """The graph of a family, which begins in `start`."""
    return StatusGraph(start, transitions_of(rows))
