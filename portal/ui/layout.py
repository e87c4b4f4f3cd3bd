"""The layout kit: text, stacks, rows and cards to choose from, so that a page reads like its outline.

Distances are steps of 4 px (`design Look`): `top=4` is 16 px above, `gap=4` is 16 px between. `shown` says when a part
is on the page; without it, always.
"""

from collections.abc import Callable
from typing import Any, Literal

import reflex as rx

Shown = rx.Var[Any] | bool | None


def when(shown: Shown, *parts: Any, otherwise: rx.Component | None = None) -> rx.Component:
    """Parts that are on the page under a condition, and what is there instead."""
    part = parts[0] if len(parts) == 1 and isinstance(parts[0], rx.Component) else rx.fragment(*parts)
    return part if shown is None else rx.cond(shown, part, otherwise or rx.fragment())


def classes(*names: str, top: int = 0, bottom: int = 0) -> dict[str, Any]:
    """The property for CSS classes and outer distances; none for none."""
    distances = (f"mt-{top}" if top else "", f"mb-{bottom}" if bottom else "")
    joined = " ".join(filter(None, (*distances, *names)))
    return {"class_name": joined} if joined else {}


def text(
    *content: Any, look: str = "", top: int = 0, bottom: int = 0, shown: Shown = None, **props: Any
) -> rx.Component:
    """A paragraph. `look` are further CSS classes."""
    return when(shown, rx.el.p(*content, **classes(look, top=top, bottom=bottom), **props))


def muted(*content: Any, look: str = "", **options: Any) -> rx.Component:
    """A paragraph that explains, in grey."""
    return text(*content, look=f"text-ink-600 {look}".rstrip(), **options)


def small(*content: Any, look: str = "", **options: Any) -> rx.Component:
    """A small grey paragraph."""
    return text(*content, look=f"text-sm text-ink-600 {look}".rstrip(), **options)


def strong(*content: Any, look: str = "", **options: Any) -> rx.Component:
    """A paragraph in bold."""
    return text(*content, look=f"font-semibold {look}".rstrip(), **options)


def lead(*content: Any, look: str = "", **options: Any) -> rx.Component:
    """The large sentence below a heading."""
    return text(*content, look=f"text-lg {look}".rstrip(), **options)


def if_text(value: rx.Var[str], **options: Any) -> rx.Component:
    """A paragraph with a text that can be empty; then there is none."""
    return text(value, shown=value != "", **options)


def hidden_text(*content: Any) -> rx.Component:
    """Text for screen readers only."""
    return rx.el.span(*content, class_name="sr-only")


def subheading(*content: Any, **props: Any) -> rx.Component:
    """The heading of a card or a smaller part of a page (h2)."""
    return rx.el.h2(*content, class_name="text-h3", **props)


def small_heading(*content: Any, top: int = 0, **props: Any) -> rx.Component:
    """The heading of a part of a card (h3)."""
    return rx.el.h3(*content, **classes("text-base font-semibold", top=top), **props)


def line(*content: Any, look: str = "", shown: Shown = None, **props: Any) -> rx.Component:
    """A line of text inside a label or a link, where HTML allows no paragraph."""
    return when(shown, rx.el.span(*content, class_name=f"block {look}".rstrip(), **props))


def stack(
    *parts: Any, gap: int = 0, top: int = 0, bottom: int = 0, look: str = "", shown: Shown = None, **props: Any
) -> rx.Component:
    """Parts below each other."""
    spacing = f"space-y-{gap}" if gap else ""
    return when(shown, rx.el.div(*parts, **classes(spacing, look, top=top, bottom=bottom), **props))


def row(
    *parts: Any, gap: int = 3, top: int = 0, bottom: int = 0, look: str = "", shown: Shown = None, **props: Any
) -> rx.Component:
    """Parts beside each other, on further lines where they do not fit."""
    return when(shown, rx.el.div(*parts, **classes(f"flex flex-wrap gap-{gap}", look, top=top, bottom=bottom), **props))


def item_list(
    rows: Any,
    row: Callable[..., rx.Component],
    *,
    gap: int = 0,
    top: int = 0,
    look: str = "",
    shown: Shown = None,
    **props: Any,
) -> rx.Component:
    """A list (`ul`) with an item for each row; `row` makes it."""
    spacing = f"space-y-{gap}" if gap else ""
    return when(shown, rx.el.ul(rx.foreach(rows, row), **classes(spacing, look, top=top), **props))


def block(*parts: Any, shown: Shown = None, **props: Any) -> rx.Component:
    """Parts below each other in a row or a grid, where long words must not push the others aside."""
    return when(shown, rx.el.div(*parts, class_name="min-w-0", **props))


def revealing(card: rx.Component, *parts: Any, cards: bool = False, **props: Any) -> rx.Component:
    """A card to choose, and what it asks further once it is chosen; `cards` are indented less."""
    below = rx.el.div(*parts, class_name="reveal reveal-cards" if cards else "reveal", **props)
    return rx.el.div(card, below, class_name="reveals")


def column(*parts: Any, **props: Any) -> rx.Component:
    """The main column of a page with a second one beside it: as wide as text is read well."""
    return rx.el.div(*parts, class_name="min-w-0 max-w-form", **props)


def grow(*parts: Any, **props: Any) -> rx.Component:
    """Lines beside a picture or a control, which take the rest of the width."""
    return rx.el.span(*parts, class_name="min-w-0 grow", **props)


def radio_card(
    name: rx.Var[str] | str,
    value: rx.Var[str] | str,
    *content: Any,
    checked: rx.Var[bool] | bool = False,
    kind: Literal["radio", "checkbox"] = "radio",
    tall: bool = False,
    look: str = "",
    key: rx.Var[Any] | None = None,
    **control: Any,
) -> rx.Component:
    """A card that chooses: its control and what it says. In a `tall` one the control is at the first line."""
    box = "mt-0.5 size-6 shrink-0 self-start accent-ink" if tall else "size-6 shrink-0 accent-ink"
    label: dict[str, Any] = {} if key is None else {"key": key}
    return rx.el.label(
        rx.el.input(type=kind, name=name, value=value, default_checked=checked, class_name=box, **control),
        *content,
        class_name=f"choice {look}".rstrip(),
        **label,
    )
