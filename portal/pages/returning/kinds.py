"""Words that differ between an exchange and everything else that comes back, known when a page is made."""

from __future__ import annotations

from portal.i18n import Text
from portal.vocabulary.returns import ReturnKind


def said_of(kind: ReturnKind, exchange: Text, other: Text) -> Text:
    """What is said of an exchange, or of anything else; `parts.return_texts.of_kind` is for what a page learns late."""
    return exchange if kind is ReturnKind.EXCHANGE else other
