"""The answer of every route of the edge: the envelope of part-1 §7 for scripts, a redirect for plain forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Message, Receive

from portal.contract.errors import ProviderError, Unavailable
from portal.domain.codes import Code

MAX_BODY = 16 * 1024
"""Bytes of a posted form; the longest honest one has a few hundred."""


# The documented call names the code `token` (part-1 §7); the field of the page is called what it is.
_FIELDS = {"token": "code"}


class WrongRequest(Exception):
    """A request that no page of ours makes.

    Attributes:
        status: HTTP status to answer with.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def wants_json(request: Request) -> bool:
    """Whether a script asks; otherwise the browser posts the form itself and has to be sent to a page."""
    return _media_type(request) == "application/json"


async def read_form(request: Request) -> dict[str, str]:
    """Read the posted fields; values that are no texts are left out.

    Raises:
        WrongRequest: Too large, of another media type, or not readable.
    """
    kind = _media_type(request)
    if kind not in {"application/json", "application/x-www-form-urlencoded"}:
        raise WrongRequest(415)
    body = await _read(request)
    if kind != "application/json":
        # The parser reads a body, which can be received only once.
        form = await Request(request.scope, _receiving(body)).form(max_files=0, max_fields=20)
        return {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        values = json.loads(body or b"{}")
    except ValueError as error:
        raise WrongRequest(400) from error
    if not isinstance(values, dict):
        raise WrongRequest(400)
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _receiving(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _read(request: Request) -> bytes:
    if int(request.headers.get("content-length") or 0) > MAX_BODY:
        raise WrongRequest(413)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise WrongRequest(413)
    return body


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def accept(request: Request, data: Mapping[str, Any], onwards: str) -> Response:
    """Answer that it worked: the data, or the way to the next page."""
    if wants_json(request):
        return _json({"success": True, "data": dict(data), "error": None, "details": None}, 200)
    return RedirectResponse(onwards, 303)


def refuse(request: Request, error: ProviderError, back: str) -> Response:
    """Answer why it did not work: code, fields and times, or the way back to the form with the code."""
    code = Code.NETWORK_ERROR if isinstance(error, Unavailable) else error.code
    if not wants_json(request):
        fields = [_FIELDS.get(name, name) for name in error.fields]
        query = {"error": code.value} | ({"field": fields[0]} if fields else {})
        return RedirectResponse(f"{back}?{urlencode(query)}", 303)
    details = {
        "fields": {_FIELDS.get(name, name): found.value for name, found in error.fields.items()},
        "retry_at": error.retry_at.astimezone(UTC).isoformat() if error.retry_at else None,
        "url": error.url,
    }
    return _json({"success": False, "data": None, "error": code.value, "details": details}, error.status)


def reject(status: int) -> Response:
    """Answer a request that no page of ours makes."""
    return failure(Code.INVALID_INPUT, status)


def failure(code: Code, status: int) -> Response:
    """Answer a script with nothing but a code."""
    return _json({"success": False, "data": None, "error": code.value, "details": None}, status)


def _json(content: Mapping[str, Any], status: int) -> Response:
    return JSONResponse(content, status, {"cache-control": "no-store"})
