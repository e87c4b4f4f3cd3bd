"""The page of an order: delivery, items, costs, returns (part-1 §2, §3)."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.deliveries.pages.order_status import on_its_way
from portal.deliveries.pages.planned import code_line, planned_day
from portal.frontend.actions import contact_about
from portal.frontend.live import live_line
from portal.frontend.load_views import detail_title, is_here, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.texts import delivery_status, delivery_trouble, payment_status, preferred_week
from portal.i18n import _, choice, day
from portal.orders.api import ScheduledDelivery, Shipment
from portal.overview.pages.order_components import addresses_and_agreements, costs, invoices, lines
from portal.overview.pages.state import OrderDetail
from portal.returns.flow.kinds import ACCESSORIES, EXCHANGE, RETURN
from portal.returns.pages.return_components import start_return
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DATE_OPEN, PHASES, DeliveryEnd

_ORDER = OrderDetail.order
_SHIPMENTS = _ORDER.shipments.to(list[Shipment])
_SCHEDULED = _ORDER.scheduled.to(ScheduledDelivery)
_WEEK = _ORDER.week.to(list[str])
_PICKUP = _ORDER.ending == DeliveryEnd.PICKUP.value


def _returning() -> rx.Component:
    possible = _ORDER.returning == "open"
    exchanges = _ORDER.flows.to(list[str]).contains(RETURN.name)
    kept = rx.cond(possible & ~exchanges, _("Returns"), _("Return or exchange"))
    return rx.el.section(
        rx.el.h2(rx.cond(_ORDER.withdrawable, _("Return or withdraw"), kept)),
        ui.card(
            ui.text(_return_period()),
            rx.cond(
                _ORDER.withdrawable,
                ui.text(
                    rx.cond(
                        _ORDER.withdraw_until,
                        _(
                            "You can also withdraw from the purchase until {day}, without giving a reason.",
                            day=day(_ORDER.withdraw_until),
                        ),
                        _(
                            "You can also withdraw from the purchase until {withdrawal_days} days after everything "
                            "has been delivered, without giving a reason."
                        ),
                    ),
                    top=2,
                ),
            ),
            ui.row(
                rx.cond(possible, start_return("secondary", order=_ORDER.order_number)),
                ui.link_button(
                    _("Withdraw from this order"),
                    f"/withdrawal/{_ORDER.order_number}",
                    "secondary",
                    shown=_ORDER.withdrawable,
                ),
                look="empty:hidden max-md:flex-col",
                top=5,
            ),
            ui.text(
                ui.when(
                    possible,
                    rx.cond(
                        _ORDER.flows.to(list[str]).contains(ACCESSORIES.name),
                        ui.text_link(_(ACCESSORIES.title), ACCESSORIES.path),
                    ),
                    rx.cond(exchanges, ui.text_link(_(EXCHANGE.title), EXCHANGE.path)),
                    otherwise=ui.text_link(_("Contact us"), "/contact?topic=return"),
                ),
                ui.text_link(_("Your returns"), "/returns"),
                look="flex flex-wrap gap-x-6 gap-y-2",
                top=5,
            ),
            class_name="mt-4",
        ),
    )


def _return_period() -> rx.Var[str]:
    return choice(
        _ORDER.returning,
        {
            "not_shipped": _("You can return an item once it has been shipped, up to {return_days} days after that."),
            "over": _("You could return the items of this order until {day}.", day=day(_ORDER.return_until)),
            "cancelled": _("This order was cancelled, so there is nothing to return."),
            "refunded": _("We’ve refunded this order, so there is nothing to return."),
        },
        _("You can return an item up to {return_days} days after it was shipped."),
    )


def _delivery() -> rx.Component:
    trouble = delivery_trouble(_ORDER.delivery_status)
    return rx.el.section(
        rx.el.div(
            rx.el.h2(_("Delivery")),
            ui.tall_link(_("Track your order"), to=f"/order-status/{_ORDER.order_number}"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-6",
        ),
        ui.notice(
            trouble,
            ui.text(ui.text_link(_("Contact us"), contact_about(Feature.ORDER_STATUS)), top=1),
            tone="warn",
            shown=trouble != "",
        ),
        ui.card(
            _planned(),
            rx.cond(_ORDER.phase.to(int) >= 0, _progress()),
            rx.foreach(_SHIPMENTS, _parcel),
            class_name="space-y-6",
            shown=(_ORDER.phase.to(int) >= 0) | (_SHIPMENTS.length() > 0) | _SCHEDULED.bool(),
        ),
        class_name="space-y-4",
    )


def _progress() -> rx.Component:
    phases = {
        end: ui.tracker([_(name) for name in PHASES[end]], _ORDER.phase.to(int), _("Delivery")) for end in DeliveryEnd
    }
    return rx.cond(_PICKUP, phases[DeliveryEnd.PICKUP], phases[DeliveryEnd.DELIVERY])


def _planned() -> rx.Component:
    return rx.cond(
        _SCHEDULED,
        _panel(
            planned_day(_SCHEDULED.day, _SCHEDULED.from_time, _SCHEDULED.until_time, _("Planned delivery")),
            ui.tall_link(_("Change delivery day"), to=f"/delivery-date/{_ORDER.order_number}", shown=_ORDER.can_move),
        ),
        rx.cond(
            _ORDER.delivery_date_open,
            _panel(
                ui.strong(_("There is no delivery day yet"), look="text-lg"),
                rx.cond(
                    _ORDER.preferred_week != "",
                    ui.text(_("You prefer {week}.", week=preferred_week(_WEEK[0], _WEEK[1]))),
                    ui.text(_(DATE_OPEN)),
                ),
                ui.text(
                    ui.text_link(_("Arrange the delivery day with us"), contact_about(Feature.DELIVERY_DATE)), top=1
                ),
            ),
        ),
    )


def _panel(*children: rx.Component) -> rx.Component:
    return rx.el.div(*children, class_name="rounded-control bg-paper p-5")


def _parcel(parcel: rx.vars.ObjectVar[Shipment]) -> rx.Component:
    return rx.el.div(
        ui.block(
            ui.small_heading(rx.cond(parcel.carrier != "", parcel.carrier, _("Your delivery"))),
            ui.text(parcel.contents, shown=parcel.contents != ""),
            ui.muted(on_its_way(parcel.shipped_at, parcel.delivered_at, _PICKUP, _("Not shipped yet"))),
            rx.cond(parcel.tracking_code != "", code_line(parcel.tracking_code)),
        ),
        ui.anchor(
            _("Track with {carrier}", carrier=parcel.carrier),
            href=parcel.tracking_url,
            class_name=ui.button_class("secondary"),
            shown=parcel.tracking_url != "",
        ),
        class_name="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5 "
        "first:border-t-0 first:pt-0",
    )


_NUMBER = rx.cond(is_here(OrderDetail), OrderDetail.subject, "").to(str)
_HEADING = rx.cond(_NUMBER == "", _("Order"), _("Order {number}", number=_NUMBER)).to(str)


def order() -> rx.Component:
    return unless_missing(
        OrderDetail,
        ui.page_frame(
            loaded(OrderDetail, _content(), failure=_("This order couldn’t be loaded."), loading=_loading()),
            title=_HEADING,
            back=ui.back_link(_("Orders"), "/orders"),
        ),
    )


def _content() -> rx.Component:
    shown = OrderDetail.order
    return rx.fragment(
        live_line(OrderDetail, seen=False),
        rx.el.div(
            ui.badge(delivery_status(shown.delivery_status), shown.tone, shown=shown.delivery_status),
            ui.badge(payment_status(shown.payment_status), shown.payment_tone, shown=shown.tells_payment),
            ui.muted(_("Ordered on {day}", day=day(shown.ordered_at))),
            class_name="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2",
        ),
        rx.el.div(
            rx.el.div(_delivery(), lines(), _returning(), class_name="min-w-0 space-y-10"),
            rx.el.div(costs(), invoices(), class_name="space-y-10 lg:sticky lg:top-24 lg:self-start"),
            class_name="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12",
        ),
        addresses_and_agreements(),
    )


def _loading() -> rx.Component:
    return ui.loading_block(
        ui.skeleton("h-7 w-64 rounded-pill"),
        rx.el.div(
            ui.stack(ui.skeleton("h-52 rounded-card"), ui.skeleton("h-64 rounded-card"), gap=10),
            ui.skeleton("h-80 rounded-card"),
            class_name="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12",
        ),
        class_name="mt-4",
    )


PAGES = [
    PageRoute(
        "orders/[order_id]",
        order,
        detail_title(OrderDetail, _HEADING),
        on_load=[OrderDetail.load, OrderDetail.watch],
        first=OrderDetail,
    )
]
