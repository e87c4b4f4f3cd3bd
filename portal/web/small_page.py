"""The frame of a page with one message that needs no compiled pages: its HTML, its style and its policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from starlette.responses import HTMLResponse

_STYLE = (
    "body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;"
    "font:17px/1.5 system-ui,sans-serif;color:#12231e;background:#f7f5f0}"
    "h1{margin:0;font-size:1.75rem;line-height:1.15}p{margin:.75rem 0 0;max-width:34rem}a{color:#0b4fa8}"
    "a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}"
    "i{display:block;box-sizing:border-box;width:2.5rem;height:2.5rem;margin:0 auto 1rem;border-radius:50%;"
    "border:4px solid #ff5b1f;border-top-color:transparent;animation:t .9s linear infinite}"
    "[role=status]{text-align:center}[role=status] p{max-width:32rem;color:#475c54}"
    "@keyframes t{to{transform:rotate(1turn)}}"
    "@media(prefers-reduced-motion:reduce){i{animation:none}}"
    ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{color:#f1f4f1;background:#0c1412}"
    "a{color:#9cc3ff}a:focus-visible{outline-color:#8ab0ff}[role=status] p{color:#a8b8b0}}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"


def small_page(
    title: str,
    below: str,
    status: int,
    language: str,
    headers: Mapping[str, str] = MappingProxyType({}),
    *,
    reload_after: int = 0,
) -> HTMLResponse:
    again = f'<meta http-equiv="refresh" content="{reload_after}">' if reload_after else ""
    main = '<main role="status"><i aria-hidden="true"></i>' if reload_after else "<main>"
    page = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">{again}<style>{_STYLE}</style></head>'
        f"<body>{main}<h1>{escape(title)}</h1>{below}</main></body></html>"
    )
    fixed = {"content-security-policy": _POLICY, "cache-control": "no-store"}
    return HTMLResponse(page, status, {**fixed, **headers})
