"""Fields: label, hint, error and control. Inputs are uncontrolled: the browser keeps what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _
from portal.ui.browser import module
from portal.ui.layout import grow, line, radio_card


def _label(name: str, label: Text, optional: bool) -> rx.Component:
    mark = [rx.el.span(" ", _("(optional)"), class_name="font-normal text-ink-500")] if optional else []
    return rx.el.label(label, *mark, html_for=name, class_name="font-semibold block")


def _hint(name: str, hint: Text | None) -> list[rx.Component]:
    if hint is None:
        return []
    return [rx.el.p(hint, custom_attrs={"id": f"{name}-hint"}, class_name="text-ink-500")]


def error_line(name: str | rx.Var[str], error: rx.Var[str] | None) -> list[rx.Component]:
    """The error of a control, shown between hint and control; nothing while the value is valid."""
    if error is None:
        return []
    line = rx.el.p(
        rx.el.span(_("Error: "), class_name="sr-only"),
        error,
        custom_attrs={"id": f"{name}-error"},
        class_name="my-1 text-err font-semibold",
    )
    return [rx.cond(error != "", line)]


def described(name: str, hint: Text | None, error: rx.Var[str] | None, *, required: bool) -> dict[str, object]:
    """Attributes that link a control to its hint and error for screen readers."""
    attributes: dict[str, object] = {"id": name}
    if required:
        attributes["aria-required"] = "true"
    hint_id = f"{name}-hint" if hint is not None else ""
    if error is None:
        if hint_id:
            attributes["aria-describedby"] = hint_id
        return attributes
    both = f"{hint_id} {name}-error".strip()
    attributes["aria-invalid"] = rx.cond(error != "", "true", "false")
    attributes["aria-describedby"] = rx.cond(error != "", both, hint_id)
    return attributes


def labelled(
    name: str,
    label: Text,
    control: rx.Component,
    *,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    optional: bool = False,
    after: rx.Component | None = None,
) -> rx.Component:
    """A control with its label, hint and error."""
    return rx.el.div(
        _label(name, label, optional),
        *_hint(name, hint),
        *error_line(name, error),
        rx.el.div(control, class_name="mt-2"),
        *([rx.el.div(after, class_name="mt-1")] if after is not None else []),
    )


def text_field(
    name: str,
    label: Text,
    *,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    value: rx.Var[str] | str = "",
    kind: Literal["text", "email", "tel", "date"] = "text",
    autocomplete: str = "off",
    input_mode: Text | None = None,
    optional: bool = False,
    width: str = "",
    suffix: Text | None = None,
    after: rx.Component | None = None,
    **props: Any,
) -> rx.Component:
    """A single-line text field."""
    control = rx.el.input(
        type=kind,
        name=name,
        default_value=value,
        auto_complete=autocomplete,
        class_name=f"field {width}".strip(),
        custom_attrs={
            **described(name, hint, error, required=not optional),
            "spellCheck": False,
            **({"inputMode": input_mode} if input_mode is not None else {}),
        },
        **props,
    )
    row = control if suffix is None else rx.el.div(control, rx.el.span(suffix), class_name="flex items-center gap-3")
    return labelled(name, label, row, hint=hint, error=error, optional=optional, after=after)


def select_field(
    name: str,
    label: Text,
    options: Sequence[tuple[str, Text]],
    *,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    value: rx.Var[str] | str = "",
    autocomplete: str = "off",
    optional: bool = False,
    width: str = "",
    placeholder: Text | None = None,
    further: rx.Component | None = None,
    **props: Any,
) -> rx.Component:
    """A select element."""
    empty = [rx.el.option(placeholder, value="")] if placeholder is not None else []
    control = rx.el.select(
        *empty,
        *[rx.el.option(text, value=option) for option, text in options],
        *([further] if further is not None else []),
        name=name,
        default_value=value,
        auto_complete=autocomplete,
        class_name=f"field select {width}".strip(),
        custom_attrs=described(name, hint, error, required=not optional),
        **props,
    )
    return labelled(name, label, control, hint=hint, error=error, optional=optional)


def code_field(label: Text, *, look: str = "h-14 max-w-60 text-h3", **options: Any) -> rx.Component:
    """The field for a code that was sent."""
    return text_field(
        "code",
        label,
        autocomplete="one-time-code",
        input_mode="numeric",
        width=f"{look} tracking-[0.3em] tabular-nums",
        **options,
    )


class _CharacterCount(rx.Component):
    library = module("forms")
    tag = "CharacterCount"

    field: rx.Var[str]
    optional: rx.Var[bool]
    minimum: rx.Var[int]
    maximum: rx.Var[int]
    missing: rx.Var[list[str]]
    left: rx.Var[list[str]]
    over: rx.Var[list[str]]


def text_area(
    name: str,
    label: Text,
    *,
    minimum: int,
    maximum: int,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    value: rx.Var[str] | str = "",
    rows: int = 6,
    optional: bool | None = False,
    **props: Any,
) -> rx.Component:
    """A multi-line text field that counts the characters missing, left or in excess.

    `name`: Name and id of the control.
    `minimum`: Fewest characters: grapheme clusters, after trimming.
    `maximum`: Most characters. More can be typed; the counter then shows the excess.
    `hint`: One short sentence without a full stop.
    `error`: What is wrong and how to correct it; empty when valid.
    `optional`: Whether it may stay empty; the label says so. `None` if other answers decide; the hint then says so.
    """
    return rx.el.div(
        _label(name, label, optional is True),
        *_hint(name, hint),
        *error_line(name, error),
        rx.el.textarea(
            name=name,
            default_value=value,
            rows=str(rows),
            class_name="field mt-2 py-3",
            custom_attrs=described(name, hint, error, required=optional is False),
            **props,
        ),
        _CharacterCount.create(
            field=name,
            optional=optional is not False,
            minimum=minimum,
            maximum=maximum,
            missing=_pair(_("{n} more character needed"), _("{n} more characters needed")),
            left=_pair(_("{n} character left"), _("{n} characters left")),
            over=_pair(_("{n} character too many"), _("{n} characters too many")),
            class_name="mt-1 text-ink-500",
        ),
    )


class _Suggestion(rx.Component):
    library = module("forms")
    tag = "Suggestion"

    field: rx.Var[str]
    text: rx.Var[str]
    choice: rx.Var[list[str]]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A sentence with which a text can begin.

    `name`: What the button says; by default the sentence.
    `choice`: Name and value of a choice that comes with it.
    """

    field: str
    text: rx.Var[str]
    name: rx.Var[str] | None = None
    choice: tuple[str, str] | None = None
    shown: rx.Var[bool] | None = None


