"""Forms, error summaries and password fields."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _, ngettext
from portal.kernel.validation import PASSWORD_RULES
from portal.ui.browser import component
from portal.ui.fields import described, labelled


def _one_value(value: rx.Var[dict[str, Any]]) -> tuple[rx.Var[dict[str, Any]]]:
    return (value,)


class _PostedForm(rx.el.Div):
    # The form element of the framework is sent by scripts only.
    tag = "form"


def posted_form(*children: Any, action: str, class_name: str = "", **props: Any) -> rx.Component:
    """A form that the browser posts by itself, as a file needs it."""
    attributes: dict[str, Any] = {"action": action, "method": "post"}
    attributes |= {"encType": "multipart/form-data", "noValidate": True}
    return _PostedForm.create(*children, class_name=class_name, custom_attrs=attributes, **props)


_EventForm = component("forms", "EventForm", answered=int, on_send=dict[str, str | list[str]])


def event_form(
    *children: Any, on_send: Any, answered: rx.Var[int], class_name: str = "mt-8 space-y-6", **props: Any
) -> rx.Component:
    """A form that sends its values to an event handler.

    `on_send`: Event handler that gets the values by field name; several values with one name are a list.
    `answered`: Counter that the handler increments when it is done; until then the form cannot be sent again.
    """
    return _EventForm.create(*children, on_send=on_send, answered=answered, class_name=class_name, **props)


_FocusBox = component("forms", "FocusBox", attempt=int)


def focus_box(*children: Any, attempt: rx.Var[int] | int, **props: Any) -> rx.Component:
    """Takes the focus when it appears and when `attempt` increases."""
    return _FocusBox.create(*children, attempt=attempt, **props)


_ErrorLink = component("forms", "ErrorLink", field=str)


def error_summary(errors: Mapping[str, rx.Var[str]], attempt: rx.Var[int]) -> rx.Component:
    """A list of all errors of a form, above its heading. It takes the focus after each failed attempt."""
    any_error = rx.Var.create(False)
    for text in errors.values():
        any_error = any_error | (text != "")
    rows = [
        rx.cond(
            text != "",
            rx.el.li(
                _ErrorLink.create(
                    text, field=name, class_name="inline-block py-0.5 align-top text-err underline font-semibold"
                )
            ),
        )
        for name, text in errors.items()
    ]
    return rx.cond(
        any_error,
        focus_box(
            rx.el.div(
                rx.el.h2(
                    _("Not all fields are filled correctly"), custom_attrs={"id": "error-summary"}, class_name="text-h3"
                ),
                rx.el.ul(*rows, class_name="mt-2 list-disc pl-5 space-y-1"),
                role="alert",
            ),
            attempt=attempt,
            class_name="mt-4 mb-6 max-w-form rounded-control border-4 border-err-line bg-white p-5",
            custom_attrs={"role": "group", "aria-labelledby": "error-summary"},
        ),
    )


def notice_on_failure(
    failed: rx.Var[bool], text: rx.Var[str] | rx.Component, attempt: rx.Var[int], *further: rx.Component
) -> rx.Component:
    """An error of the whole form (wrong credentials, network). It takes the focus after each failed attempt."""
    return rx.cond(failed, failure_box(text, attempt, *further))


def failure_box(text: Text | rx.Component, attempt: rx.Var[int], *further: rx.Component) -> rx.Component:
    """The box of an error; `further` says what the customer can do."""
    return focus_box(
        rx.el.div(rx.el.p(text, class_name="font-semibold"), role="alert"),
        *further,
        attempt=attempt,
        class_name="mt-6 max-w-form rounded-control border-4 border-err-line bg-err-bg p-5 text-ink",
    )


def hidden_field(name: str, value: rx.Var[str] | str) -> rx.Component:
    """A hidden input."""
    return rx.el.input(type="hidden", name=name, value=value, read_only=True)


_PasswordInput = component(
    "passwords",
    "PasswordInput",
    name=str,
    auto_complete=str,
    label=str,
    show=str,
    hide=str,
    shown_text=str,
    hidden_text=str,
)


def password_field(
    name: str,
    label: Text,
    *,
    autocomplete: Literal["current-password", "new-password"],
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    after: rx.Component | None = None,
) -> rx.Component:
    """A password field with a button that shows the password."""
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


_PasswordRules = component(
    "passwords", "PasswordRules", field=str, rules=list[Any], done=str, open=str, counted=str, label=str
)


def password_rules(field: str) -> rx.Component:
    """The password rules, checked off while the customer types."""
    return _PasswordRules.create(
        field=field,
        rules=rx.Var.create([[rule.value, _(text)] for rule, text in PASSWORD_RULES.items()]),
        done=_("done"),
        open=_("not yet"),
        # The browser fills in the numbers, because they change with every keystroke.
        counted=_("{n} of {total} rules met", n="{n}", total="{total}"),
        label=_("Rules for your password"),
        class_name="mt-3",
    )


_EndOfAddress = component("passwords", "EndOfAddress", name=str)


def end_of_address(name: str) -> rx.Component:
    """A hidden input with the last segment of the page's URL."""
    return _EndOfAddress.create(name=name)


_UnsavedGuard = component("account", "UnsavedGuard", title=str, text=str, stay=str, leave=str)


def unsaved_guard() -> rx.Component:
    """Warns before unsaved input of the surrounding form is lost (flow-standard F39)."""
    return _UnsavedGuard.create(
        title=_("Leave without saving?"),
        text=_("You have changes that haven’t been saved."),
        stay=_("Stay here"),
        leave=_("Leave anyway"),
    )


_Wait = component("account", "Wait", until=str, forms=list[str])


def _code_in(seconds: rx.Var[int] | int) -> rx.Var[str]:
    return ngettext("You can ask for a new code in {n} second.", "You can ask for a new code in {n} seconds.", seconds)


def wait_note(until: rx.Var[str], texts: Sequence[rx.Var[str]] | None = None) -> rx.Component:
    """A countdown in seconds; nothing once the moment has passed."""
    # The browser inserts the number, because it changes every second.
    forms = texts or [_code_in(1), _code_in(rx.Var.create("{n}").to(int))]
    return _Wait.create(until=until, forms=rx.Var.create(list(forms)), class_name="mt-2 text-ink-600 tabular-nums")
