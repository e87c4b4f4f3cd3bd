"""What stands in the head of every document."""

from __future__ import annotations

import re
from collections.abc import Iterable

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

# The font is as large as a fifth of all scripts. Until it has come once, a fallback with the same measures stands in,
# and it is loaded after the page has come alive (`Letters` in `page.js`).
LETTERED = "try{localStorage.font&&document.documentElement.classList.add('lettered')}catch{}"


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
        rx.el.script(LETTERED),
        rx.el.script(ask_first(with_first_data)),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.meta(name="theme-color", content="#12231e"),
        rx.el.meta(name="color-scheme", content="light"),
        rx.el.meta(name="robots", content="noindex"),
    ]
