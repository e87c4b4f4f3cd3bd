"""A page with one message, for a browser without scripts whose form could not be answered with its own page."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from starlette.responses import HTMLResponse

from portal.contract.models import Locale
from portal.kernel.texts import N_, gettext_for

_TITLE = N_("Your answers weren’t saved")
_BACK = N_("Open the page again")
_KEPT = N_("What you saved before is safe. Your browser’s back button may bring back what you typed.")
_REASONS = {
    405: N_("This form needs JavaScript. Turn it on in your browser, or ask our customer service."),
    403: N_("The form was not sent from a page of this portal."),
    413: N_("There is too much text in the form."),
    429: N_("There were too many requests in a short time. Wait a moment before you try again."),
    503: N_("We can’t reach our systems at the moment. Please try again in a minute."),
}
_OTHERWISE = N_("We couldn’t read the form.")

_STYLE = (
    "body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;"
    "font:17px/1.5 system-ui,sans-serif;color:#12231e;background:#f7f5f0}"
    "h1{margin:0;font-size:1.75rem;line-height:1.15}p{margin:.75rem 0 0;max-width:34rem}a{color:#0b4fa8}"
    "a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}"
    ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{color:#f1f4f1;background:#0c1412}"
    "a{color:#9cc3ff}a:focus-visible{outline-color:#8ab0ff}}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"


def not_saved(
    status: int, address: str, locale: Locale, headers: Mapping[str, str] = MappingProxyType({})
) -> HTMLResponse:
    """Say that a form was not saved, and why."""
    say = gettext_for(locale)
    below = (
        f'<p role="alert">{escape(say(_REASONS.get(status, _OTHERWISE)))}</p>'
        f'<p>{escape(say(_KEPT))}</p><p><a href="{escape(address)}">{escape(say(_BACK))}</a></p>'
    )
    page = (
        f'<!doctype html><html lang="{locale}"><head><meta charset="utf-8"><title>{escape(say(_TITLE))}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(say(_TITLE))}</h1>{below}</main></body></html>"
    )
    fixed = {"content-security-policy": _POLICY, "cache-control": "no-store"}
    return HTMLResponse(page, status, {**fixed, **headers})
