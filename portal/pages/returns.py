"""Returns, exchanges and withdrawals: what is going on, and what was before (part-2 §2)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, day
from portal.pages.layout import title
from portal.pages.parts.going_on import (
    CARD,
    COVERING,
    card_fact,
    card_facts,
    card_head,
    earlier_row,
    going_on_page,
    view_status,
)
from portal.pages.parts.return_texts import (
    and_more,
    resend_form,
    return_meaning,
    return_name,
    return_status,
    start_return,
)
from portal.pages.registry import Page
from portal.states.returns import Returns
from portal.states.views.return_rows import ReturnRow
from portal.ui import LINK, badge, empty_state, illustrations, link_button


def returns() -> rx.Component:
    """All returns of the customer."""
    return going_on_page(
        Returns,
        "/returns",
        title=_("Your returns"),
        failure=_("Your returns could not be loaded."),
        going_on=_going_on,
        earlier=_earlier,
        below=rx.el.div(
            start_return("secondary"),
            link_button(_("Your orders"), "/orders", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3 max-md:flex-col",
        ),
        empty=_empty(),
    )


def _going_on(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """A return that is going on; one that waits for its link has no status to view (part-2 §4)."""
    return rx.el.li(
        card_head(
            rx.cond(entry.waiting, _name(entry), _heading(entry)),
            badge(return_status(entry.status, entry.kind), entry.tone),
        ),
        rx.el.p(return_meaning(entry.status, entry.kind), class_name="mt-4 max-w-form text-lg"),
        card_facts(
            card_fact(_("Order number"), entry.order_number),
            card_fact(_("Requested on"), day(entry.requested)),
            card_fact(_("Reference number"), entry.reference),
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
            view_status(),
        ),
        class_name=rx.cond(entry.waiting, "card md:p-8", CARD),
    )


def _earlier(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """A return that is over, in a row."""
    return earlier_row(
        _heading(entry),
        _("Requested on {day}", day=day(entry.requested)),
        badge(return_status(entry.status, entry.kind), entry.tone),
    )


def _heading(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    """What it is about; the link to it covers the whole card."""
    return rx.el.h3(
        rx.el.a(
            return_name(entry),
            and_more(entry),
            rx.el.span(", ", entry.reference, class_name="sr-only"),
            to=entry.href,
            class_name=COVERING,
        ),
        class_name="min-w-0 text-balance",
    )


def _name(entry: rx.vars.ObjectVar[ReturnRow]) -> rx.Component:
    return rx.el.h3(return_name(entry), and_more(entry), class_name="min-w-0 text-balance")


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
