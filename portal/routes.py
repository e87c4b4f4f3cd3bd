"""Documents for the customer, one authorised request each (part-1 §2 Documents)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.base import Document, Locale
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.domain.codes import Code
from portal.states.session_checks import checks
from portal.web import cookies
from portal.web.destinations import LOGIN, Destinations
from portal.web.envelope import failure

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What can name an invoice, a request, a return or an order."""
Make = Callable[[str, str, Locale], Awaitable[Document]]
"""An operation that makes a document: of a session, its name, and a language."""
_INVOICES = "/orders"
_NOT_FOUND = "/not-found"


@dataclass(frozen=True, slots=True)
class Download:
    """A kind of document.

    Attributes:
        path: Pattern of its path; `name` in it says which one.
        operation: Finds the operation that makes it, at every request.
        failed: The code when it cannot be made.
    """

    path: str
    operation: Callable[[], Make]
    failed: Code = Code.PDF_FAILED


class Downloads:
    """Serves PDFs. A link works by itself; the component that our pages use shows what went wrong in place."""

    def __init__(self, destinations: Destinations, pages: ASGIApp, downloads: Sequence[Download]) -> None:
        """Serve documents.

        Args:
            destinations: The pages there are.
            pages: Answers what is not there with the designed page.
            downloads: What can be downloaded.
        """
        self._destinations = destinations
        self._pages = pages
        self._downloads = downloads

    @property
    def routes(self) -> list[Route]:
        """The routes to serve."""
        return [Route(entry.path, self._answer(entry), methods=["GET"]) for entry in self._downloads]

    def _answer(self, entry: Download) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            """The document in the language of `?lang=`, or of the browser."""
            return await self._send(request, entry.operation(), entry.failed)

        return answer

    async def _send(self, request: Request, make: Make, failed: Code) -> Response:
        name = request.path_params["name"]
        locale = request.query_params.get("lang") or cookies.language(request)
        if not _NAME.fullmatch(name):
            return self._not_found()
        try:
            token = _required(cookies.read_session(request))
            chosen = cast(Locale, locale if locale in {"nl", "en"} else "nl")
            return attachment(await make(token, name, chosen))
        except NotAuthenticated:
            checks.ended(cookies.read_session(request))
            return _asks_json(request, Code.SESSION_ENDED, 401) or RedirectResponse(LOGIN, 303)
        except ProviderError as error:
            if isinstance(error, NotFound) or error.code is Code.ITEM_RETURN_DOES_NOT_EXIST:
                return _asks_json(request, Code.NOT_FOUND, 404) or self._not_found()
            return _asks_json(request, failed, error.status) or RedirectResponse(self._back(request, failed), 303)

    def _back(self, request: Request, failed: Code) -> str:
        """The page with the link, when it is one of ours; it shows that the download failed."""
        origin = f"{request.url.scheme}://{request.url.netloc}"
        referer = request.headers.get("referer", "").removeprefix(origin).partition("?")[0]
        page = referer if self._destinations.may_resume(referer) else _INVOICES
        return f"{page}?error={failed.value}"

    def _not_found(self) -> Response:
        return _AnswerOf(self._pages, _NOT_FOUND)


def attachment(document: Document) -> Response:
    """A document as a download that no cache keeps."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "-", document.name) or "document.pdf"
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(document.name, safe='')}"
    headers = {"content-disposition": disposition, "cache-control": "private, no-store"}
    return Response(document.content, media_type=document.media_type, headers=headers)


def _required(token: str) -> str:
    if not token:
        raise NotAuthenticated(Code.SESSION_ENDED)
    return token


def _asks_json(request: Request, code: Code, status: int) -> Response | None:
    return failure(code, status) if "application/json" in request.headers.get("accept", "") else None


class _AnswerOf(Response):
    """What an app answers to another path, status and headers included."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        super().__init__()
        self._app, self._path = app, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "path": self._path, "raw_path": self._path.encode()}, receive, send)
