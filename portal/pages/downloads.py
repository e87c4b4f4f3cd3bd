"""A link to a document of the customer."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import _, both
from portal.ui.browser import module
from portal.ui.buttons import LINK


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
