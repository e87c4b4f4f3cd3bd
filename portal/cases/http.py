"""Files of a case and job cards, for the browsers of staff (security C1-C7)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import wraps
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from portal.cases.api import CasesApi, JobCards, case_filter
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.models import REFERENCE_FORM
from portal.contract.registry import ask
from portal.desk.downloads import download
from portal.desk.session import checks
from portal.kernel.codes import Code
from portal.web.forms import failure
from portal.web.staff_cookies import read_staff

_REFERENCE = re.compile(REFERENCE_FORM)
_SHOWN = frozenset({"image/jpeg", "image/png", "video/mp4", "application/pdf"})
"""Media types that browsers show by themselves; everything else is saved."""

_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_SANDBOX = f"{_POLICY}; sandbox"

Endpoint = Callable[[Request, str], Awaitable[Response]]


def routes() -> list[Route]:
    """The routes of cases."""
    place = "/files/cases/{kind}/{reference}/{file_id}"
    return [
        Route(place, _staff_only(_file), methods=["GET"]),
        Route(f"{place}/preview", _staff_only(_preview), methods=["GET"]),
        Route("/files/cases.csv", _case_list, methods=["GET"]),
        Route("/files/job-cards", _staff_only(_job_cards), methods=["GET"]),
    ]


def _staff_only(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """Require a session of staff; turn errors into the JSON envelope."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        token = read_staff(request)
        try:
            if not token:
                raise NotAuthenticated(Code.SESSION_ENDED)
            if not all(_REFERENCE.fullmatch(str(part)) for part in request.path_params.values()):
                raise NotFound
            return await endpoint(request, token)
        except NotAuthenticated as error:
            checks.ended(token)
            return failure(error.code, error.status)
        except ProviderError as error:
            return failure(error.code, error.status)

    return answer


async def _file(request: Request, token: str) -> Response:
    """A file: what browsers show safely is shown, everything else is saved."""
    name = request.path_params
    content = await ask(CasesApi).case_file(token, name["kind"], name["reference"], name["file_id"])
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "-", content.name) or "file"
    how = "inline" if content.media_type in _SHOWN else "attachment"
    return StreamingResponse(
        content.chunks,
        media_type=content.media_type,
        headers={
            "content-disposition": f"{how}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(content.name, safe='')}",
            "content-length": str(content.size),
            # The viewer of a browser for PDF files does not start in a sandbox of ours; it has its own.
            "content-security-policy": _POLICY if content.media_type == "application/pdf" else _SANDBOX,
            "x-content-type-options": "nosniff",
            "cache-control": "private, no-store",
        },
    )


async def _preview(request: Request, token: str) -> Response:
    """The small picture of a file. It never changes, so this browser may cache it."""
    name = request.path_params
    document = await ask(CasesApi).case_preview(token, name["kind"], name["reference"], name["file_id"])
    headers = {
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
        "cache-control": "private, max-age=600",
        "vary": "cookie",
    }
    return Response(document.content, media_type="image/jpeg", headers=headers)


async def _case_list(request: Request) -> Response:
    """The cases of the filters in the query, as CSV."""
    asked = case_filter(dict(request.query_params))
    return await download(request, "/exports", lambda token: ask(CasesApi).case_list(token, asked))


async def _job_cards(request: Request, token: str) -> Response:
    """The job cards of the cases in the query, as one PDF that the browser shows."""
    query = request.query_params
    try:
        asked = JobCards(cases=query.get("cases", ""), locale="en" if query.get("locale") == "en" else "nl")
    except ValidationError:
        raise NotFound from None
    document = await ask(CasesApi).job_cards(token, asked)
    headers = {
        "content-disposition": f'inline; filename="{document.name}"',
        "content-security-policy": _POLICY,
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
    }
    return Response(document.content, media_type="application/pdf", headers=headers)
