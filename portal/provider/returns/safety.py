"""Whether what comes back may travel: not before it is known how its battery is, and never with an unsafe one."""

from __future__ import annotations

from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.returns import CANCELLABLE, ReturnKind, ReturnStatus


def unanswered(row: ReturnRow) -> bool:
    """Whether its customer still has to say how the battery is. Only a withdrawal is received without that."""
    asked = row.kind is ReturnKind.WITHDRAWAL and bool((row.statement or {}).get("battery"))
    return asked and row.battery is None


def asked(row: ReturnRow) -> bool:
    """The same, as long as there is something to be sent."""
    return unanswered(row) and row.status in CANCELLABLE - {ReturnStatus.PENDING_CONFIRMATION}


def may_be_sent(row: ReturnRow) -> bool:
    """Whether a label, an address to send it to, or a pick-up may be given out."""
    return not row.urgent and not unanswered(row)
