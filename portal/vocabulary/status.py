"""Base of all status tables: one entry per status, and mappings derived from the entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeVar

from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import N_

Tone = Literal["neutral", "info", "ok", "warn", "err"]
"""Colour of a status, in addition to its text. `warn` (amber) means a delay or that the customer must act."""

STATUS_UNKNOWN = N_("Status unknown")
"""Label of a status from a newer provider that this portal does not know."""

UNCLEAR = N_("We can’t show the progress here. Contact us if you’d like to know more.")
"""Meaning of such a status."""

UNKNOWN = "unknown"
"""Value of such a status in every family; it is never stored."""

S = TypeVar("S", bound=StrEnum)


class Turn(StrEnum):
    STAFF = "staff"
    CUSTOMER = "customer"
    PARTNER = "partner"
    """The store, the workshop or the carrier."""
    INSURER = "insurer"
    UNKNOWN = "unknown"


TURNS: Mapping[Turn, str] = {
    Turn.STAFF: N_("Our turn"),
    Turn.CUSTOMER: N_("Customer’s turn"),
    Turn.PARTNER: N_("Store’s or carrier’s turn"),
    Turn.INSURER: N_("Insurer’s turn"),
    Turn.UNKNOWN: "",
}


@dataclass(frozen=True, slots=True)
class Due:
    """Working days within which a status has to end, and who has to act."""

    days: int
    turn: Turn = Turn.STAFF


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusEntry(Generic[S]):
    """One status with its texts, colour, phase and transitions.

    `meaning`: what it means to the customer, in English.
    `desk`: name for staff, in English, where the customer's says 'you' or 'us'; empty if both read the same.
    `phase`: number of phases done, which is also the index of the current phase; None outside the phases.
    `due`: how long it may last and who acts next; every open status has it, and no other.
    """

    label: str
    meaning: str = ""
    desk: str = ""
    tone: Tone = "neutral"
    phase: int | None = None
    transitions: tuple[S, ...] = ()
    due: Due | None = None


def labels_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, str]:
    return {status: row.label for status, row in rows.items()}


def desk_labels_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, str]:
    return {status: row.desk or row.label for status, row in rows.items()}


def meanings_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, str]:
    return {status: row.meaning for status, row in rows.items()}


def tone_of(rows: Mapping[S, StatusEntry[S]], status: S | None) -> Tone:
    """The tone of a status; neutral without one."""
    return rows[status].tone if status else "neutral"


def transitions_of(rows: Mapping[S, StatusEntry[S]]) -> dict[S, frozenset[S]]:
    """The statuses that may follow each status, except `unknown`, which is never stored."""
    return {status: frozenset(row.transitions) for status, row in rows.items() if status.value != UNKNOWN}


def graph_of(start: S, rows: Mapping[S, StatusEntry[S]]) -> StatusGraph[S]:
    """The status graph of a table, with `start` as the initial status."""
    return StatusGraph(start, transitions_of(rows))
