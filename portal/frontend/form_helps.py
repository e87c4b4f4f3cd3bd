"""Form components that run in the browser: the warning about unsaved input, the countdown, the focus."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.i18n import _, ngettext
from portal.ui.browser import module
from portal.ui.forms import focus_box

__all__ = ["focus_box", "unsaved_guard", "wait_note"]


class _UnsavedGuard(rx.Component):
    library = module("account")
    tag = "UnsavedGuard"

    title: rx.Var[str]
    text: rx.Var[str]
    stay: rx.Var[str]
    leave: rx.Var[str]


def unsaved_guard() -> rx.Component:
    """Warns before unsaved input of the surrounding form is lost (flow-standard F39)."""
    return _UnsavedGuard.create(
        title=_("Leave without saving?"),
        text=_("You have changes that haven’t been saved."),
        stay=_("Stay here"),
        leave=_("Leave anyway"),
    )


class _Wait(rx.Component):
    library = module("account")
    tag = "Wait"

    until: rx.Var[str]
    forms: rx.Var[list[str]]


def _code_in(seconds: rx.Var[int] | int) -> rx.Var[str]:
    return ngettext("You can ask for a new code in {n} second.", "You can ask for a new code in {n} seconds.", seconds)


def wait_note(until: rx.Var[str], texts: Sequence[rx.Var[str]] | None = None) -> rx.Component:
    """A countdown in seconds; nothing once the moment has passed."""
    # The browser inserts the number, because it changes every second.
    forms = texts or [_code_in(1), _code_in(rx.Var.create("{n}").to(int))]
    return _Wait.create(until=until, forms=rx.Var.create(list(forms)), class_name="mt-2 text-ink-600 tabular-nums")
