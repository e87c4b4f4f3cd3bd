"""Middleware and error handlers of the API: size limits, response headers, unexpected errors."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.backend.api.routes import client_address, refuse
from portal.backend.faults import log_fault
from portal.contract.errors import FIELD_CODES, InvalidInput, NotFound, ProviderError, Unavailable
from portal.contract.models import FILE_PATH, IMPORT_PATH, LARGEST_IMPORT, MAX_REQUEST_BYTES, PREFIX
from portal.contract.session import calling_from
from portal.kernel.codes import Code
from portal.logs import REQUEST_HEADER, handling, known_request, request_id
from portal.settings import Settings
from portal.vocabulary.files import LARGEST_FILE

Handler = Callable[[Request, Exception], Awaitable[Response]]


def install(app: FastAPI) -> None:
    """Install the error handlers; every error response uses the envelope. `app.state.routers` lists the routers."""
    app.add_exception_handler(ProviderError, cast(Handler, _provider_error))
    app.add_exception_handler(RequestValidationError, cast(Handler, _validation))
    app.add_exception_handler(HTTPException, cast(Handler, _http))


async def _provider_error(_request: Request, error: ProviderError) -> Response:
    return refuse(error)


async def _validation(_request: Request, error: RequestValidationError) -> Response:
    # The response contains field names and codes only, never the values that were sent.
    fields: dict[str, Code] = {}
    for problem in error.errors():
        names = [part for part in problem["loc"][1:] if isinstance(part, str)]
        if names and problem["type"] != "json_invalid":
            fields.setdefault(names[-1], FIELD_CODES.get(problem["type"], Code.INVALID_INPUT))
    return refuse(InvalidInput(Code.INVALID_INPUT, fields=fields))


async def _http(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404:
        return refuse(NotFound())
    if error.status_code == 400:
        # The body is not valid text or is nested too deeply.
        return refuse(InvalidInput(Code.INVALID_INPUT))
    headers = {"Allow": ", ".join(_methods(request))} if error.status_code == 405 else error.headers
    return refuse(ProviderError(Code.INVALID_INPUT), status=error.status_code, headers=headers)


def _methods(request: Request) -> list[str]:
    """The methods of a path. Each is a route of its own, and the framework names only that of the first one."""
    asked = request.url.path.removeprefix(PREFIX)
    routes = [route for router in request.app.state.routers for route in router.routes if isinstance(route, APIRoute)]
    path = next((route.path for route in routes if route.path_regex.match(asked)), "")
    return sorted({method for route in routes if route.path == path for method in route.methods or ()})


_PASSING_BYTES = 8_000_000
_PASSING_SECONDS = 1

_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}


class ErrorMiddleware:
    """ASGI middleware: limits request bodies, adds security headers and turns unexpected exceptions into refusals."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = request_id() or known_request(Headers(scope=scope).get(REQUEST_HEADER, ""))
        started = False
        is_file = scope["method"] == "PUT" and FILE_PATH.fullmatch(scope["path"])
        largest = (
            LARGEST_FILE if is_file else LARGEST_IMPORT if IMPORT_PATH.fullmatch(scope["path"]) else MAX_REQUEST_BYTES
        )
        body = _Body(receive, largest)
        # Only uploads are drained: other bodies are small, and during a download `receive` waits for the disconnect.
        body.over = not is_file

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                await body.let_pass()
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in {**_HEADERS, REQUEST_HEADER: request}.items():
                    headers[name] = value
            await send(message)

        if _announced_size(scope) > largest:
            body.over = True
            refusal = refuse(ProviderError(Code.INVALID_INPUT), status=413, headers={"Connection": "close"})
            await refusal(scope, receive, answer)
            return
        called = calling_from.set(client_address(Request(scope), self._settings))
        try:
            with handling(request):
                await self._app(scope, body.read, answer)
        except ClientDisconnect:
            pass
        except Exception as error:
            log_fault(error, f"{scope['method']} {getattr(scope.get('route'), 'path', '?')}")
            if started:
                raise
            await refuse(Unavailable(), status=500)(scope, receive, answer)
        finally:
            calling_from.reset(called)


def _announced_size(scope: Scope) -> int:
    text = Headers(scope=scope).get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() else 0


class _Body:
    """A request body with a size limit. `over`: no more of the body will be read."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive = receive
        self._largest = largest
        self._size = 0
        self.over = False

    async def read(self) -> Message:
        """Read the next chunk.

        Raises `HTTPException`: 413, the body is larger than the limit. The Content-Length header may be missing.
        """
        message = await self._receive()
        self.over = not message.get("more_body", False)
        self._size += len(message.get("body", b""))
        if self._size > self._largest:
            self.over = True
            raise HTTPException(413)
        return message

    async def let_pass(self) -> None:
        """Read and discard the rest of a body that was refused early, up to a limit of bytes and seconds.

        If the server closes a connection with unread data, a client that is still sending may lose the response.
        """
        with suppress(TimeoutError, HTTPException):
            async with asyncio.timeout(_PASSING_SECONDS):
                until = self._size + _PASSING_BYTES
                while not self.over and self._size < until:
                    await self.read()
