"""The page of an invoice: what it is for, and how to pay what is due (part-1 §3)."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.frontend.load_views import detail_title, invoice_link, is_here, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.texts import invoice_status
from portal.i18n import Text, _, day, money
from portal.orders.pages.state import InvoiceDetail, ShownPayment
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.orders import ACCOUNT_HOLDER, PAY_BY_APP, PAY_OVERDUE, PAY_UNTIL, PAYMENT_CODE, PAYMENT_REFERENCE

_INVOICE = InvoiceDetail.invoice
_KNOWN = is_here(InvoiceDetail) & _INVOICE.bool()
_HEADING = rx.cond(_KNOWN, _("Invoice {number}", number=_INVOICE.number), _("Invoice")).to(str)


def invoice() -> rx.Component:
    return unless_missing(
        InvoiceDetail,
        ui.page_frame(
            loaded(InvoiceDetail, _content(), failure=_("This invoice couldn’t be loaded.")),
            title=_HEADING,
            back=ui.back_link(_("Invoices"), "/invoices"),
        ),
    )


def _content() -> rx.Component:
    return rx.fragment(
        ui.text(ui.badge(invoice_status(_INVOICE.status), _INVOICE.tone), top=4),
        ui.stack(
            ui.notice(_(outcome(Departure.DECLARED, Dependent.INVOICE).customer)),
            top=6,
            shown=_INVOICE.due_later.to(float) > 0,
        ),
        rx.cond(_INVOICE.payment, _payment(_INVOICE.payment.to(ShownPayment))),
        ui.card(
            ui.facts(
                ui.Fact(_("Total"), money(_INVOICE.total)),
                ui.Fact(_("Invoice date"), day(_INVOICE.invoice_date)),
                ui.Fact(_("Due date"), day(_INVOICE.expire_date)),
                ui.Fact(_("Order"), ui.text_link(_INVOICE.order_number, f"/orders/{_INVOICE.order_number}")),
                label=_("Invoice"),
            ),
            ui.stack(
                invoice_link(
                    _INVOICE.invoice_id,
                    _("Download PDF"),
                    ui.hidden_text(" ", _INVOICE.number),
                    class_name=ui.button_class("secondary"),
                ),
                top=4,
            ),
            class_name="mt-6",
        ),
    )


def _payment(payment: rx.vars.ObjectVar[ShownPayment]) -> rx.Component:
    amount, due = money(payment.amount), day(_INVOICE.expire_date)
    return rx.el.section(
        ui.subheading(_(PAY_BY_APP)),
        ui.text(rx.cond(_INVOICE.overdue, _(PAY_OVERDUE, date=due), _(PAY_UNTIL, date=due)), top=2),
        rx.el.div(
            rx.el.div(
                ui.facts(
                    _copied(_("Amount"), amount, payment.typed, _("Copy amount")),
                    _copied(_("IBAN"), payment.iban, payment.iban.to(str).replace(" ", ""), _("Copy IBAN")),
                    _copied(_(ACCOUNT_HOLDER), payment.holder, payment.holder, _("Copy name")),
                    _copied(_(PAYMENT_REFERENCE), payment.reference, payment.reference, _("Copy payment reference")),
                    label=_(PAY_BY_APP),
                ),
                class_name="min-w-0 grow",
            ),
            rx.el.img(
                src=payment.image,
                alt=_(PAYMENT_CODE, amount=amount, name=payment.holder, iban=payment.iban, number=payment.reference),
                # The white edge is part of the code.
                class_name="size-50 shrink-0 rounded-control bg-plate p-4",
                custom_attrs={"width": "200", "height": "200"},
            ),
            class_name="mt-4 flex flex-col gap-6 md:flex-row",
        ),
        class_name="card mt-6",
    )


def _copied(name: Text, shown: Text, value: rx.Var[str], copy: Text) -> ui.Fact:
    return ui.Fact(name, shown, action=ui.copy_button(value, copy))


PAGES = [
    PageRoute(
        "invoices/[invoice_id]",
        invoice,
        detail_title(InvoiceDetail, _HEADING),
        on_load=[InvoiceDetail.load],
        first=InvoiceDetail,
    )
]
