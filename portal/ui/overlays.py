"""What lies over a page: explanations, questions before something final, notifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    """A text button that opens an explanation.

    Args:
        text: Text of the button, as "Waar vind ik mijn bestelnummer?".
        title: Heading of the explanation.
        *children: The explanation.
    """
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
    on_confirm: rx.EventHandler[_no_value]


def confirm_button(
    text: Text, title: Text, explanation: Text, act: Text, safe: Text, on_confirm: Any, style: Style = "secondary"
) -> rx.Component:
    """A button that asks before it does something final. The focus starts on the safe answer.

    Args:
        text: Text of the button.
        title: The question.
        explanation: What will happen.
        act: Text of the answer that does it.
        safe: Text of the answer that does not.
        on_confirm: Event of doing it.
        style: How strong the button speaks.
    """
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
    on_dismiss: rx.EventHandler[_identity]


def toaster(items: rx.Var[Sequence[dict[str, Any]]], on_dismiss: Any) -> rx.Component:
    """The corner in which notifications appear; once in the shell.

    Args:
        items: What the server lists: id, kind, title and text in both languages, timeout in milliseconds (-1 is never).
        on_dismiss: Event with the id of a notification that left or found no place.
    """
    return _Toaster.create(items=items, on_dismiss=on_dismiss, close_label=_("Close notification"))
