"""Errors that nobody foresaw: told to the log, and to whoever asked as a provider that cannot answer."""

from __future__ import annotations

import traceback

import structlog

from portal.contract.errors import Unavailable

_log = structlog.get_logger(__name__)
_FRAMES = 6


class Unforeseen(Unavailable):
    """An operation failed in a way nobody foresaw; the log says where."""

    status = 500


def tell(error: Exception, operation: str) -> None:
    """Log a fault by its kind and place. Its message is left out: it may hold what a customer typed."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    _log.error(
        "fault",
        operation=operation,
        kind=type(error).__qualname__,
        place=[f"{frame.filename.rpartition('/portal/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    )


def in_one_line(error: Exception) -> str:
    """What kind of error the database or the system gave, and its first line: what follows may hold values."""
    reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {reason}"
