"""Errors that nobody foresaw: told to the log, and to the portal as a provider that cannot answer."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, cast

import structlog

from portal.contract.errors import ProviderError, Unavailable
from portal.contract.provider import Provider

_log = structlog.get_logger(__name__)
_FRAMES = 6

OPERATIONS: tuple[str, ...] = tuple(name for name in dir(Provider) if not name.startswith("_"))
"""Names of all operations of the contract."""


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


def sheltered(provider: Provider) -> Provider:
    """The same provider, of which a page sees no other errors than those of the contract.

    Over the API an unforeseen error is answered with `general_error`; called directly, it is the same.
    """
    return cast(Provider, _Sheltered(provider))


class _Sheltered:
    def __init__(self, provider: Provider) -> None:
        for name in OPERATIONS:
            setattr(self, name, _guarded(name, getattr(provider, name)))


def _guarded(name: str, operation: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @wraps(operation)
    async def call(*arguments: Any, **named: Any) -> Any:
        try:
            return await operation(*arguments, **named)
        except ProviderError:
            raise
        except Exception as error:
            tell(error, name)
            raise Unavailable from error

    return call
