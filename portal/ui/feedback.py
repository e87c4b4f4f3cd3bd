"""Feedback: badges, notices, empty states, errors and loading placeholders."""

from collections.abc import Sequence
from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _
from portal.ui import illustrations
from portal.ui.blocks import Style, button_class, reload_button
from portal.ui.browser import component
from portal.ui.layout import Shown, classes, when

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


def badge(text: Text, tone: Tone | rx.Var[str] = "neutral", shown: Shown = None) -> rx.Component:
    """A status as text. The colour only repeats what the text says."""
    if isinstance(tone, rx.Var):
        return when(shown, rx.el.span(text, class_name=rx.match(tone, *_BADGES.items(), _BADGES["neutral"])))
    return when(shown, rx.el.span(text, class_name=_BADGES[tone]))


def notice(
    *children: Any,
    title: Text | None = None,
    tone: Tone = "info",
    announced: bool = False,
    top: int = 0,
    shown: Shown = None,
) -> rx.Component:
    """A highlighted message within the content."""
    heading = [rx.el.p(title, class_name="font-semibold")] if title is not None else []
    role: dict[str, Any] = {"role": "alert" if tone == "err" else "status"} if announced else {}
    body = [rx.el.p(child) if isinstance(child, (str, rx.Var)) else child for child in children]
    return when(shown, rx.el.div(*heading, *body, **classes(_NOTICES[tone], top=top), custom_attrs=role))


def empty_state(
    title: Text, text: Text | None = None, action: rx.Component | None = None, picture: rx.Component | None = None
) -> rx.Component:
    """Placeholder for an empty list: what belongs here, and one action."""
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
    """An error for content that could not be loaded, with a button to retry."""
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
    """A grey bar in the size of the content that is loading."""
    return rx.el.div(class_name=f"skeleton {class_name}", aria_hidden="true")


def loading_block(*shapes: rx.Component, class_name: str = "mt-8") -> rx.Component:
    """A placeholder for what is loading. It appears after 400 ms, so that short waits show nothing."""
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        *shapes,
        class_name=f"{class_name} appear",
        aria_busy="true",
    )


def skeleton_cards(count: int = 3, height: str = "h-28", columns: str = "") -> rx.Component:
    """Placeholders for cards that are loading."""
    cards = [skeleton(f"{height} w-full rounded-card") for _i in range(count)]
    return loading_block(*cards, class_name=f"mt-6 grid gap-4 {columns}".strip())


def loaded(ready: rx.Var[bool], content: rx.Component, loading: rx.Component | None = None) -> rx.Component:
    """The content when it is ready, and a skeleton until then."""
    return rx.cond(ready, content, skeleton_cards() if loading is None else loading)


_Popup = component("dialog", "Popup", text=str, title=str, close_label=str)


def popup(text: Text, title: Text, *children: Any) -> rx.Component:
    """A text button that opens a dialog with an explanation."""
    return _Popup.create(
        rx.el.div(*children, class_name="mt-4 space-y-4"),
        text=text,
        title=title,
        close_label=_("Close"),
        class_name="btn-text",
    )


_Confirm = component("dialog", "Confirm", text=str, title=str, safe=str, act=str, on_confirm=None)


def confirm_button(
    text: Text, title: Text, explanation: Text, act: Text, safe: Text, on_confirm: Any, style: Style = "secondary"
) -> rx.Component:
    """A button that asks for confirmation before a final action. The safe answer has the initial focus."""
    return _Confirm.create(
        rx.el.p(explanation),
        text=text,
        title=title,
        act=act,
        safe=safe,
        on_confirm=on_confirm,
        class_name=button_class(style),
    )


_Toaster = component("toasts", "Toaster", items=list[dict[str, Any]], close_label=str, on_dismiss=int)


def toaster(items: rx.Var[Sequence[dict[str, Any]]], on_dismiss: Any) -> rx.Component:
    """The area in which notifications appear; the shell holds the only one."""
    return _Toaster.create(items=items, on_dismiss=on_dismiss, close_label=_("Close notification"))
