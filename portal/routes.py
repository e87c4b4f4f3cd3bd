"""The plain HTTP routes of the portal, served in front of the compiled pages."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Document, Locale
from portal.contract.registry import ask
from portal.deliveries.api import DeliveriesApi
from portal.flow.http import routes
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.login.http import Authentication, Passkeys, Passwords
from portal.orders.api import OrdersApi
from portal.pictures.http import routes as picture_routes
from portal.privacy.http import routes as export_routes
from portal.recalls.api import RecallsApi
from portal.returns.api import ReturnsApi
from portal.settings import settings
from portal.web import cookies, mailbox, ready
from portal.web.documents import HIDDEN_PAGE, DocumentGate
from portal.web.forms import LOGIN, Destinations, failure
from portal.web.headers import RoutesBeforePages
from portal.web.ready import Report
from portal.web.session import checks
from portal.work_orders.api import WorkOrdersApi

MANIFEST = "/manifest.webmanifest"

_SIZES = (192, 512)
_INK, _PAPER = "#12231e", "#f7f5f0"


def manifest_routes() -> list[Route]:
    return [Route(MANIFEST, _manifest, methods=["GET"])]


async def _manifest(_request: Request) -> Response:
    name = settings().brand.name
    content = {
        "id": "/",
        "name": name,
        "short_name": name,
        "lang": "nl",
        "start_url": "/dashboard",
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _INK,
        "icons": [
            {"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for size in _SIZES
            for purpose in ("any", "maskable")
        ],
    }
    headers = {"cache-control": "public, max-age=86400"}
    return JSONResponse(content, media_type="application/manifest+json", headers=headers)


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
Make = Callable[[str, str, Locale], Awaitable[Document]]
"""An operation that makes a document from a session token, an identifier and a language."""

_INVOICES = "/orders"


@dataclass(frozen=True, slots=True)
class Download:
    path: str
    operation: Callable[[], Make]
    failed: Code = Code.PDF_FAILED


class Downloads:
    def __init__(self, destinations: Destinations, pages: ASGIApp, downloads: Sequence[Download]) -> None:
        self._destinations = destinations
        self._pages = pages
        self._downloads = downloads

    @property
    def routes(self) -> list[Route]:
        return [Route(entry.path, self._answer(entry), methods=["GET"]) for entry in self._downloads]

    def _answer(self, entry: Download) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
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
        origin = f"{request.url.scheme}://{request.url.netloc}"
        referer = request.headers.get("referer", "").removeprefix(origin).partition("?")[0]
        page = referer if self._destinations.may_resume(referer) else _INVOICES
        return f"{page}?error={failed.value}"

    def _not_found(self) -> Response:
        return _AnswerOf(self._pages, HIDDEN_PAGE)


def attachment(document: Document) -> Response:
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
    def __init__(self, app: ASGIApp, path: str) -> None:
        super().__init__()
        self._app, self._path = app, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "path": self._path, "raw_path": self._path.encode()}, receive, send)


async def _recall_picture(token: str, recall_id: str, _locale: Locale) -> Document:
    return await ask(RecallsApi).recall_picture(token, recall_id)


DOWNLOADS = (
    Download("/files/invoices/{name:path}.pdf", lambda: ask(OrdersApi).invoice_pdf),
    Download("/files/requests/{name:path}.pdf", lambda: ask(WorkOrdersApi).request_document),
    Download("/files/requests/{name:path}.ics", lambda: ask(WorkOrdersApi).request_calendar, Code.CALENDAR_FAILED),
    Download("/files/returns/{name:path}/label.pdf", lambda: ask(ReturnsApi).return_label),
    Download("/files/returns/{name:path}.pdf", lambda: ask(ReturnsApi).return_summary_pdf),
    Download("/files/insurance-documents/{name:path}.pdf", lambda: ask(InsuranceApi).insurance_document),
    Download("/files/recalls/{name:path}.jpg", lambda: _recall_picture, Code.GENERAL_ERROR),
    Download("/files/deliveries/{name:path}.ics", lambda: ask(DeliveriesApi).delivery_calendar, Code.CALENDAR_FAILED),
    Download("/files/delivery-dates/{name:path}.pdf", lambda: ask(DeliveriesApi).delivery_date_pdf),
)
"""All downloads. If two patterns match a path, the first one wins."""


class Edge(RoutesBeforePages):
    def __init__(
        self,
        pages: ASGIApp,
        protected: frozenset[str],
        route_of: Callable[[str], str | None],
        report: Report,
    ) -> None:
        destinations = Destinations(protected, route_of)
        own = [
            *Authentication(destinations).routes,
            *Passwords(destinations).routes,
            *Passkeys(destinations).routes,
            *Downloads(destinations, pages, DOWNLOADS).routes,
            *routes(),
            *export_routes(),
            *picture_routes(),
            *mailbox.routes(),
            *manifest_routes(),
            *ready.routes(report),
        ]
        super().__init__(own, DocumentGate(pages, destinations))
