"""What an insurance or a package holds: in words, with a mark that repeats them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice
from portal.vocabulary.insurance import COVER_TEXTS

_TEXTS = {cover.value: text for cover, text in COVER_TEXTS.items()}
_YES, _NO = "m5 12.5 4.5 4.5L19 7.5", "M7 7l10 10M17 7L7 17"


def covered(title: Text, covers: Any) -> rx.Component:
    """What is covered.

    Args:
        title: what the list is.
        covers: list of values of `Cover`.
    """
    return _list(title, rx.foreach(covers, lambda cover: included(choice(cover, _TEXTS))))


def not_covered(title: Text, covers: Any) -> rx.Component:
    """What is not covered; nothing when everything is."""
    rows = rx.foreach(covers, lambda cover: _row(choice(cover, _TEXTS), yes=False))
    return rx.cond(covers.length() > 0, _list(title, rows))


def included(text: Text, *, inline: bool = False) -> rx.Component:
    """A row of what is in it.

    Args:
        text: in words.
        inline: whether it stands inside a label, where a list may not.
    """
    return rx.el.span(*_marked(text, yes=True), class_name="flex gap-2") if inline else _row(text, yes=True)


def mark_list(rows: Sequence[tuple[bool, Text]]) -> rx.Component:
    """Rows inside a label, where a list may not stand: whether it holds it, and in words what."""
    return rx.el.span(
        *[rx.el.span(*_marked(text, yes=yes), class_name="flex gap-2") for yes, text in rows],
        class_name="mt-3 block space-y-1.5",
    )


def per_month() -> rx.Var[str]:
    """Behind a price."""
    return _("a month")


def _list(title: Text, rows: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="font-semibold"),
        rx.el.ul(rows, class_name="mt-2 space-y-1.5", aria_label=title),
        class_name="min-w-0",
    )


def _row(text: Text, *, yes: bool) -> rx.Component:
    return rx.el.li(*_marked(text, yes=yes), class_name="flex gap-2")


def _marked(text: Text, *, yes: bool) -> tuple[rx.Component, rx.Component]:
    mark = rx.el.svg(
        rx.el.path(custom_attrs={"d": _YES if yes else _NO}),
        class_name=f"mt-1 size-5 shrink-0 {'text-ok-line' if yes else 'text-ink-500'}",
        aria_hidden="true",
        custom_attrs={
            "viewBox": "0 0 24 24",
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": "2.5",
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
        },
    )
    return mark, rx.el.span(text, class_name="" if yes else "text-ink-600")
