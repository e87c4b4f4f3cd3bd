"""How an operation is refused. Every error carries a code of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from portal.kernel.codes import Code


class ProviderError(Exception):
    """An operation did not do what was asked.

    Attributes:
        code: why, from the catalogue.
        fields: for bad input, the code for each field.
        retry_at: moment (UTC) from which another try makes sense, when there is one.
        url: where the customer can go on instead (lease portal, another country's shop).
    """

    status: ClassVar[int] = 400
    """HTTP status in the provider API."""

    def __init__(
        self,
        code: Code,
        *,
        fields: Mapping[str, Code] | None = None,
        retry_at: datetime | None = None,
        url: str | None = None,
    ) -> None:
        super().__init__(code.value)
        self.code = code
        self.fields = dict(fields or {})
        self.retry_at = retry_at
        self.url = url


class InvalidInput(ProviderError):
    """What was sent is not well formed; `fields` says where."""

    status = 422


class NotAuthenticated(ProviderError):
    """No session, or it has ended."""

    status = 401


class Refused(ProviderError):
    """Well formed, but a rule says no."""

    status = 403


class NotFound(ProviderError):
    """Not there, or not this customer's: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__(Code.NOT_FOUND)


class Conflict(ProviderError):
    """It is no longer, or not yet, in a state for this: changed elsewhere, sent already, no such move."""

    status = 409


class TooMany(ProviderError):
    """A limit was reached; `retry_at` says when to try again."""

    status = 429


class Unavailable(ProviderError):
    """The provider is slow, down, or answered something we cannot read. Nothing is known about the effect."""

    status = 503

    def __init__(self, code: Code = Code.GENERAL_ERROR, *, retry_at: datetime | None = None) -> None:
        super().__init__(code, retry_at=retry_at)


BY_STATUS: dict[int, type[ProviderError]] = {
    kind.status: kind for kind in (InvalidInput, NotAuthenticated, Refused, Conflict, TooMany, ProviderError)
}
"""Which error an HTTP status stands for. `NotFound` and `Unavailable` take no code and are made by hand."""
