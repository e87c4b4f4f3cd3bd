"""Redirects before a page is served, so that nobody sees a page they may not open (part-1 §2 Route guard).

Page HTML holds no customer data; the event guard and the provider protect the data. This module only spares customers
the sight of a wrong page. Therefore a page opens when the provider is unavailable, and shows the error itself.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from html import escape

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.contract.models import Locale
from portal.contract.session import SessionCheck
from portal.kernel.codes import Code
from portal.kernel.texts import gettext_for
from portal.kernel.validation import parsed_json
from portal.settings import settings
from portal.vocabulary.staff import STOP_VISIT, VISIT_TEXTS
from portal.web import cookies
from portal.web.forms import CODE, LOGIN, PASSWORD, PASSWORD_RESET, Destinations
from portal.web.session import SessionChecks, SessionStatus, ShownTerms, checks, shown_terms

_BODY = re.compile(rb"<body[^>]*>", re.IGNORECASE)

_BAR = (
    "position:sticky;top:0;z-index:60;display:flex;flex-wrap:wrap;align-items:center;justify-content:center;"
    "gap:4px 16px;padding:6px 16px;background:#7a1f1f;color:#fff;font-weight:600;font-size:14px;line-height:1.4"
)
_BUTTON = (
    "min-height:32px;padding:2px 14px;border:1px solid #fff;border-radius:6px;background:transparent;color:#fff;"
    "font:inherit;cursor:pointer"
)


def is_visit(token: str) -> bool:
    """Whether a token says that staff opened its session. It is not verified: this only decides what is asked next."""
    payload = token.partition(".")[2].partition(".")[0]
    try:
        claims = parsed_json(base64.urlsafe_b64decode(payload.encode() + b"=" * (-len(payload) % 4)))
    except (ValueError, binascii.Error):
        return False
    return isinstance(claims, dict) and "act" in claims


def bar_of(session: SessionCheck, locale: Locale) -> str:
    """The HTML of the bar; empty for a session of the customer."""
    if session.mode is None:
        return ""
    say = gettext_for(locale)
    # Not str.format: a name may hold braces.
    text = escape(say(VISIT_TEXTS[session.mode]).replace("{name}", session.visitor))
    return (
        f'<aside id="visit" style="{_BAR}"><span>{text}</span>'
        f'<form method="post" action="/auth/logout" style="margin:0"><button style="{_BUTTON}">'
        f"{escape(say(STOP_VISIT))}</button></form></aside>"
    )


def uncompressed(scope: Scope) -> Scope:
    """The request as a browser sends it that knows no compression and has nothing in its cache.

    Without its extensions the server sends the page in chunks, not as the path of a file.
    """
    left_out = {b"accept-encoding", b"if-none-match", b"if-modified-since"}
    return {
        **scope,
        "extensions": {},
        "headers": [pair for pair in scope["headers"] if pair[0].lower() not in left_out],
    }


def with_bar(send: Send, bar: str) -> Send:
    """Put the bar at the beginning of the body of a page; other responses stay as they are."""
    start: Message | None = None
    parts: list[bytes] = []

    async def send_with_bar(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            headers = Headers(raw=message.get("headers", []))
            if headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers:
                start = message
                return
        elif message["type"] == "http.response.body" and start is not None:
            parts.append(message.get("body", b""))
            if message.get("more_body", False):
                return
            page = b"".join(parts)
            found = _BODY.search(page)
            if found:
                page = page[: found.end()] + bar.encode() + page[found.end() :]
            headers = MutableHeaders(raw=start.setdefault("headers", []))
            headers["content-length"] = str(len(page))
            headers["cache-control"] = "private, no-store"
            del headers["etag"]
            await send(start)
            message = {**message, "body": page}
        await send(message)

    return send_with_bar


RETIRED = frozenset({"/register", "/forgot-password", "/password-reset", "/service-points"})
"""Paths of earlier portals. Old mails may still link to them."""

_GONE = "/gone"
HIDDEN_PAGE = "/not-found"
"""Stands in for the path of a page that the server hides, although the scripts in the browser know it."""
_OF_PASSWORDS = (PASSWORD, PASSWORD_RESET)
"""Pages that exist only when the password login is switched on."""


class DocumentGate:
    def __init__(
        self,
        app: ASGIApp,
        destinations: Destinations,
        session_checks: SessionChecks[SessionCheck] = checks,
        terms: ShownTerms = shown_terms,
    ) -> None:
        self._terms = terms
        self._app = app
        self._destinations = destinations
        self._checks = session_checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = None
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            request = Request(scope)
            answer = await self._elsewhere(request)
            if not settings().passwords and _is_below(scope["path"], _OF_PASSWORDS):
                scope = {**scope, "path": HIDDEN_PAGE, "raw_path": HIDDEN_PAGE.encode()}
            if language := cookies.linked_language(request):
                send = _with_cookies(send, lambda response: cookies.set_language(response, language))
            if "." not in scope["path"] and (terms := await self._terms.changed()) != cookies.read_terms(request):
                send = _with_cookies(send, lambda response: cookies.set_terms(response, terms))
            if answer is None and (bar := await self._visit_bar(request)):
                scope, send = uncompressed(scope), with_bar(send, bar)
        await (answer or self._app)(scope, receive, send)

    async def _visit_bar(self, request: Request) -> str:
        """The bar of a session that staff opened for a customer; empty for sessions of customers."""
        token = cookies.read_session(request)
        session = (await self._checks.check(token)).session if is_visit(token) else None
        return bar_of(session, cookies.language(request)) if session is not None else ""

    async def _elsewhere(self, request: Request) -> Response | None:
        path = request.url.path.rstrip("/") or "/"
        if path == "/login":
            return RedirectResponse(LOGIN, 303)
        if _is_below(path, RETIRED):
            return RedirectResponse(_GONE, 303)
        if path in {LOGIN, CODE, PASSWORD}:
            return await self._for_visitors(request, path)
        if self._destinations.is_protected(path):
            return await self._for_customers(request)
        return None

    async def _for_visitors(self, request: Request, path: str) -> Response | None:
        token = cookies.read_session(request)
        if token and (await self._checks.check(token)).state is SessionStatus.ALIVE:
            response = RedirectResponse(self._destinations.after_login(cookies.read_next(request, token)), 303)
            cookies.clear_next(response)
            return response
        if path == CODE and cookies.read_challenge(request) is None:
            return RedirectResponse(LOGIN, 303)
        return None

    async def _for_customers(self, request: Request) -> Response | None:
        token = cookies.read_session(request)
        if (await self._checks.check(token)).state is not SessionStatus.ENDED:
            return None
        # With a token there was a session before: the login page explains that it has ended.
        response = RedirectResponse(f"{LOGIN}?error={Code.SESSION_ENDED.value}" if token else LOGIN, 303)
        query = f"?{request.url.query}" if request.url.query else ""
        wanted = request.url.path.rstrip("/") + query
        if self._destinations.may_resume(wanted):
            cookies.set_next(request, response, wanted, token)
        elif self._destinations.may_resume(request.url.path.rstrip("/")):
            cookies.set_next(request, response, request.url.path.rstrip("/"), token)
        if token:
            cookies.clear_session(response)
        return response


def _with_cookies(send: Send, dress: Callable[[Response], None]) -> Send:
    dressed = Response()
    dress(dressed)

    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            for value in dressed.headers.getlist("set-cookie"):
                headers.append("set-cookie", value)
        await send(message)

    return send_with_cookies


def _is_below(path: str, roots: Iterable[str]) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in roots)
