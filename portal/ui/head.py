"""What stands in the head of every document."""

from __future__ import annotations

import reflex as rx

# Pages are prerendered in Dutch. Somebody who chose English would see Dutch for a moment: hide the page until the
# language is right. The style sheet ends the hiding by itself after a while, should a script have failed.
REVEAL = r'/(?:^|;\s*)lang=en(?:;|$)/.test(document.cookie)&&document.documentElement.classList.add("lang-pending")'

# A duplicated tab starts with a copy of the session storage, and with it the name under which the server knows the
# first tab. It takes a name of its own; after a reload the mark is gone and the name is kept.
OWN_TAB = (
    "try{const s=sessionStorage,k=()=>s.setItem('open','1');s.getItem('open')&&s.removeItem('token');k();"
    "addEventListener('pagehide',()=>s.removeItem('open'));addEventListener('pageshow',k)}catch{}"
)

FONT = "/fonts/instrument-sans.woff2"


def head_components() -> list[rx.Component]:
    """Tags for `rx.App(head_components=…)`."""
    return [
        rx.el.script(REVEAL),
        rx.el.script(OWN_TAB),
        # Early, but after the scripts: until it is there the fallback, which has the same measures, is readable.
        rx.el.link(
            rel="preload",
            href=FONT,
            custom_attrs={"as": "font", "type": "font/woff2", "crossOrigin": "anonymous", "fetchPriority": "low"},
        ),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.meta(name="theme-color", content="#12231e"),
        rx.el.meta(name="color-scheme", content="light"),
        rx.el.meta(name="robots", content="noindex"),
    ]