def suggestions(offered: Sequence[Suggestion]) -> rx.Component:
    """Buttons that begin a text, which the customer then completes. They need scripts, and stand in the form."""
    buttons = [_button(one) for one in offered]
    label = _("Often it’s one of these. Choose it and add details.")
    return rx.el.div(
        rx.el.p(label, class_name="text-ink-600"),
        rx.el.div(*buttons, role="group", aria_label=label, class_name="mt-2 flex flex-wrap gap-2"),
        class_name="scripted",
    )


def _button(one: Suggestion) -> rx.Component:
    button = _Suggestion.create(
        one.text if one.name is None else one.name,
        field=one.field,
        text=one.text,
        class_name="chip py-2 text-left",
        **({"choice": list(one.choice)} if one.choice else {}),
    )
    return button if one.shown is None else rx.cond(one.shown, button)


def _pair(one: rx.Var[str], other: rx.Var[str]) -> rx.Var[list[str]]:
    # The browser fills in {n}, because it changes with every keystroke.
    return rx.Var.create([one, other]).to(list[str])


Kind = Literal["radio", "checkbox"]


@dataclass(frozen=True, slots=True)
class Option:
    """One card.

    `value`: Value that the form sends.
    `title`: Name of the choice.
    `note`: Short detail or consequence below the name.
    `price`: What it costs, at the end of the card.
    """

    value: rx.Var[str] | str
    title: Text | rx.Component
    note: Text | rx.Component | None = None
    price: Text | rx.Component | None = None


def option_card(name: str, option: Option, **props: Any) -> rx.Component:
    """One card, for options that come from the server (`rx.foreach`)."""
    lines = [line(option.title, look="font-semibold")]
    if option.note is not None:
        lines.append(line(option.note, look="text-ink-600"))
    if option.price is None:
        return radio_card(name, option.value, rx.el.span(*lines), **props)
    price = rx.el.span(option.price, class_name="shrink-0 font-semibold tabular-nums empty:hidden")
    return radio_card(name, option.value, grow(*lines), price, **props)


class _WhileChosen(rx.Component):
    library = module("forms")
    tag = "WhileChosen"

    control: rx.Var[str]
    first: rx.Var[bool]


def while_chosen(
    *children: rx.Component, control: rx.Var[str] | str, first: rx.Var[bool], class_name: str
) -> rx.Component:
    """What a chosen card asks further, where every card asks the same: only the chosen one has the fields."""
    return _WhileChosen.create(*children, control=control, first=first, class_name=class_name)


def choice_cards(
    name: str,
    legend: Text,
    options: Sequence[Option] | rx.Component,
    *,
    kind: Kind = "radio",
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    value: rx.Var[str] | str = "",
    columns: str = "sm:grid-cols-2",
    legend_is_heading: bool = False,
    **props: Any,
) -> rx.Component:
    """A group of cards from which the customer chooses one (`radio`) or several (`checkbox`)."""
    described_by = [] if hint is None else [f"{name}-hint"]
    attributes: dict[str, object] = {}
    if error is not None:
        both = " ".join([*described_by, f"{name}-error"])
        attributes["aria-describedby"] = rx.cond(error != "", both, " ".join(described_by))
    elif described_by:
        attributes["aria-describedby"] = described_by[0]
    cards = (
        options
        if isinstance(options, rx.Component)
        else rx.fragment(*[option_card(name, o, kind=kind, checked=_is(value, o.value), **props) for o in options])
    )
    question = rx.el.h1(legend, tab_index=-1) if legend_is_heading else legend
    return rx.el.fieldset(
        rx.el.legend(question, class_name="font-semibold mb-1"),
        *_hint(name, hint),
        *error_line(name, error),
        rx.el.div(cards, class_name=f"mt-3 grid gap-3 {columns}"),
        custom_attrs=attributes,
    )


def _is(value: rx.Var[str] | str, option: rx.Var[str] | str) -> rx.Var[bool] | bool:
    return value == option
