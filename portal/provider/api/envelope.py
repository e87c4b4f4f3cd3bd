"""The envelope around every answer (part-1 §7: `success`, `error`, `data`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from starlette.responses import JSONResponse, Response

from portal.contract.base import ErrorDetails, Shape
from portal.contract.errors import ProviderError
from portal.domain.codes import Code
from portal.domain.dates import now

T = TypeVar("T")

_DESCRIPTIONS = {
    401: "No session, or it has ended.",
    403: "Well formed, but a rule says no.",
    404: "Not there, or not this customer's.",
    409: "Something else happened in between: it was changed elsewhere, or sent already.",
    413: "The body is larger than 64 KB.",
    422: "Not well formed; `details.fields` says where.",
    429: "A limit was reached; `details.retry_at` says when to try again.",
    500: "Something went wrong here.",
    503: "The answer cannot be made right now.",
}


class Answer(Shape, Generic[T]):
    """What was asked for."""

    success: Literal[True] = True
    data: T
    error: None = None
    details: None = None


class Refusal(Shape):
    """Why what was asked for was not done."""

    success: Literal[False] = False
    data: None = None
    error: Code
    details: ErrorDetails | None = None


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of an operation for the OpenAPI document; 500 and 503 belong to every one."""
    return {status: {"model": Refusal, "description": _DESCRIPTIONS[status]} for status in (*statuses, 500, 503)}


def refuse(error: ProviderError, *, status: int | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """Write a refusal.

    Args:
        error: why.
        status: HTTP status; by default the one of the error.
        headers: further headers.
    """
    details = None
    if error.fields or error.retry_at or error.url:
        retry_at = error.retry_at.isoformat() if error.retry_at else None
        details = ErrorDetails(fields=error.fields, retry_at=retry_at, url=error.url)
    status = error.status if status is None else status
    extra = dict(headers or {})
    if status == 401:
        extra["WWW-Authenticate"] = "Bearer"
    if error.retry_at:
        extra["Retry-After"] = str(max(1, round((error.retry_at - now()).total_seconds())))
    content = Refusal(error=error.code, details=details).model_dump(mode="json")
    return JSONResponse(content, status_code=status, headers=extra)
