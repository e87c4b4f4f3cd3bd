"""What an order cost, what is paid, and its invoices."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _, choice, money
from portal.pages.parts.invoice_rows import invoice_line
from portal.pages.parts.texts import payment_status
from portal.states.order import OrderDetail
from portal.states.views.order import AmountView
from portal.ui import card, notice, text_link

_ORDER: Any = OrderDetail.order


def money_side() -> rx.Component:
    """From subtotal to what is still due."""
    names = {
        "subtotal": _("Subtotal"),
        "discount": _("Discount"),
        "shipping": _("Shipping costs"),
        "service": _("Service"),
        "insurance": _("Insurance"),
    }

    def step(entry: rx.vars.ObjectVar[AmountView]) -> rx.Component:
        free = (entry.key == "shipping") & (entry.amount == "0.00")
        return _amount(choice(entry.key, names), rx.cond(free, _("Free"), money(entry.amount)).to(str))

    return rx.el.section(
        rx.el.h2(_("Costs")),
        card(
            rx.el.dl(
                rx.foreach(_ORDER.amounts, step),
                rx.el.div(
                    rx.el.dt(
                        _("Total"),
                        rx.el.span(_("including VAT"), class_name="block text-sm font-normal text-ink-500"),
                        class_name="text-lg font-semibold",
                    ),
                    rx.el.dd(money(_ORDER.total), class_name="text-lg font-semibold tabular-nums"),
                    class_name="mt-3 flex justify-between gap-6 border-t border-line pt-3",
                ),
                _amount(_("Paid"), money(_ORDER.paid)),
                rx.cond(_ORDER.settled != "", _amount(_("Settled with what came back"), money(_ORDER.settled))),
                rx.cond(_ORDER.due != "", _amount(_("Still to pay"), money(_ORDER.due), "font-semibold")),
                class_name="space-y-2",
            ),
            class_name="mt-4",
        ),
        rx.cond(
            _ORDER.due != "",
            rx.el.div(
                notice(
                    _("{amount} is still open for this order.", amount=money(_ORDER.due)),
                    rx.el.p(text_link(_("Ask about the payment"), "/contact")),
                    title=payment_status(_ORDER.payment),
                    tone="warn",
                ),
                class_name="mt-4",
            ),
        ),
    )


def _amount(name: rx.Var[str], value: rx.Var[str], class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(value, class_name="tabular-nums"),
        class_name=f"flex justify-between gap-6 {class_name}".rstrip(),
    )


def invoices() -> rx.Component:
    """The invoices of the order, as PDF."""
    return rx.cond(
        _ORDER.invoices.length() > 0,
        rx.el.section(
            rx.el.h2(_("Invoices")),
            rx.el.ul(
                rx.foreach(_ORDER.invoices, lambda invoice: invoice_line(invoice, compact=True)),
                class_name="mt-4 divide-y divide-line rounded-card border border-line bg-white",
            ),
        ),
    )
