"""Files of a case and job cards, for the browsers of staff (security C1-C7)."""

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.cases.api import CasesApi, JobCards, case_filter
from portal.contract.errors import NotFound
from portal.contract.registry import ask
from portal.desk.downloads import download, staff_only
from portal.web.files import file_response, part_asked, preview_response

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The viewer of a browser for PDF files does not start in a sandbox of ours; it has its own."""


def routes() -> list[Route]:
    place = "/files/cases/{kind}/{reference}/{file_id}"
    return [
        Route(place, staff_only(_file), methods=["GET"]),
        Route(f"{place}/preview", staff_only(_preview), methods=["GET"]),
        Route("/files/cases.csv", _case_list, methods=["GET"]),
        Route("/files/job-cards", staff_only(_job_cards), methods=["GET"]),
    ]


async def _file(request: Request, token: str) -> Response:
    """A file: what browsers show safely is shown, everything else is saved."""
    kind, reference, file_id = _named(request)
    content = await ask(CasesApi).case_file(token, kind, reference, file_id, part_asked(request, file_id))
    return file_response(content, file_id, shown=True)


async def _preview(request: Request, token: str) -> Response:
    return preview_response(await ask(CasesApi).case_preview(token, *_named(request)), seconds=600)


def _named(request: Request) -> tuple[str, str, str]:
    kind, reference, file_id = (request.path_params[name] for name in ("kind", "reference", "file_id"))
    return kind, reference, file_id


async def _case_list(request: Request) -> Response:
    asked = case_filter(dict(request.query_params))
    return await download(request, "/cases", lambda token: ask(CasesApi).case_list(token, asked))


async def _job_cards(request: Request, token: str) -> Response:
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
