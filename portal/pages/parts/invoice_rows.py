"""One invoice in a list, with its PDF."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, day, money
from portal.pages.downloads import invoice_link
from portal.pages.parts.texts import invoice_status
from portal.states.views.orders import InvoiceRow
from portal.ui import badge, text_link


def invoice_line(invoice: rx.vars.ObjectVar[InvoiceRow], *, compact: bool = False) -> rx.Component:
    """An invoice: number, days, state, amount, and the PDF in the language of the visitor.

    Args:
        invoice: the invoice.
        compact: for a narrow column, without the order it belongs to.
    """
    number = rx.el.h3 if compact else rx.el.h2
    download = invoice_link(
        invoice.invoice_id,
        _("Download PDF"),
        rx.el.span(" ", invoice.number, class_name="sr-only"),
        class_name="btn-text shrink-0 " + ("w-full" if compact else "max-md:w-full"),
    )
    about = [
        number(invoice.number, class_name="text-base font-semibold tracking-normal tabular-nums"),
        rx.el.p(day(invoice.day), class_name="text-ink-600"),
        rx.cond(
            invoice.due != "",
            rx.el.p(
                _("{amount} to be paid before {day}", amount=money(invoice.due), day=day(invoice.expires)),
                class_name="text-ink-600",
            ),
        ),
    ]
    if not compact:
        order = text_link(_("Order {number}", number=invoice.order_number), f"/orders/{invoice.order_number}")
        about.append(rx.el.p(order))
    wide = "" if compact else "md:w-32 md:text-right"
    return rx.el.li(
        # In a narrow column the text gives way to the amount, not the amount to the text.
        rx.el.div(*about, class_name="min-w-0 flex-1" if compact else "min-w-0 grow"),
        rx.el.div(
            badge(invoice_status(invoice.status), invoice.tone),
            rx.el.p(money(invoice.total), class_name=f"font-semibold tabular-nums {wide}".rstrip()),
            class_name="flex items-center gap-4" if not compact else "flex flex-col-reverse items-end gap-1 self-start",
        ),
        download,
        class_name="flex flex-wrap items-center gap-x-6 gap-y-1 p-4 md:px-6"
        + ("" if compact else " md:flex-nowrap md:py-5"),
    )
