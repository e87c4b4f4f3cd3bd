"""What a page says about itself: notices, badges, nothing there yet, still loading, went wrong."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _
from portal.ui import illustrations
from portal.ui.blocks import reload_button

Tone = Literal["ok", "warn", "err", "info", "neutral"]

_BADGES: dict[Tone, str] = {
    "ok": "badge bg-ok-bg text-ok",
    "warn": "badge bg-warn-bg text-warn",
    "err": "badge bg-err-bg text-err",
    "info": "badge bg-info-bg text-info",
    "neutral": "badge bg-paper-2 text-ink-700",
}

_NOTICES: dict[Tone, str] = {
    "ok": "notice border-ok-line bg-ok-bg",
    "warn": "notice border-warn-line bg-warn-bg",
    "err": "notice border-err-line bg-err-bg",
    "info": "notice border-info-line bg-info-bg",
    "neutral": "notice border-line-strong bg-paper-2",
}


def badge(text: Text, tone: Tone | rx.Var[str] = "neutral") -> rx.Component:
    """A status in words. Its colour only repeats what the words say.

    Args:
        text: An adjective or participle.
        tone: Which colours; a Var of these names when only the server knows.
    """
    if isinstance(tone, rx.Var):
        return rx.el.span(text, class_name=rx.match(tone, *_BADGES.items(), _BADGES["neutral"]))
    return rx.el.span(text, class_name=_BADGES[tone])


def notice(*children: Any, title: Text | None = None, tone: Tone = "info", announced: bool = False) -> rx.Component:
    """A block that tells something beside the content.

    Args:
        *children: Texts and components below the title.
        title: What it is about.
        tone: Which colours.
        announced: Whether it appears after something the visitor did, and is read aloud (errors at once).
    """
    heading = [rx.el.p(title, class_name="font-semibold")] if title is not None else []
    role = {"role": "alert" if tone == "err" else "status"} if announced else {}
    body = [rx.el.p(child) if isinstance(child, (str, rx.Var)) else child for child in children]
    return rx.el.div(*heading, *body, class_name=_NOTICES[tone], custom_attrs=role)


def empty_state(
    title: Text, text: Text | None = None, action: rx.Component | None = None, picture: rx.Component | None = None
) -> rx.Component:
    """Nothing there yet: what this is, and one thing to do."""
    return rx.el.div(
        rx.el.div(
            picture if picture is not None else illustrations.empty_track(), class_name="mx-auto w-48 text-ink-500"
        ),
        rx.el.p(title, class_name="mt-4 text-lg font-semibold"),
        *([rx.el.p(text, class_name="mt-1 text-ink-600")] if text is not None else []),
        *([rx.el.div(action, class_name="mt-6 flex justify-center")] if action is not None else []),
        class_name="card mt-6 text-center",
    )


def error_block(text: Text, on_retry: Any | None = None, more: rx.Component | None = None) -> rx.Component:
    """Something could not be loaded: what, and the way to try again.

    Args:
        text: What could not be loaded.
        on_retry: Event that tries again; without it the page is loaded anew.
        more: Further help below the button.
    """
    again = (
        reload_button()
        if on_retry is None
        else rx.el.button(
            _("Please try again"),
            type="button",
            on_click=on_retry,
            class_name="btn btn-secondary",
            custom_attrs={"data-retry": ""},
        )
    )
    return rx.el.div(
        rx.el.div(illustrations.broken_chain(), class_name="w-40 text-ink-500"),
        rx.el.p(text, class_name="mt-4 text-lg font-semibold"),
        rx.el.div(again, class_name="mt-4"),
        *([more] if more is not None else []),
        class_name="card mt-6",
        role="alert",
    )


def skeleton(class_name: str = "h-6 w-full") -> rx.Component:
    """A grey bar in the size of what is awaited."""
    return rx.el.div(class_name=f"skeleton {class_name}", aria_hidden="true")


def skeleton_cards(count: int = 3, height: str = "h-28", columns: str = "") -> rx.Component:
    """Cards of which the content is awaited; after 400 ms, as a shorter wait needs no sign.

    Args:
        count: How many.
        height: Class for the height of each, that of the real card.
        columns: Classes of the grid.
    """
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        *[skeleton(f"{height} w-full rounded-card") for _i in range(count)],
        class_name=f"mt-6 grid gap-4 appear {columns}".strip(),
        aria_busy="true",
    )


def loaded(ready: rx.Var[bool], content: rx.Component, loading: rx.Component | None = None) -> rx.Component:
    """The content once it is there, a skeleton of it until then."""
    return rx.cond(ready, content, skeleton_cards() if loading is None else loading)
