"""The errors that operations raise. Each has a code of `portal.kernel.codes`."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from portal.kernel.codes import Code


class ProviderError(Exception):
    """An operation was refused or failed.

    `fields`: for invalid input, the code of each invalid field.
    `retry_at`: earliest time (UTC) for another attempt, if known.
    `url`: where the customer can continue instead (lease portal, another country's shop).
    """

    status: ClassVar[int] = 400

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
    """The input is not well formed; `fields` names the invalid fields."""

    status = 422


class NotAuthenticated(ProviderError):
    """There is no session, or it has ended."""

    status = 401


class Refused(ProviderError):
    """The input is well formed, but a business rule forbids the operation."""

    status = 403


class NotFound(ProviderError):
    """The item does not exist or belongs to another customer; the error does not tell which."""

    status = 404

    def __init__(self) -> None:
        super().__init__(Code.NOT_FOUND)


class Conflict(ProviderError):
    """The current state does not allow the operation: changed elsewhere, already sent, or no such transition."""

    status = 409


class TooMany(ProviderError):
    """A rate limit was reached; `retry_at` says when to try again."""

    status = 429


class Unavailable(ProviderError):
    """The provider is slow, down, or sent an unreadable answer. Whether the operation took effect is unknown."""

    status = 503

    def __init__(self, code: Code = Code.GENERAL_ERROR, *, retry_at: datetime | None = None) -> None:
        super().__init__(code, retry_at=retry_at)


FIELD_CODES: Mapping[str, Code] = {"missing": Code.REQUIRED, "string_too_long": Code.TOO_LONG}
"""The code of what a model refuses, by pydantic's type of the error; others are `INVALID_INPUT`."""

BY_STATUS: dict[int, type[ProviderError]] = {
    kind.status: kind for kind in (InvalidInput, NotAuthenticated, Refused, Conflict, TooMany, ProviderError)
}
"""The error of each HTTP status. `NotFound` and `Unavailable` are missing because they have other parameters."""
