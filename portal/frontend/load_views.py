"""Lists of what is going on, as cards that tell what it means, and of what was before, as short rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.pages.parts.faces import loaded
from portal.pages.parts.request import live_line
from portal.pages.parts.rows import chevron
from portal.ui import page_frame, pagination, skeleton_cards

Shown = Callable[[Any], rx.Component]
COVERING = "text-ink no-underline after:absolute after:inset-0 after:rounded-card"
"""Classes of a link that covers its whole card."""
CARD = "group card relative hover:shadow-card md:p-8"
"""Classes of a card that such a link covers."""


def going_on_page(
    page: Any,
    path: str,
    *,
    title: Text,
    failure: Text,
    going_on: Shown,
    earlier: Shown,
    below: rx.Component,
    empty: rx.Component,
) -> rx.Component:
    """A page with such a list, which changes by itself.

    Args:
        page: a state with `Live`, `going_on`, `earlier`, `page`, `pages` and `total`.
        path: its address.
        title: its heading.
        failure: what could not be loaded.
        going_on: the card of an entry that is going on.
        earlier: the row of one that is over.
        below: what stands below the list.
        empty: what stands in its place when there is nothing.
    """
    entries = rx.fragment(
        rx.cond(page.going_on.length() > 0, _part(_("In progress"), page.going_on, going_on)),
        rx.cond(page.earlier.length() > 0, _part(_("Earlier"), page.earlier, earlier)),
        pagination(page.page, page.pages, to=lambda number: f"{path}?page=" + number.to_string()),
        below,
    )
    return page_frame(
        loaded(
            page,
            rx.fragment(live_line(page), rx.cond(page.total > 0, entries, empty)),
            failure=failure,
            waiting=skeleton_cards(2, "h-48"),
        ),
        title=title,
    )


def _part(heading: Text, entries: Any, shown: Shown) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading), rx.el.ul(rx.foreach(entries, shown), class_name="mt-4 space-y-4"), class_name="mt-8"
    )


def card_head(heading: rx.Component, status: rx.Component) -> rx.Component:
    """What a card is about, and how it stands."""
    return rx.el.div(heading, status, class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-3")


def card_facts(*facts: rx.Component) -> rx.Component:
    """The facts of a card, side by side where there is room."""
    return rx.el.dl(
        *facts, class_name="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4"
    )


def card_fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    """One of them."""
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"), rx.el.dd(value, class_name="font-semibold tabular-nums")
    )


def view_status() -> rx.Component:
    """Where a card leads; its link says it to those who hear the page."""
    return rx.el.p(
        _("View the status"),
        chevron(),
        class_name="mt-5 flex items-center gap-1 font-semibold",
        aria_hidden="true",
    )


def earlier_row(heading: rx.Component, asked: Text, status: rx.Component) -> rx.Component:
    """An entry that is over.

    Args:
        heading: what it is about.
        asked: when it was asked for.
        status: how it ended.
    """
    return rx.el.li(
        rx.el.div(heading, rx.el.p(asked, class_name="text-sm text-ink-600"), class_name="min-w-0 grow"),
        status,
        chevron("max-sm:hidden"),
        class_name="group card relative flex flex-wrap items-center gap-x-6 gap-y-3 hover:shadow-card",
    )
