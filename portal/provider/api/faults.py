"""Every way in which a request can go wrong ends in the envelope, never in a stack trace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from portal.contract.errors import InvalidInput, NotFound, ProviderError
from portal.domain.codes import Code
from portal.provider.api.envelope import refuse

_CODES = {"missing": Code.REQUIRED, "string_too_long": Code.TOO_LONG}

Handler = Callable[[Request, Exception], Awaitable[Response]]


def install(app: FastAPI) -> None:
    """Let an app answer every fault in the envelope."""
    app.add_exception_handler(ProviderError, cast(Handler, _provider_error))
    app.add_exception_handler(RequestValidationError, cast(Handler, _validation))
    app.add_exception_handler(HTTPException, cast(Handler, _http))


async def _provider_error(_request: Request, error: ProviderError) -> Response:
    return refuse(error)


async def _validation(_request: Request, error: RequestValidationError) -> Response:
    # Only names of fields and codes go back, never what was sent.
    fields: dict[str, Code] = {}
    for problem in error.errors():
        names = [part for part in problem["loc"][1:] if isinstance(part, str)]
        if names and problem["type"] != "json_invalid":
            fields.setdefault(names[-1], _CODES.get(problem["type"], Code.INVALID_INPUT))
    return refuse(InvalidInput(Code.INVALID_INPUT, fields=fields))


async def _http(_request: Request, error: HTTPException) -> Response:
    if error.status_code == 404:
        return refuse(NotFound())
    if error.status_code == 400:
        # The body could not be read as text or is nested too deeply.
        return refuse(InvalidInput(Code.INVALID_INPUT))
    # Among the headers are the methods that a path offers.
    return refuse(ProviderError(Code.INVALID_INPUT), status=error.status_code, headers=error.headers)
