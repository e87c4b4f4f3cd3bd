"""Overlays: explanations, confirmation dialogs and notifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import reflex as rx

from portal.i18n import Text, _
from portal.ui.blocks import Style, button_class
from portal.ui.browser import module


def _no_value() -> tuple[()]:
    return ()


def _identity(value: rx.Var[int]) -> tuple[rx.Var[int]]:
    return (value,)


class _Popup(rx.Component):
    library = module("dialog")
    tag = "Popup"

    text: rx.Var[str]
    title: rx.Var[str]
    close_label: rx.Var[str]


def popup(text: Text, title: Text, *children: Any) -> rx.Component:
    """A text button that opens a dialog with an explanation."""
    return _Popup.create(
        rx.el.div(*children, class_name="mt-4 space-y-4"),
        text=text,
        title=title,
        close_label=_("Close"),
        class_name="btn-text",
    )


class _Confirm(rx.Component):
    library = module("dialog")
    tag = "Confirm"

    text: rx.Var[str]
    title: rx.Var[str]
    safe: rx.Var[str]
    act: rx.Var[str]
    on_confirm: Annotated[rx.EventHandler, _no_value]


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


class _Toaster(rx.Component):
    library = module("toasts")
    tag = "Toaster"

    items: rx.Var[list[dict[str, Any]]]
    close_label: rx.Var[str]
    on_dismiss: Annotated[rx.EventHandler, _identity]


def toaster(items: rx.Var[Sequence[dict[str, Any]]], on_dismiss: Any) -> rx.Component:
    """The area in which notifications appear; the shell holds the only one."""
    return _Toaster.create(items=items, on_dismiss=on_dismiss, close_label=_("Close notification"))
