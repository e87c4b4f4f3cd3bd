"""The HTTP endpoints that upload and download the files of a draft (security C1-C7).

The browser announces a file first, and the provider checks all limits. Then the browser sends the body, which is
streamed to the provider and never stored here.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError, Unavailable
from portal.contract.models import REFERENCE_FORM, Content, Document
from portal.contract.registry import ask
from portal.flow.api import FlowApi, UploadStart
from portal.kernel.codes import Code
from portal.vocabulary.files import LARGEST_FILE
from portal.web import cookies
from portal.web.forms import MAX_BODY, failure, from_own_page
from portal.web.session import checks

_REFERENCE = re.compile(REFERENCE_FORM)
_SANDBOX_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

Endpoint = Callable[[Request, str], Awaitable[Response]]
"""Handles a request with the session token of the customer."""


def routes() -> list[Route]:
    """The routes of uploads."""
    return [
        Route("/files/drafts/{reference}", _customer_only(_announce), methods=["POST"]),
        Route("/files/uploads/{reference}", _customer_only(_upload), methods=["PUT", "DELETE", "GET"]),
        Route("/files/uploads/{reference}/preview", _customer_only(_preview), methods=["GET"]),
    ]


def _customer_only(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """Require a session, and our own origin for changes; turn errors into the JSON envelope."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        changes = request.method != "GET"
        if changes and not from_own_page(request):
            return _closing(failure(Code.INVALID_INPUT, 403))
        token = cookies.read_session(request)
        try:
            if not token:
                raise NotAuthenticated(Code.SESSION_ENDED)
            if not _REFERENCE.fullmatch(request.path_params["reference"]):
                raise NotFound
            return await endpoint(request, token)
        except NotAuthenticated as error:
            checks.ended(token)
            return _closing(failure(error.code, error.status))
        except ProviderError as error:
            code = Code.UPLOAD_FAILED if changes and isinstance(error, Unavailable) else error.code
            return _closing(failure(code, error.status))

    return answer


async def _announce(request: Request, token: str) -> Response:
    """Announce a file: {"field", "name", "size"} → {"upload_id"}."""
    if _length(request) > MAX_BODY:
        raise InvalidInput(Code.FILE_PARAMS_MISSING)
    try:
        start = UploadStart.model_validate(json.loads(await _small_body(request)))
    except (ValueError, ValidationError):
        raise InvalidInput(Code.FILE_PARAMS_MISSING) from None
    announced = await ask(FlowApi).begin_upload(token, request.path_params["reference"], start)
    return _success({"upload_id": announced.upload_id})


async def _upload(request: Request, token: str) -> Response:
    """Receive (PUT), download (GET) or remove (DELETE) a file."""
    upload_id = request.path_params["reference"]
    if request.method == "GET":
        return await _download(token, upload_id)
    if request.method == "DELETE":
        await ask(FlowApi).remove_upload(token, upload_id)
        return _success(None)
    length = _length(request)
    if length <= 0:
        raise InvalidInput(Code.FILE_PARAMS_MISSING)
    if length > LARGEST_FILE:
        return _closing(failure(Code.MAX_UPLOAD_SIZE_REACHED, 413))
    upload = await ask(FlowApi).receive_upload(token, upload_id, _body(request))
    return _success(
        {"id": upload.upload_id, "name": upload.name, "size": upload.size, "kind": upload.kind, "photo": upload.photo}
    )


async def _download(token: str, upload_id: str) -> Response:
    return file_response(await ask(FlowApi).upload_content(token, upload_id))


def file_response(content: Content) -> Response:
    """A file as an attachment, which the browser saves and never displays."""
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "-", content.name) or "file"
    return StreamingResponse(
        content.chunks,
        media_type=content.media_type,
        headers={
            "content-disposition": (
                f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(content.name, safe='')}"
            ),
            "content-length": str(content.size),
            "content-security-policy": _SANDBOX_POLICY,
            "x-content-type-options": "nosniff",
            "cache-control": "private, no-store",
        },
    )


async def _preview(request: Request, token: str) -> Response:
    return preview_response(await ask(FlowApi).upload_preview(token, request.path_params["reference"]))


def preview_response(document: Document) -> Response:
    """The preview that the provider made of a photo. It never changes, so this browser may cache it."""
    headers = {
        "content-security-policy": _SANDBOX_POLICY,
        "x-content-type-options": "nosniff",
        "cache-control": "private, max-age=3600",
        "vary": "cookie",
    }
    return Response(document.content, media_type="image/jpeg", headers=headers)


async def _body(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise InvalidInput(Code.UPLOAD_FAILED) from None


async def _small_body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise InvalidInput(Code.FILE_PARAMS_MISSING)
    return body


def _length(request: Request) -> int:
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def _closing(response: Response) -> Response:
    """Close the connection after this response, because the request body was not read."""
    response.headers["connection"] = "close"
    return response


def _success(data: Mapping[str, Any] | None) -> Response:
    content = {"success": True, "data": data, "error": None, "details": None}
    return JSONResponse(content, headers={"cache-control": "no-store"})
