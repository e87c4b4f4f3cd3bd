"""What stands in the head of every document."""

from __future__ import annotations

import reflex as rx

# Pages are prerendered in Dutch. Somebody who chose English would see Dutch for a moment: hide the page until the
# language is right. The style sheet ends the hiding by itself after a while, should a script have failed.
REVEAL = r'/(?:^|;\s*)lang=en(?:;|$)/.test(document.cookie)&&document.documentElement.classList.add("lang-pending")'

FONT = "/fonts/instrument-sans.woff2"


def head_components() -> list[rx.Component]:
    """Tags for `rx.App(head_components=…)`."""
    return [
        rx.el.script(REVEAL),
        rx.el.link(rel="preload", href=FONT, custom_attrs={"as": "font", "type": "font/woff2", "crossOrigin": "anonymous"}),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.meta(name="theme-color", content="#12231e"),
        rx.el.meta(name="color-scheme", content="light"),
        rx.el.meta(name="robots", content="noindex"),
    ]
