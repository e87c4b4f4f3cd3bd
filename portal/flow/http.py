"""The HTTP endpoints that upload and download the files of a draft (security C1-C7).

The browser announces a file first, and the provider checks all limits. Then the browser sends the body, which is
streamed to the provider and never stored here.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError, Unavailable
from portal.contract.models import REFERENCE_FORM
from portal.contract.registry import ask
from portal.contract.session import calling_from
from portal.flow.api import FlowApi, Upload, UploadPlace, UploadStart
from portal.kernel.codes import Code
from portal.kernel.validation import parsed_json
from portal.vocabulary.files import LARGEST_FILE
from portal.vocabulary.links import PHONE_FILES, PHONE_LIFETIME, PHONE_PATH, is_hash
from portal.web import cookies
from portal.web.files import file_response, part_asked, preview_response
from portal.web.forms import MAX_BODY, failure, from_own_page, network_address
from portal.web.session import checks

_REFERENCE = re.compile(REFERENCE_FORM)

Endpoint = Callable[[Request, str], Awaitable[Response]]
"""Handles a request with the session token of the customer, or with the link of a telephone."""


def routes() -> list[Route]:
    """The routes of files of customers."""
    phone = f"{PHONE_FILES}/uploads/{{reference}}"
    return [
        Route(f"{PHONE_PATH}/{{hash}}", _open_on_phone, methods=["GET"]),
        Route(f"{PHONE_FILES}/drafts/{{reference}}", _guarded(_phone_announce, cookies.read_phone), methods=["POST"]),
        Route(phone, _guarded(_phone_upload, cookies.read_phone), methods=["PUT", "DELETE"]),
        Route(f"{phone}/preview", _guarded(_phone_preview, cookies.read_phone), methods=["GET"]),
        Route("/files/drafts/{reference}", _customer_only(_announce), methods=["POST"]),
        Route("/files/uploads/{reference}", _customer_only(_upload), methods=["PUT", "DELETE", "GET"]),
        Route("/files/uploads/{reference}/preview", _customer_only(_preview), methods=["GET"]),
    ]


async def _open_on_phone(request: Request) -> Response:
    """Store the link in a cookie and redirect to the upload page, which reports an invalid link."""
    response = RedirectResponse(PHONE_PATH, 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})
    link = request.path_params["hash"]
    cookies.set_phone(response, link if is_hash(link) else "", round(PHONE_LIFETIME.total_seconds()))
    with suppress(ProviderError):
        found = await ask(FlowApi).phone_uploads(link)
        if not cookies.shows_language(request):
            cookies.set_language(response, found.locale)
    return response


def _customer_only(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    return _guarded(endpoint, cookies.read_session)


def _guarded(endpoint: Endpoint, token_of: Callable[[HTTPConnection], str]) -> Callable[[Request], Awaitable[Response]]:
    """Require a session or a link, and our own origin for changes; turn errors into the JSON envelope."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        changes = request.method not in {"GET", "HEAD"}
        if changes and not from_own_page(request):
            return _closing(failure(Code.INVALID_INPUT, 403))
        token = token_of(request)
        calling_from.set(network_address(request))
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
    start = await announced(request)
    return placed(await ask(FlowApi).begin_upload(token, request.path_params["reference"], start))


async def announced(request: Request) -> UploadStart:
    """The announcement in a request. Raises `InvalidInput`."""
    if _length(request) > MAX_BODY:
        raise InvalidInput(Code.FILE_PARAMS_MISSING)
    try:
        return UploadStart.model_validate(parsed_json(await _small_body(request)))
    except (ValueError, ValidationError):
        raise InvalidInput(Code.FILE_PARAMS_MISSING) from None


def done() -> Response:
    """The answer to a removal."""
    return _success(None)


def placed(place: UploadPlace) -> Response:
    """The answer to an announcement."""
    return _success({"upload_id": place.upload_id})


async def _upload(request: Request, token: str) -> Response:
    """Receive (PUT), download (GET) or remove (DELETE) a file."""
    upload_id = request.path_params["reference"]
    if request.method == "DELETE":
        await ask(FlowApi).remove_upload(token, upload_id)
        return done()
    if request.method == "PUT":
        return await received(request, lambda body: ask(FlowApi).receive_upload(token, upload_id, body))
    content = await ask(FlowApi).upload_content(token, upload_id, part_asked(request, upload_id))
    return file_response(content, upload_id)


async def _preview(request: Request, token: str) -> Response:
    return preview_response(await ask(FlowApi).upload_preview(token, request.path_params["reference"]))


async def _phone_announce(request: Request, token: str) -> Response:
    return placed(await ask(FlowApi).begin_phone_upload(token, await announced(request)))


async def _phone_upload(request: Request, token: str) -> Response:
    """Receive (PUT) or remove (DELETE) a file of a telephone."""
    upload_id = request.path_params["reference"]
    if request.method == "DELETE":
        await ask(FlowApi).remove_phone_upload(token, upload_id)
        return done()
    return await received(request, lambda body: ask(FlowApi).receive_phone_upload(token, upload_id, body))


async def _phone_preview(request: Request, token: str) -> Response:
    return preview_response(await ask(FlowApi).phone_preview(token, request.path_params["reference"]))


async def received(request: Request, receive: Callable[[AsyncIterator[bytes]], Awaitable[Upload]]) -> Response:
    """Pass the body of a file on to the operation that receives it."""
    length = _length(request)
    if length <= 0:
        raise InvalidInput(Code.FILE_PARAMS_MISSING)
    if length > LARGEST_FILE:
        return _closing(failure(Code.MAX_UPLOAD_SIZE_REACHED, 413))
    upload = await receive(_body(request))
    return _success(
        {"id": upload.upload_id, "name": upload.name, "size": upload.size, "kind": upload.kind, "photo": upload.photo}
    )


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
