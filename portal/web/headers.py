"""Headers of every response: content security policy, caching and referrer."""

import base64
import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.logs import REQUEST_HEADER, handling, known_request
from portal.vocabulary.links import PATHS, TRACKING_PATH

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_NO_CODE = re.compile(r"\bsrc\s*=|\btype=\"application/json\"")
"""Attributes of a script that is a file, or that browsers never run."""

_COMMON = {
    "default-src": "'self'",
    # Styles come from the portal's style sheet. Only style attributes, such as the width of a bar, are inline.
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "media-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}

DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Content security policy of responses other than pages, such as JSON and files."""


def script_hashes(html: str) -> list[str]:
    """Hash every inline script of a page in the notation of a content security policy; a block of data is none."""
    bodies = {body for attributes, body in _SCRIPT.findall(html) if not _NO_CODE.search(attributes)}
    return sorted(f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" for body in bodies)


def page_policy(html: str) -> str:
    """The content security policy of one page: the portal's files and the inline scripts it was built with."""
    scripts = " ".join(["'self'", *script_hashes(html)])
    directives = {**_COMMON, "script-src": scripts}
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def with_styles(policy: str, nonce: str) -> str:
    """The policy of a page with styles inside of its document, which have this nonce; none if it is empty."""
    return policy.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'", 1) if nonce else policy


_ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()",
}

_LINKS = tuple(f"{path}/" for path in (*PATHS.values(), TRACKING_PATH))

# The URL of such a page gives access to a request, so it is never sent as a referrer, not even to the portal itself.
_UNNAMED = {"referrer-policy": "no-referrer", "x-robots-tag": "noindex"}
_HSTS = "max-age=63072000; includeSubDomains"


class SecurityHeaders:
    """ASGI middleware that adds the security headers that a response did not set itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        secure = _is_secure(scope)
        own = _UNNAMED if scope["path"].startswith(_LINKS) else {}

        async def send_with_headers(message: Message) -> None:
            # A 304 would replace the headers that the browser keeps with the page.
            if message["type"] == "http.response.start" and message["status"] != 304:
                _complete(MutableHeaders(raw=message.setdefault("headers", [])), own, secure=secure)
            await send(message)

        if scope["method"] in {"GET", "HEAD"} and scope["path"].startswith("/_upload"):
            await _not_found(send_with_headers)
            return
        request = known_request(Headers(scope=scope).get(REQUEST_HEADER, ""))
        own = {**own, REQUEST_HEADER: request}
        # Whoever broke off amid a body gets no answer, and the log no traceback.
        with suppress(ClientDisconnect), handling(request):
            await self._app(scope, receive, send_with_headers)


def _is_secure(scope: Scope) -> bool:
    # A browser ignores the header on plain http, so a forged X-Forwarded-Proto gains nothing.
    forwarded = dict(scope["headers"]).get(b"x-forwarded-proto", b"")
    return scope.get("scheme") == "https" or forwarded.split(b",")[0].strip() == b"https"


def _complete(headers: MutableHeaders, own: dict[str, str], *, secure: bool) -> None:
    for name, value in (_ALWAYS | own).items():
        headers.setdefault(name, value)
    is_page = headers.get("content-type", "").startswith("text/html")
    headers.setdefault("content-security-policy", page_policy("") if is_page else DATA_POLICY)
    headers.setdefault("cache-control", "no-store")
    if secure:
        headers.setdefault("strict-transport-security", _HSTS)


async def _not_found(send: Send) -> None:
    # Without this, the framework would serve every uploaded file to anybody.
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


_UPLOADS = "/_upload"


class RoutesBeforePages:
    """Tries routes in their order, then the pages. Refuses the upload endpoint of the framework without reading."""

    def __init__(self, routes: Iterable[Route], pages: ASGIApp) -> None:
        self._routes = list(routes)
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        if scope["path"].startswith(_UPLOADS):
            await Response(status_code=404)(scope, receive, send)
            return
        for route in self._routes:
            match, found = route.matches(scope)
            if match is not Match.NONE:
                # The route itself answers a wrong method with 405.
                await route.handle({**scope, **found}, receive, send)
                return
        await self._pages(scope, receive, send)
