"""The list of invoices (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, ngettext
from portal.pages.layout import title
from portal.pages.parts.faces import loaded
from portal.pages.parts.invoice_rows import invoice_line
from portal.pages.parts.rows import list_waiting, row_list
from portal.pages.registry import Page
from portal.states.invoices import Invoices
from portal.ui import back_link, empty_state, illustrations, link_button, page_frame, pagination


def invoices() -> rx.Component:
    """Invoices, newest first, a page at a time."""
    return page_frame(
        loaded(
            Invoices,
            rx.cond(Invoices.total > 0, _list(), _empty()),
            failure=_("Your invoices could not be loaded."),
            waiting=list_waiting(4, "h-24"),
        ),
        title=_("Invoices"),
        back=back_link(_("Orders"), "/orders"),
    )


def _list() -> rx.Component:
    count = ngettext("{n} invoice, newest first", "{n} invoices, newest first", Invoices.total)
    return rx.fragment(
        rx.el.p(count, class_name="mt-3 text-ink-600"),
        row_list(rx.foreach(Invoices.rows, invoice_line)),
        pagination(Invoices.page, Invoices.pages, to=lambda page: "/invoices?page=" + page.to_string()),
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no invoices yet"),
        _("An invoice appears here as soon as an order has been shipped."),
        link_button(_("Your orders"), "/orders"),
        illustrations.invoice(),
    )


PAGES = [Page("invoices", invoices, title(_("Invoices")), on_load=[Invoices.load], first=Invoices)]
