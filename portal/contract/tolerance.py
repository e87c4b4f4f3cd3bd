"""A newer provider may send a status, country or code that this portal does not know: read it as something neutral.

Only what the provider answers is read this way. What is sent to the provider is checked strictly.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import structlog
from pydantic import BeforeValidator

_log = structlog.get_logger(__name__)
_LONGEST_SHOWN = 40


def otherwise(known: Iterable[str], neutral: str | None) -> BeforeValidator:
    """Read a text that is not among the known ones as `neutral`, and tell the log once.

    Args:
        known: an enumeration of texts, or the texts.
        neutral: what stands for everything else.
    """
    texts = frozenset(known)
    subject = getattr(known, "__name__", "text")

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value in texts:
            return value
        tell(subject, value)
        return neutral

    return BeforeValidator(read)


def only_known(known: Iterable[str], key: str = "") -> BeforeValidator:
    """Leave out entries of a list that this portal cannot show, and tell the log once.

    Args:
        known: an enumeration of texts, or the texts.
        key: where entries are objects, the key whose value has to be known.
    """
    texts = frozenset(known)
    subject = getattr(known, "__name__", "text")

    def unknown(entry: Any) -> bool:
        value = entry.get(key) if key and isinstance(entry, dict) else entry
        if not isinstance(value, str) or value in texts:
            return False
        tell(subject, value)
        return True

    def read(value: Any) -> Any:
        return [entry for entry in value if not unknown(entry)] if isinstance(value, list) else value

    return BeforeValidator(read)


@lru_cache(maxsize=256)
def tell(subject: str, value: str) -> None:
    """Log a value that this portal does not know; each value once."""
    _log.warning("unknown_value", subject=subject, value=value[:_LONGEST_SHOWN])
