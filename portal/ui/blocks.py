"""Buttons and links that look like buttons. Actions are pills of at least 44 pixels."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _
from portal.ui.browser import module

Style = Literal["primary", "secondary", "light", "text"]

_CLASSES: dict[Style, str] = {
    "primary": "btn btn-primary",
    "secondary": "btn btn-secondary",
    "light": "btn btn-light",
    "text": "btn-text",
}
LINK = "text-link underline"
"""Classes of a link inside a text: always underlined, colour alone is not enough."""


def button_class(style: Style = "primary", wide: bool = False) -> str:
    """The classes of a button.

    Args:
        style: How strong it speaks; one primary a screen.
        wide: Whether it takes the whole width of a small screen.
    """
    return f"{_CLASSES[style]} w-full md:w-auto" if wide else _CLASSES[style]


def action_button(text: Text, on_click: Any, style: Style = "secondary", **props: Any) -> rx.Component:
    """A button that does something on the page."""
    return rx.el.button(text, type="button", on_click=on_click, class_name=button_class(style), **props)


def link_button(text: Text, to: rx.Var[str] | str, style: Style = "primary", wide: bool = False) -> rx.Component:
    """A link to another page that looks like a button."""
    return rx.el.a(text, to=to, class_name=button_class(style, wide))


def text_link(text: Text, to: rx.Var[str] | str, class_name: str = LINK) -> rx.Component:
    """A link inside a text, to another page of the portal or to another site."""
    return rx.el.a(text, to=to, class_name=class_name)


def anchor(*children: Any, href: rx.Var[str] | str, **props: Any) -> rx.Component:
    """A link that the browser follows by itself: within the page (`#main`), `tel:`, `mailto:`, another site."""
    return rx.el.A.create(*children, href=href, **props)


class _Submit(rx.Component):
    library = module("forms")
    tag = "SubmitButton"

    pending_text: rx.Var[str]


def submit_button(
    text: Text | rx.Component, pending_text: Text | None = None, wide: bool = True, style: Style = "primary"
) -> rx.Component:
    """The button that sends a form. It is never disabled: it explains.

    Args:
        text: Verb and thing, as "Verstuur inlogcode".
        pending_text: What it says while the answer is awaited.
        wide: Whether it takes the whole width of a small screen.
        style: How strong it speaks.
    """
    return _Submit.create(
        text,
        pending_text=_("Sending…") if pending_text is None else pending_text,
        class_name=button_class(style, wide),
    )


class _Reload(rx.Component):
    library = module("page")
    tag = "ReloadButton"


def reload_button(text: Text | None = None, style: Style = "secondary") -> rx.Component:
    """A button that loads the page anew."""
    return _Reload.create(_("Please try again") if text is None else text, class_name=button_class(style))


class _Copy(rx.Component):
    library = module("page")
    tag = "CopyButton"

    value: rx.Var[str]
    copied_text: rx.Var[str]


def copy_button(value: rx.Var[str], text: Text | rx.Component) -> rx.Component:
    """A button that copies a value and says so.

    Args:
        value: What is copied.
        text: Names the value, as "Kopieer framenummer".
    """
    return _Copy.create(text, value=value, copied_text=_("Copied"), class_name="btn-text")
