"""The bar above every page in a session that staff opened for a customer.

It is put into the document on its way to the browser, so that pages of customers carry nothing for it.
"""

from __future__ import annotations

import base64
import binascii
import re
from html import escape

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

from portal.contract.models import Locale
from portal.contract.session import SessionCheck
from portal.kernel.texts import gettext_for
from portal.kernel.validation import parsed_json
from portal.vocabulary.staff import STOP_VISIT, VISIT_TEXTS

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
