"""The frame of a page: main content with heading and back link, document title, and tags of the HTML head."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import reflex as rx

from portal.i18n import Text, _

WIDE = "mx-auto w-full max-w-page px-4 md:px-6"
"""CSS classes that limit content to the width of the page."""

HALF = "lg:relative lg:pr-[calc(50%+1rem)]"
"""CSS classes of content that leaves the right half of a large screen to one of its parts; see `RIGHT_HALF`."""

RIGHT_HALF = "lg:absolute lg:inset-y-0 lg:right-0 lg:w-[calc(50%-1rem)]"
"""CSS classes of the part that stands in the right half."""


COLUMNS = "lg:grid lg:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)] lg:items-start lg:justify-between lg:gap-12"
"""CSS classes of a form and the column beside it."""

COMPACT = "group-data-[compact]/beside"
"""Variant of CSS classes in a column that has little room for each card: it is marked with `data-compact`."""

BESIDE = "space-y-4"
"""CSS classes of the column beside a form. It scrolls with the page."""

FOLLOWS = "lg:sticky lg:bottom-12 lg:min-h-[calc(100dvh-8.5rem)] lg:self-end"
"""CSS classes of the column beside a form: it scrolls with the page until its end is in view, and then stays.

Nothing of it is cut, and no room beside a long form is empty. It is as high as the screen, which puts its cards on top.
"""

_MAIN = f"{WIDE} min-h-[calc(100lvh-4rem)] print:min-h-0 grow pb-16"
"""CSS classes of the main element. With the header of 4rem it fills the screen; the footer follows (decision 0105)."""


def page_frame(
    *children: Any,
    title: Text | None = None,
    lead: Text | None = None,
    back: rx.Component | None = None,
    above: rx.Component | None = None,
    narrow: bool = False,
    beside: rx.Component | None = None,
    class_name: str = "",
) -> rx.Component:
    """The main element of a page. The shell adds header and footer."""
    heading = [rx.el.h1(title, tab_index=-1)] if title is not None else []
    lead_line = [rx.el.p(lead, class_name="mt-3 max-w-form text-ink-600")] if lead is not None else []
    content = [*([above] if above is not None else []), *heading, *lead_line, *children]
    column = rx.el.div(*content, class_name="min-w-0 max-w-form") if narrow else rx.fragment(*content)
    if beside is not None:
        column = rx.el.div(
            column,
            rx.el.div(rx.el.div(beside, class_name=BESIDE), class_name=f"max-lg:mt-10 {FOLLOWS}"),
            class_name=COLUMNS,
        )
    return rx.fragment(
        *([back] if back is not None else []),
        rx.el.main(
            column,
            class_name=f"{_MAIN} {'pt-2' if back is not None else 'pt-10'} {class_name}".rstrip(),
            custom_attrs={"id": "main", "tabIndex": "-1"},
        ),
    )


def back_link(text: Text, to: rx.Var[str] | str) -> rx.Component:
    """The back link above the content."""
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


def document_title(*parts: Text, brand: Text, failed: rx.Var[bool] | None = None) -> rx.Var[str]:
    """The document title: "Bestellingen – Bovenbuis", with the prefix "Fout: " while the page shows errors."""
    title = rx.Var.create("").to(str)
    for part in parts:
        title = title + rx.Var.create(part).to(str) + " – "
    title = title + rx.Var.create(brand).to(str)
    return title if failed is None else rx.cond(failed, _("Error: ").to(str) + title, title).to(str)


# Pages of the build are Dutch, with the terms of the installation. For a visitor who chose English, or where the shop
# has other terms, the page stays hidden until its texts are right. A drawn page is right, and does not ask for the
# cookies, which takes a browser 10 ms on a slow machine.
# The style sheet shows it after a timeout, in case a script fails.
REVEAL = (
    r"(d=>!('drawn' in d.dataset)&&/(?:^|;\s*)(?:lang=en(?:;|$)|terms=\w)/.test(document.cookie)"
    "&&d.classList.add('lang-pending'))(document.documentElement)"
)

# A duplicated tab copies the session storage, including the token that identifies the first tab to the server. The
# flag `open` reveals the copy, and the tab drops the token. A reload removes the flag first, so the token stays.
# It stands below the page: the first look into the storage takes a browser 30 ms on a slow machine.
OWN_TAB = (
    "try{const s=sessionStorage,k=()=>s.setItem('open','1');s.getItem('open')&&s.removeItem('token');k();"
    "addEventListener('pagehide',()=>s.removeItem('open'));addEventListener('pageshow',k)}"
    # A browser that blocks cookies has no storage: what asks for it gets one that ends with the page.
    "catch{for(const n of['sessionStorage','localStorage']){const m=new Map;Object.defineProperty(window,n,{value:"
    "{getItem:k=>m.get(k)??null,setItem:(k,v)=>m.set(k,`${v}`),removeItem:k=>m.delete(k),clear:()=>m.clear()}})}}"
)

# The font is a fifth of the size of all scripts. The first page of a visitor has a fallback font with similar metrics,
# and loads the font after hydration (`LoadFont` in `page.js`): the login shows it then, later documents begin with it.
FONT_LOADED = "try{localStorage.font&&document.documentElement.classList.add('font-loaded')}catch{}"


_PARAMETER = re.compile(r"\[\w+\]")


def short_patterns_of(routes: Iterable[str]) -> str:
    """Regular expression, as text, that matches the paths of these routes."""
    parts = [route.partition("/") for route in routes]
    above = {first for first, _, last in parts if last} & {first for first, _, last in parts if not last}
    above -= {first for first, _, last in parts if _PARAMETER.search(last)}
    below = {re.sub("[0-9]+", "[0-9]+", last) for first, _, last in parts if last and first in above}
    others = [_PARAMETER.sub("[^/]+", "".join(part)) for part in parts if part[0] not in above]
    joined = [f"(?:{'|'.join(sorted(above))})(?:/(?:{'|'.join(sorted(below))}))?"] if above else []
    return f"/(?:{'|'.join([*others, *joined])})"


def patterns_of(routes: Iterable[str]) -> str:
    """A regular expression of JavaScript for the paths of routes, in which a parameter stands for one segment."""
    return "|".join("\\/" + _PARAMETER.sub("[^/]+", route).replace("/", "\\/") for route in routes)


def sample_path(route: str) -> str:
    """A path of a route: any value stands for a parameter."""
    return "/" + _PARAMETER.sub("0", route)


HEADER_COLORS = {"light": "#12231e", "dark": "#1a2f28"}
"""The colour of the header by theme, for the bar of the browser: the token `panel` of `assets/theme.css`."""


def head_components() -> list[rx.Component]:
    """Tags for `rx.App(head_components=…)`."""
    return [
        rx.el.script(REVEAL),
        rx.el.script(FONT_LOADED),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/icon-180.png"),
        rx.el.link(rel="manifest", href="/manifest.webmanifest"),
        *[
            rx.el.meta(name="theme-color", content=color, custom_attrs={"media": f"(prefers-color-scheme: {scheme})"})
            for scheme, color in HEADER_COLORS.items()
        ],
        # So the browser draws the empty page, scrollbars and fields in the theme of the visitor from the beginning.
        rx.el.meta(name="color-scheme", content="light dark"),
        rx.el.meta(name="robots", content="noindex"),
    ]
