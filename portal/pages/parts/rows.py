"""Lists whose rows are links: one white card, a line between the rows."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _
from portal.ui import skeleton


def row_list(*rows: rx.Component, class_name: str = "mt-6") -> rx.Component:
    """The rows of a list."""
    return rx.el.ul(
        *rows,
        class_name=f"divide-y divide-line overflow-hidden rounded-card border border-line bg-white {class_name}",
    )


def list_waiting(count: int, height: str) -> rx.Component:
    """Rows of which the content is awaited, as one card.

    Args:
        count: how many.
        height: class for the height of each.
    """
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-6 w-48"),
        rx.el.div(
            *[
                rx.el.div(
                    skeleton("h-14 w-20 shrink-0"),
                    rx.el.div(skeleton("h-5 w-1/2"), skeleton("mt-3 h-4 w-1/3"), class_name="grow"),
                    class_name=f"flex items-center gap-6 px-4 md:px-6 {height}",
                )
                for _i in range(count)
            ],
            class_name="mt-6 divide-y divide-line rounded-card border border-line bg-white",
        ),
        class_name="mt-3 appear",
        custom_attrs={"aria-busy": "true"},
    )


def chevron(class_name: str = "") -> rx.Component:
    """Where a row leads."""
    return rx.el.svg(
        rx.el.path(custom_attrs={"d": "m9 5 7 7-7 7"}),
        class_name="size-5 shrink-0 text-ink-500 transition-transform duration-150 ease-ride group-hover:translate-x-1 "
        f"{class_name}".rstrip(),
        custom_attrs={
            "viewBox": "0 0 24 24",
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": "2",
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
            "aria-hidden": "true",
        },
    )
