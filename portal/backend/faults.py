"""Errors that nobody foresaw, and those of commands: how they are logged, and what their callers get."""

from __future__ import annotations

import traceback

import structlog

from portal.contract.errors import Unavailable

_log = structlog.get_logger(__name__)
_FRAMES = 6


class Unforeseen(Unavailable):
    """An operation raised an unexpected exception; the log holds its type and location."""

    status = 500


def log_fault(error: Exception, operation: str) -> None:
    """Log the type and location of an exception, but not its message: it may contain a customer's input."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    _log.error(
        "fault",
        operation=operation,
        kind=type(error).__qualname__,
        place=[f"{frame.filename.rpartition('/portal/')[2]}:{frame.lineno} {frame.name}" for frame in frames],
    )


class CommandFailed(Exception):
    """A command failed; the message is one line."""


def in_one_line(error: BaseException) -> str:
    """Type and first line of a database or system error. Later lines may contain values, so they are left out."""
    reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {reason}"
