"""Fields for passwords: one that can be shown, and the rules beside it while somebody types."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from portal.domain.passwords import PASSWORD_RULES
from portal.i18n import Text, _
from portal.ui.browser import module
from portal.ui.fields import described, labelled


class _PasswordInput(rx.Component):
    library = module("passwords")
    tag = "PasswordInput"

    name: rx.Var[str]
    auto_complete: rx.Var[str]
    label: rx.Var[str]
    show: rx.Var[str]
    hide: rx.Var[str]
    shown_text: rx.Var[str]
    hidden_text: rx.Var[str]


def password_field(
    name: str,
    label: Text,
    *,
    autocomplete: Literal["current-password", "new-password"],
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    after: rx.Component | None = None,
) -> rx.Component:
    """A password, with a button that shows what is typed.

    Args:
        name: Name and id of the control.
        label: What is asked.
        autocomplete: What the browser may fill in.
        hint: One short sentence without a full stop.
        error: What is wrong and how to put it right; empty when nothing is.
        after: Further help below the control.
    """
    control = _PasswordInput.create(
        name=name,
        auto_complete=autocomplete,
        label=label,
        show=_("Show"),
        hide=_("Hide"),
        shown_text=_("Your password is shown."),
        hidden_text=_("Your password is hidden."),
        class_name="field min-w-0 max-w-96",
        custom_attrs=described(name, hint, error, required=True),
    )
    return labelled(name, label, control, hint=hint, error=error, after=after)


class _PasswordRules(rx.Component):
    library = module("passwords")
    tag = "PasswordRules"

    field: rx.Var[str]
    rules: rx.Var[list[Any]]
    done: rx.Var[str]
    open: rx.Var[str]
    counted: rx.Var[str]
    label: rx.Var[str]


def password_rules(field: str) -> rx.Component:
    """What a password has to be, ticked off while it is typed.

    Args:
        field: Name of the field that is looked at.
    """
    return _PasswordRules.create(
        field=field,
        rules=rx.Var.create([[rule.value, _(text)] for rule, text in PASSWORD_RULES.items()]),
        done=_("done"),
        open=_("not yet"),
        # The numbers change with every keystroke: the browser fills them in.
        counted=_("{n} of {total} rules kept", n="{n}", total="{total}"),
        label=_("What your password has to be"),
        class_name="mt-3",
    )


class _EndOfAddress(rx.Component):
    library = module("passwords")
    tag = "EndOfAddress"

    name: rx.Var[str]


def end_of_address(name: str) -> rx.Component:
    """The end of the address of the page, sent with a form under this name."""
    return _EndOfAddress.create(name=name)
