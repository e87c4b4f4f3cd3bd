"""Returns in a list."""

from __future__ import annotations

from dataclasses import dataclass

from portal.contract.returns import ReturnSummary
from portal.domain.identifiers import spoken
from portal.vocabulary.returns import DONE, GIVES_BACK, return_tone
from portal.vocabulary.status import Tone

CLOSED = DONE | GIVES_BACK
"""Nothing happens to these any more."""


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """One return of the list.

    Attributes:
        reference: in groups.
        name: of the first item; `more`: how many other items there are.
        waiting: it waits for its mailed link, or was not confirmed in time; it has no status to view.
        closed: nothing happens to it any more.
    """

    return_id: str
    reference: str
    kind: str
    status: str
    tone: Tone
    order_number: str
    requested: str
    name: str
    more: int
    waiting: bool
    closed: bool
    href: str


def return_path(return_id: str) -> str:
    """Where a return is shown."""
    return f"/returns/{return_id}"


def return_row(entry: ReturnSummary) -> ReturnRow:
    """Tell one return of the list."""
    return ReturnRow(
        return_id=entry.return_id,
        reference=spoken(entry.reference),
        kind=entry.kind.value,
        status=entry.status.value,
        tone=return_tone(entry.status),
        order_number=entry.order_number,
        requested=entry.requested_on.isoformat(),
        name=entry.names[0] if entry.names else "",
        more=max(0, len(entry.names) - 1),
        waiting=entry.can_resend,
        closed=entry.status in CLOSED and not entry.can_resend,
        href=return_path(entry.return_id),
    )
