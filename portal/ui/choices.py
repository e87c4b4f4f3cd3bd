"""Selectable cards: native radio buttons or checkboxes with the whole card as their label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from portal.i18n import Text
from portal.ui.browser import module
from portal.ui.fields import error_line

Kind = Literal["radio", "checkbox"]


@dataclass(frozen=True, slots=True)
class Option:
    """One card.

    Attributes:
        value: Value that the form sends.
        title: Name of the choice.
        note: Short detail or consequence below the name.
    """

    value: rx.Var[str] | str
    title: Text | rx.Component
    note: Text | rx.Component | None = None


def option_card(
    name: str, option: Option, *, kind: Kind = "radio", checked: rx.Var[bool] | bool = False, **props: Any
) -> rx.Component:
    """One card, for options that come from the server (`rx.foreach`)."""
    note = [rx.el.span(option.note, class_name="block text-ink-600")] if option.note is not None else []
    return rx.el.label(
        rx.el.input(
            type=kind,
            name=name,
            value=option.value,
            default_checked=checked,
            class_name="size-6 shrink-0 accent-ink",
            **props,
        ),
        rx.el.span(rx.el.span(option.title, class_name="block font-semibold"), *note),
        class_name="choice",
    )


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
    described_by = [*([f"{name}-hint"] if hint is not None else [])]
    attributes: dict[str, Any] = {}
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
        *([rx.el.p(hint, custom_attrs={"id": f"{name}-hint"}, class_name="text-ink-500")] if hint is not None else []),
        *error_line(name, error),
        rx.el.div(cards, class_name=f"mt-3 grid gap-3 {columns}"),
        custom_attrs=attributes,
    )


def _is(value: rx.Var[str] | str, option: rx.Var[str] | str) -> rx.Var[bool] | bool:
    return value == option
