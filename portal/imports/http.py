"""The form post that sends a file to import. It is HTTP, because a file is too large for the event socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, ProviderError, Unavailable
from portal.contract.registry import ask
from portal.desk.session import DESK_LOGIN, checks
from portal.imports.api import ImportRun, ImportsApi, ImportSearch, ImportStart
from portal.kernel.codes import Code
from portal.vocabulary.files import LARGEST_FILE
from portal.web.forms import from_own_page, reject
from portal.web.staff_cookies import caller_token

PAGE = "/imports"
_ROOM = 64 * 1024
"""Bytes of a post besides the file."""

_MAX_FIELD = 1000
_PIECE = 256 * 1024


def routes() -> list[Route]:
    """The routes, for `portal.desk_app.ROUTES`."""
    return [Route("/files/imports", _receive, methods=["POST"])]


async def _receive(request: Request) -> Response:
    """Import the posted file, and lead to its report; after a refusal back to the form, which says what is wrong."""
    if not from_own_page(request):
        return reject(403)
    token = caller_token(request)
    given: dict[str, str] = {}
    try:
        if not token:
            raise NotAuthenticated(Code.SESSION_ENDED)
        # Before a byte of the file is read: the person may import at all.
        await ask(ImportsApi).imports(token, ImportSearch())
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGEST_FILE + _ROOM:
            return _back(
                {"error": Code.MAX_UPLOAD_SIZE_REACHED.value, "wrong-file": Code.MAX_UPLOAD_SIZE_REACHED.value}
            )
        try:
            async with request.form(max_files=1, max_fields=8) as form:
                given = {name: value[:_MAX_FIELD] for name, value in form.items() if isinstance(value, str)}
                file = form.get("file")
                made = await _send(token, given, file if isinstance(file, UploadFile) else None)
        except HTTPException:
            return _back({"error": Code.INVALID_INPUT.value})
    except NotAuthenticated:
        checks.ended(token)
        return RedirectResponse(f"{DESK_LOGIN}?error={Code.SESSION_ENDED.value}", 303)
    except ProviderError as error:
        code = Code.NETWORK_ERROR if isinstance(error, Unavailable) else error.code
        wrong = {f"wrong-{name}": found.value for name, found in error.fields.items()}
        kept = {name: given[name][:40] for name in ("kind", "source", "form", "dry") if given.get(name)}
        return _back({"error": code.value, **wrong, **kept})
    return RedirectResponse(f"{PAGE}/run/{made.import_id}", 303)


async def _send(token: str, given: dict[str, str], file: UploadFile | None) -> ImportRun:
    start = ImportStart(
        kind=given.get("kind", "")[:100],
        source=given.get("source", "").strip()[:100],
        form=given.get("form", "")[:100],
        name=(file.filename or "")[:_MAX_FIELD] if file else "",
        size=(file.size or 0) if file else 0,
        dry_run=bool(given.get("dry")),
    )
    announced = await ask(ImportsApi).begin_import(token, start)
    assert file is not None  # noqa: S101 - a file without bytes was refused
    return await ask(ImportsApi).receive_import(token, announced.import_id, _pieces(file))


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(_PIECE):
        yield piece


def _back(query: dict[str, str]) -> Response:
    return RedirectResponse(f"{PAGE}?{urlencode(query)}", 303)
