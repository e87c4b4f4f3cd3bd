"""The frame of a page: head, main content with its heading, the way back, the title of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import reflex as rx

from portal.i18n import Text, _

WIDE = "mx-auto w-full max-w-page px-4 md:px-6"
"""Classes of everything that keeps to the width of the page."""


def page_frame(
    *children: Any,
    title: Text | None = None,
    lead: Text | None = None,
    back: rx.Component | None = None,
    above: rx.Component | None = None,
    narrow: bool = False,
    class_name: str = "",
) -> rx.Component:
    """The main part of a page. Header and footer belong to the shell.

    Args:
        *children: The content.
        title: The heading; leave out when the content has its own `h1`.
        lead: A sentence below the heading.
        back: A `back_link`, above the content.
        above: What stands above the heading, such as an `error_summary`.
        narrow: Whether the content keeps to the width of a form.
        class_name: Further classes of the main element.
    """
    heading = [rx.el.h1(title, tab_index=-1)] if title is not None else []
    lead_line = [rx.el.p(lead, class_name="mt-3 max-w-form text-ink-600")] if lead is not None else []
    content = [*([above] if above is not None else []), *heading, *lead_line, *children]
    return rx.fragment(
        *([back] if back is not None else []),
        rx.el.main(
            rx.el.div(*content, class_name="max-w-form") if narrow else rx.fragment(*content),
            class_name=f"{WIDE} grow pb-16 {'pt-2' if back is not None else 'pt-10'} {class_name}".rstrip(),
            custom_attrs={"id": "main", "tabIndex": "-1"},
        ),
    )


def back_link(text: Text, to: rx.Var[str] | str) -> rx.Component:
    """The way back, above the content."""
    return rx.el.nav(
        rx.el.a(
            rx.el.span("← ", aria_hidden="true"),
            text,
            to=to,
            class_name="inline-flex items-center gap-1 min-h-11 text-ink underline",
        ),
        class_name=f"{WIDE} pt-4",
        aria_label=_("Back"),
    )


def document_title(*parts: Text, brand: str, failed: rx.Var[bool] | None = None) -> rx.Var[str]:
    """The title of a document: "Bestellingen – Bovenbuis", with "Fout: " in front while something is wrong.

    Args:
        *parts: The heading of the page, then whatever tells it from others.
        brand: Name of the shop.
        failed: Whether the page shows errors.
    """
    title = rx.Var.create("").to(str)
    for part in parts:
        title = title + rx.Var.create(part).to(str) + " – "
    title = title + brand
    return title if failed is None else rx.cond(failed, _("Error: ").to(str) + title, title).to(str)


# Pages are prerendered in Dutch. Somebody who chose English would see Dutch for a moment: hide the page until the
# language is right. The style sheet ends the hiding by itself after a while, should a script have failed.
REVEAL = r'/(?:^|;\s*)lang=en(?:;|$)/.test(document.cookie)&&document.documentElement.classList.add("lang-pending")'

# A duplicated tab starts with a copy of the session storage, and with it the name under which the server knows the
# first tab. It takes a name of its own; after a reload the mark is gone and the name is kept.
OWN_TAB = (
    "try{const s=sessionStorage,k=()=>s.setItem('open','1');s.getItem('open')&&s.removeItem('token');k();"
    "addEventListener('pagehide',()=>s.removeItem('open'));addEventListener('pageshow',k)}catch{}"
)

# The font is as large as a fifth of all scripts. Until it has come once, a fallback with the same measures stands in,
# and it is loaded after the page has come alive (`LoadFont` in `page.js`).
FONT_LOADED = "try{localStorage.font&&document.documentElement.classList.add('font-loaded')}catch{}"


# The data of these pages are asked for at once, beside the scripts, and shown by `first.js`.
_ASK_FIRST = (
    "(p=>{/^(?:%s)\\/?$/.test(p)&&(window.firstData={at:p+location.search,"
    "answer:fetch('/first'+p+location.search,{headers:{'portal-first':'1'}})"
    ".then(r=>r.status==200?r.json():null).catch(()=>null)})})(location.pathname)"
)

_PARAMETER = re.compile(r"\[\w+\]")


def ask_first(routes: Iterable[str]) -> str:
    """The script that asks for the first data of the pages that have them.

    Args:
        routes: Their routes, as `orders/[order_id]`.
    """
    return _ASK_FIRST % "|".join("\\/" + _PARAMETER.sub("[^/]+", route).replace("/", "\\/") for route in routes)


def head_components(with_first_data: Iterable[str] = ()) -> list[rx.Component]:
    """Tags for `rx.App(head_components=…)`.

    Args:
        with_first_data: Routes of the pages whose data are asked for beside the scripts.
    """
    return [
        rx.el.script(REVEAL),
        rx.el.script(OWN_TAB),
        rx.el.script(FONT_LOADED),
        rx.el.script(ask_first(with_first_data)),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.meta(name="theme-color", content="#12231e"),
        rx.el.meta(name="color-scheme", content="light"),
        rx.el.meta(name="robots", content="noindex"),
    ]
