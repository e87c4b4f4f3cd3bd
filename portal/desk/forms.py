"""Parts of forms on staff pages: why a form was refused, check boxes, typed choices, and the field of a day."""

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.desk.state import DeskForms
from portal.frontend.texts import field_message, message
from portal.i18n import Text
from portal.kernel.codes import Code
from portal.ui.browser import component

_TypedChoice = component(
    "desk", "TypedChoice", options=list[Any], first=list[dict[str, str]], name=str, value=str, on_choose=str
)


def typed_choice(
    options: Any,
    *,
    label: Text,
    value: rx.Var[str],
    on_choose: Any,
    first: Sequence[tuple[str, Text]] = (),
    class_name: str = "",
) -> rx.Component:
    return _TypedChoice.create(
        options=options,
        first=[{"value": option, "text": text} for option, text in first],
        value=value,
        on_choose=on_choose,
        class_name=class_name,
        custom_attrs={"aria-label": label},
    )


def typed_field(
    name: str, label: Text, options: Any, *, hint: Text | None = None, error: rx.Var[str] | None = None
) -> rx.Component:
    """A field of a form for a choice from a long list; its value is empty while the text names no option."""
    control = _TypedChoice.create(
        options=options,
        first=[],
        name=name,
        value="",
        class_name="field w-full",
        custom_attrs=ui.described(name, hint, error, required=True),
    )
    return ui.labelled(name, label, control, hint=hint, error=error)


def refused(page: type[DeskForms], form: str = "") -> rx.Component:
    return ui.notice_on_failure((page.refused == form) & (page.refusal != ""), message(page.refusal), page.attempt)


def desk_form(
    page: type[DeskForms],
    *fields: rx.Component,
    on_send: Any,
    send: Text,
    name: str = "",
    key: rx.Var[str] | None = None,
    style: ui.Style = "primary",
    class_name: str = "space-y-4",
) -> rx.Component:
    return ui.event_form(
        *fields,
        refused(page, name),
        ui.submit_button(send, wide=False, style=style),
        on_send=on_send,
        answered=page.answered,
        class_name=class_name,
        **({} if key is None else {"key": key}),
    )


def field_errors(
    page: type[DeskForms], labels: Mapping[str, Text], *codes: Code, own: Mapping[str, Mapping[str, Text]] | None = None
) -> dict[str, rx.Var[str]]:
    """The error of each field by its name; `own` are texts of single fields, by code."""
    own = own or {}
    return {
        name: field_message(page.errors.get(name, "").to(str), label, *codes, **own.get(name, {}))
        for name, label in labels.items()
    }


def check_box(
    name: Any, text: Any, *, checked: Any = False, below: Any = None, error: rx.Var[str] | None = None, **props: Any
) -> rx.Component:
    second = [] if below is None else [rx.el.span(below, class_name="desk-sub")]
    attributes: dict[str, Any] = {"type": "checkbox", "name": name, "value": "yes", "default_checked": checked}
    if error is not None:
        attributes["custom_attrs"] = ui.described(name, None, error, required=False)
    box = rx.el.input(**(attributes | props), class_name="mt-0.5 size-5 shrink-0 accent-ink")
    label = rx.el.label(
        box, rx.el.span(text, *second), class_name="flex min-h-9 w-fit items-start gap-3 py-1.5 pointer-coarse:py-2.5"
    )
    return label if error is None else rx.el.div(*ui.error_line(name, error), label)


def box_group(
    name: str,
    label: Text,
    *boxes: Any,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    columns: str = "sm:grid-cols-2",
) -> rx.Component:
    said = [] if hint is None else [ui.text(hint, look="text-ink-500")]
    return rx.el.fieldset(
        rx.el.legend(label, class_name="font-semibold"),
        *said,
        *ui.error_line(name, error),
        rx.el.div(*boxes, class_name=f"mt-1 grid gap-x-6 {columns}"),
        custom_attrs={"id": name, "tabIndex": "-1"},
    )


def day_field(
    name: str, label: Text, *, error: rx.Var[str] | None = None, value: Any = "", optional: bool = False
) -> rx.Component:
    return ui.text_field(name, label, error=error, value=value, kind="date", width="max-w-60", optional=optional)
