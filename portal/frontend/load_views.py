"""What a page shows while it loads, when it is there, when it could not be loaded, and when there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reflex as rx

from portal.frontend.layout import title
from portal.frontend.live import live_line
from portal.frontend.problems import not_found
from portal.frontend.session import SessionState
from portal.frontend.state import FAILED, MISSING, READY
from portal.i18n import Text, _
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import both
from portal.ui import error_block, page_frame, pagination, skeleton_cards, text_link
from portal.ui.blocks import LINK
from portal.ui.browser import module
from portal.ui.lists import chevron


def loaded(page: Any, content: rx.Component, *, failure: Text, loading: rx.Component | None = None) -> rx.Component:
    """Show how far loading the page is.

    Args:
        page: a `Loadable` state.
        content: what is shown when the answer is there.
        failure: what could not be loaded.
        loading: a skeleton of the content.
    """
    failed = error_block(failure, on_retry=page.load, more=_further_help())
    patience = rx.fragment(skeleton_cards() if loading is None else loading, _slow())
    shown = rx.match(
        page.view_state,
        (READY, rx.el.div(content, custom_attrs={"aria-busy": rx.cond(page.busy, "true", "false")})),
        (FAILED, failed),
        patience,
    )
    # Whether somebody is logged in could not be asked: nothing is shown, and nobody is sent away either.
    return rx.cond(SessionState.authenticated, shown, rx.cond(SessionState.unavailable, failed, patience))


def unless_missing(page: Any, content: rx.Component) -> rx.Component:
    """The page, or the page that every address without a page shows: there is no such thing, or it is not yours."""
    return rx.cond(page.view_state == MISSING, not_found(), content)


def detail_title(page: Any, *parts: Text) -> rx.Var[str]:
    """The title of a page about one thing, which may not be there."""
    return rx.cond(page.view_state == MISSING, title(_("Page not found")), title(*parts)).to(str)


def _slow() -> rx.Component:
    """An honest sentence for those who wait longer than ten seconds."""
    return rx.el.p(
        _("This takes longer than usual. We keep trying; you can wait or come back later."),
        class_name="mt-6 text-ink-600 appear-late",
    )


def _further_help() -> rx.Component:
    return rx.el.p(
        _("Does it keep going wrong?"),
        " ",
        text_link(_("Contact us"), "/contact"),
        class_name="mt-4 text-ink-600",
    )


class _Download(rx.Component):
    library = module("downloads")
    tag = "DownloadLink"

    href: rx.Var[str]
    failure: rx.Var[dict[str, str]]
    failed_text: rx.Var[str]
    pending_text: rx.Var[str]
    code: rx.Var[str]


def invoice_link(
    invoice_id: rx.Var[str], *children: Any, class_name: str = f"{LINK} inline-flex items-center min-h-11"
) -> rx.Component:
    """A link to the PDF of an invoice, in the language of the visitor. A failure is told beside it and in the corner.

    Args:
        invoice_id: The id that links carry.
        *children: Text of the link; it names the invoice.
        class_name: Classes of the link.
    """
    return _download(rx.Var.create(f"/files/invoices/{invoice_id}.pdf"), Code.PDF_FAILED, children, class_name)


def request_link(reference: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the PDF of a request, likewise."""
    return _download(rx.Var.create(f"/files/requests/{reference}.pdf"), Code.PDF_FAILED, children, class_name)


def calendar_link(reference: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the appointment of a request as a file for a calendar, likewise."""
    return _download(rx.Var.create(f"/files/requests/{reference}.ics"), Code.CALENDAR_FAILED, children, class_name)


def return_label_link(return_id: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the label of a return, likewise."""
    return _download(rx.Var.create(f"/files/returns/{return_id}/label.pdf"), Code.PDF_FAILED, children, class_name)


def return_summary_link(return_id: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the PDF of a return with its amounts, likewise."""
    return _download(rx.Var.create(f"/files/returns/{return_id}.pdf"), Code.PDF_FAILED, children, class_name)


def delivery_calendar_link(order_number: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the planned delivery of an order as a file for a calendar, likewise."""
    return _download(rx.Var.create(f"/files/deliveries/{order_number}.ics"), Code.CALENDAR_FAILED, children, class_name)


def date_change_link(order_number: rx.Var[str], *children: Any, class_name: str) -> rx.Component:
    """A link to the PDF of the last wish for another delivery day, likewise."""
    return _download(rx.Var.create(f"/files/delivery-dates/{order_number}.pdf"), Code.PDF_FAILED, children, class_name)


def download_link(
    path: rx.Var[str], failed: Code, *children: Any, class_name: str = "btn-text shrink-0"
) -> rx.Component:
    """A link to any document of the customer, likewise.

    Args:
        path: Below `/files/`.
        failed: What is told when it cannot be had.
        *children: Text of the link; it names the document.
        class_name: Classes of the link.
    """
    return _download(path, failed, children, class_name)


def _download(href: rx.Var[str], failed: Code, children: tuple[Any, ...], class_name: str) -> rx.Component:
    return _Download.create(
        *children,
        href=href,
        code=failed.value,
        failure=both(MESSAGES[failed]),
        failed_text=_(MESSAGES[failed]),
        pending_text=_("Loading…"),
        class_name=class_name,
    )


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
            loading=skeleton_cards(2, "h-48"),
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
