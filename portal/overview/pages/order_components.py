"""Components of the page of an order: items, costs, invoices, addresses, agreements."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal import ui
from portal.bikes.flow import OF_WORK_ORDERS
from portal.frontend.session import SessionState
from portal.frontend.texts import (
    country_name,
    insurance,
    package_name,
    payment_status,
    preferred_week,
    whole_package_name,
)
from portal.i18n import Text, _, choice, money
from portal.kernel.codes import MESSAGES, Code
from portal.orders.api import Adjustment
from portal.orders.pages.orders import invoice_line
from portal.orders.pages.state import InvoiceEntry
from portal.overview.pages.order_views import ShownAction, ShownAddress, ShownLine
from portal.overview.pages.state import OrderDetail
from portal.pictures.pages import picture
from portal.returns.flow.items import REFUSALS as RETURN_REFUSALS
from portal.setting_groups import Variant
from portal.vocabulary.actions import Feature
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.orders import DELIVERY_METHODS, PAYMENT_METHODS

_ORDER = OrderDetail.order
_WEEK = _ORDER.week.to(list[str])


def lines() -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("Items")),
        ui.item_list(
            _ORDER.lines.to(list[ShownLine]),
            _line,
            top=4,
            look="divide-y divide-line rounded-card border border-line bg-white",
        ),
    )


def _line(line: rx.vars.ObjectVar[ShownLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            picture(line.picture, "(min-width: 48rem) 12rem, 6rem", "w-full"), class_name="self-start md:row-span-2"
        ),
        ui.block(
            rx.el.div(
                ui.small_heading(line.name),
                ui.strong(money(line.price), look="shrink-0 tabular-nums"),
                class_name="flex items-baseline justify-between gap-x-6 max-md:flex-col",
            ),
            rx.el.dl(
                _detail(_("Colour"), line.item_color),
                _detail(_("Frame size"), line.frame_size),
                _detail(_("Battery"), line.battery),
                _detail(_("Item number"), line.sku),
                rx.cond(
                    line.quantity.to(int) > 1,
                    _detail(
                        _("Quantity"),
                        rx.cond(
                            line.unit_price,
                            _("{n} × {price}", n=line.quantity, price=money(line.unit_price)),
                            line.quantity.to_string(),
                        ).to(str),
                    ),
                ),
                class_name="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-600",
            ),
            ui.tall_link(
                _("View this bike"), ui.hidden_text(" – ", line.name), to=f"/bikes/{line.bike_id}", shown=line.bike_id
            ),
        ),
        # On a phone they stand below the picture too, so that two fit beside each other.
        rx.el.div(_actions(line), class_name="col-span-2 min-w-0 empty:hidden md:col-span-1 md:col-start-2"),
        class_name="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 p-4 md:grid-cols-[12rem_minmax(0,1fr)] "
        "md:grid-rows-[auto_1fr] md:gap-x-6 md:p-6",
    )


_STARTS = {Feature.RETURN: _("Return it"), Feature.REPAIR: _("Repair it"), Feature.INSURANCE: _("Insure it")}


def _actions(line: rx.vars.ObjectVar[ShownLine]) -> rx.Component:
    return rx.fragment(
        ui.item_list(
            line.actions.to(list[ShownAction]),
            lambda action: rx.el.li(_action(action, line)),
            top=3,
            look="flex flex-wrap gap-2",
            shown=line.actions.length() > 0,
        ),
        rx.cond(
            line.closed.length() > 0,
            ui.item_list(
                line.closed.to(list[ShownAction]),
                lambda action: rx.el.li(
                    rx.el.span(choice(action.feature, _STARTS), ": ", class_name="font-semibold"),
                    choice(action.refusal, _REFUSALS, MESSAGES[Code.GENERAL_ERROR]),
                    ui.when(
                        action.page != "",
                        " ",
                        ui.tall_link(
                            _("View that request"),
                            ui.hidden_text(" – ", line.name, ", ", choice(action.feature, _STARTS)),
                            to=action.page,
                        ),
                    ),
                ),
                gap=1,
                top=3,
                look="text-sm text-ink-600",
            ),
        ),
    )


def _action(action: rx.vars.ObjectVar[ShownAction], line: rx.vars.ObjectVar[ShownLine]) -> rx.Component:
    older = (action.older != "") & (SessionState.variant == Variant.RETOUREN.value)
    return rx.el.a(
        choice(action.feature, _STARTS),
        ui.hidden_text(" – ", line.name),
        to=rx.cond(older, action.older, action.href),
        class_name="chip text-ink no-underline",
    )


_REFUSALS = {
    code.value: MESSAGES[code]
    for code in (
        *RETURN_REFUSALS,
        *OF_WORK_ORDERS,
        Code.ORDER_CANCELLED,
        Code.ALREADY_RETURNED,
        Code.BIKE_GOING_BACK,
        Code.INSURANCE_EXISTS,
        Code.INSURANCE_REQUEST_EXISTS,
        Code.INSURANCE_TERM_OVER,
        Code.NOTHING_FOUND,
    )
}


def _detail(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    return rx.cond(
        value != "",
        rx.el.div(rx.el.dt(name, ":", class_name="inline"), " ", rx.el.dd(value, class_name="inline-block")),
    )


def costs() -> rx.Component:
    shipping = rx.cond(_ORDER.shipping_costs.to(float) > 0, money(_ORDER.shipping_costs), _("Free")).to(str)

    def step(name: rx.Var[str], amount: rx.Var[Any], shown: rx.Var[Any] | None = None, style: str = "") -> rx.Component:
        return rx.cond((amount if shown is None else shown).to(float) > 0, _amount(name, money(amount), style))

    return rx.el.section(
        rx.el.h2(_("Costs")),
        ui.card(
            rx.el.dl(
                _amount(_("Subtotal"), money(_ORDER.subtotal)),
                step(_("Discount"), _ORDER.deduction, _ORDER.discount),
                _amount(_("Shipping costs"), shipping),
                step(whole_package_name(_ORDER.service_package), _ORDER.service_costs),
                step(_("Insurance"), _ORDER.insurance_costs),
                rx.foreach(
                    _ORDER.adjustments.to(list[Adjustment]), lambda entry: _amount(entry.name, money(entry.amount))
                ),
                rx.el.div(
                    rx.el.dt(
                        _("Total"),
                        ui.line(_("including VAT"), look="text-sm font-normal text-ink-500"),
                        class_name="text-lg font-semibold",
                    ),
                    rx.el.dd(money(_ORDER.total), class_name="text-lg font-semibold tabular-nums"),
                    class_name="mt-3 flex justify-between gap-6 border-t border-line pt-3",
                ),
                _amount(_("Paid"), money(_ORDER.paid)),
                step(_("Refunded"), _ORDER.refunded),
                step(_("Settled against what you returned"), _ORDER.settled),
                step(_("Still to pay"), _ORDER.due, style="font-semibold"),
                step(_("You get back"), _ORDER.refund, style="font-semibold"),
                class_name="space-y-2",
            ),
            ui.text(
                ui.text_link(_("View the refund"), f"/returns/{_ORDER.refund_id}"),
                top=3,
                shown=_ORDER.refund.to(float) > 0,
            ),
            class_name="mt-4",
        ),
        ui.notice(
            _("The amounts we know of this order don’t add up. You don’t have to pay anything now."),
            ui.text(ui.text_link(_("Ask about the payment"), "/contact")),
            top=4,
            shown=~_ORDER.adds_up,
        ),
        ui.stack(
            ui.notice(_(outcome(Departure.DECLARED, Dependent.INVOICE).customer)),
            top=4,
            shown=(_ORDER.due.to(float) > 0) & (_ORDER.due_later.to(float) > 0),
        ),
        ui.notice(
            _("{amount} is still to be paid for this order.", amount=money(_ORDER.due_now)),
            ui.text(
                rx.cond(
                    _ORDER.to_pay != "",
                    ui.text_link(_("Pay this invoice"), f"/invoices/{_ORDER.to_pay}"),
                    ui.text_link(_("Ask about the payment"), "/contact"),
                )
            ),
            title=payment_status(_ORDER.payment_status),
            tone="warn",
            top=4,
            shown=_ORDER.due_now.to(float) > 0,
        ),
    )


def _amount(name: rx.Var[str], value: rx.Var[str], class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(value, class_name="tabular-nums"),
        class_name=f"flex justify-between gap-6 {class_name}".rstrip(),
    )


def invoices() -> rx.Component:
    return rx.cond(
        _ORDER.invoices.to(list[InvoiceEntry]).length() > 0,
        rx.el.section(
            rx.el.h2(_("Invoices")),
            ui.item_list(
                _ORDER.invoices.to(list[InvoiceEntry]),
                lambda invoice: invoice_line(invoice, compact=True),
                top=4,
                look="divide-y divide-line rounded-card border border-line bg-white",
            ),
        ),
    )


def addresses_and_agreements() -> rx.Component:
    return rx.el.div(
        ui.card(
            ui.subheading(_("Addresses")),
            rx.el.div(
                _address(_("Delivery address"), _ORDER.shipping_address.to(ShownAddress)),
                rx.cond(
                    _ORDER.same_address,
                    rx.el.div(ui.small_heading(_("Billing address")), ui.muted(_("Same as the delivery address"))),
                    _address(_("Billing address"), _ORDER.billing_address.to(ShownAddress)),
                ),
                class_name="mt-4 grid gap-6 sm:grid-cols-2",
            ),
        ),
        ui.card(
            ui.subheading(_("Delivery and extras")),
            ui.facts(
                ui.Fact(_("Delivery method"), choice(_ORDER.delivery_method, DELIVERY_METHODS, _ORDER.delivery_method)),
                ui.Fact(_("Payment method"), choice(_ORDER.payment_method, PAYMENT_METHODS, _ORDER.payment_method)),
                ui.Fact(
                    _("Preferred delivery week"), preferred_week(_WEEK[0], _WEEK[1]), shown=_ORDER.preferred_week != ""
                ),
                ui.Fact(
                    _("Service package"),
                    rx.cond(_ORDER.service_package, package_name(_ORDER.service_package), _("None")),
                ),
                ui.Fact(_("Insurance"), insurance(_ORDER.insurance)),
                top=2,
            ),
        ),
        class_name="mt-10 grid gap-5 lg:grid-cols-2",
    )


def _address(name: Text, address: rx.vars.ObjectVar[ShownAddress]) -> rx.Component:
    return rx.el.div(
        ui.small_heading(name),
        rx.el.address(
            rx.foreach(address.lines.to(list[str]), lambda line: ui.line(line)),
            ui.line(country_name(address.country_code)),
            class_name="not-italic text-ink-600",
        ),
    )
