"""Returns, exchanges and withdrawals: what is going on, and what was before (part-2 §2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import reflex as rx

from portal.i18n import Text, _, day
from portal.pages.layout import title
from portal.pages.parts.faces import faced
from portal.pages.parts.request import live_line
from portal.pages.parts.return_texts import (
    and_more,
    resend_form,
    return_meaning,
    return_name,
    return_status,
    start_return,
)
from portal.pages.parts.rows import chevron
from portal.pages.registry import Page
from portal.states.returns import Returns
from portal.states.views.return_rows import ReturnRow
from portal.ui import (
    LINK,
    badge,
    empty_state,
    illustrations,
    link_button,
    page_frame,
    pagination,
    skeleton_cards,
)


def returns() -> rx.Component:
    """All returns of the customer."""
    return page_frame(
        faced(
            Returns,
            rx.fragment(live_line(Returns), rx.cond(Returns.total > 0, _list(), _empty())),
            failure=_("Your returns could not be loaded."),
            waiting=skeleton_cards(2, "h-48"),
        ),
        title=_("Your returns"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        rx.cond(Returns.going_on.length() > 0, _part(_("In progress"), Returns.going_on, _going_on)),
        rx.cond(Returns.earlier.length() > 0, _part(_("Earlier"), Returns.earlier, _earlier)),
        pagination(Returns.page, Returns.pages, to=lambda page: "/returns?page=" + page.to_string()),
        rx.el.div(
            start_return("secondary"),
            link_button(_("Your orders"), "/orders", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3 max-md:flex-col",
        ),
    )


def _part(
    heading: Text, rows: rx.vars.ArrayVar[Sequence[ReturnRow]], shown: Callable[..., rx.Component]
) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading), rx.el.ul(rx.foreach(rows, shown), class_name="mt-4 space-y-4"), class_name="mt-8"
    )


def _going_on(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """A return that is going on; one that waits for its link has no status to view (part-2 §4)."""
    return rx.el.li(
        rx.el.div(
            rx.cond(entry.waiting, _name(entry), _heading(entry)),
            badge(return_status(entry.status), entry.tone),
            class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-3",
        ),
        rx.el.p(return_meaning(entry.status), class_name="mt-4 max-w-form text-lg"),
        rx.el.dl(
            _fact(_("Order number"), entry.order_number),
            _fact(_("Requested on"), day(entry.requested)),
            _fact(_("Reference number"), entry.reference),
            class_name="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4",
        ),
        rx.cond(
            entry.waiting,
            rx.el.div(
                resend_form(Returns, entry.return_id),
                rx.el.a(
                    _("View what you asked for"),
                    rx.el.span(" ", entry.reference, class_name="sr-only"),
                    to=entry.href,
                    class_name=f"{LINK} inline-flex min-h-11 items-center",
                ),
                class_name="mt-5 space-y-2",
            ),
            rx.el.p(
                _("View the status"),
                chevron(),
                class_name="mt-5 flex items-center gap-1 font-semibold",
                aria_hidden="true",
            ),
        ),
        class_name=rx.cond(entry.waiting, "card md:p-8", "group card relative hover:shadow-card md:p-8"),
    )


def _earlier(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """A return that is over, in a row."""
    return rx.el.li(
        rx.el.div(
            _heading(entry),
            rx.el.p(_("Requested on {day}", day=day(entry.requested)), class_name="text-sm text-ink-600"),
            class_name="min-w-0 grow",
        ),
        badge(return_status(entry.status), entry.tone),
        chevron("max-sm:hidden"),
        class_name="group card relative flex flex-wrap items-center gap-x-6 gap-y-3 hover:shadow-card",
    )


def _heading(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """What it is about; the link to it covers the whole card."""
    return rx.el.h3(
        rx.el.a(
            return_name(entry),
            and_more(entry),
            rx.el.span(", ", entry.reference, class_name="sr-only"),
            to=entry.href,
            class_name="text-ink no-underline after:absolute after:inset-0 after:rounded-card",
        ),
        class_name="min-w-0 text-balance",
    )


def _name(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    return rx.el.h3(return_name(entry), and_more(entry), class_name="min-w-0 text-balance")


def _fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"), rx.el.dd(value, class_name="font-semibold tabular-nums")
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no returns yet"),
        _("Something that you return, exchange or withdraw from can be followed here."),
        rx.el.div(
            start_return(),
            link_button(_("Your orders"), "/orders", "secondary"),
            class_name="flex flex-wrap justify-center gap-3",
        ),
        illustrations.parcel(),
    )


PAGES = [
    Page(
        "returns",
        returns,
        title(_("Your returns")),
        on_load=[Returns.load, Returns.watch],
        first=Returns,
    )
]
