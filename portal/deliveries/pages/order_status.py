"""The order status page (part-2 §2 Order status): phases, planned day, shipments and history."""

from __future__ import annotations

import reflex as rx

from portal.deliveries.pages.planned import delivery_plan
from portal.deliveries.pages.shipments import delivery_history, shipments, to_come
from portal.deliveries.pages.state import OrderStatusPage
from portal.deliveries.pages.views import DeliveryEventView, ItemView, PartView
from portal.frontend.actions import contact_about
from portal.frontend.live import live_line, request_loading
from portal.frontend.load_views import detail_title, is_here, loaded, status_panel, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.texts import track_with
from portal.i18n import _, day, ngettext
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages.views import picture
from portal.ui import (
    Fact,
    anchor,
    back_link,
    badge,
    button_class,
    card,
    copy_button,
    fact_list,
    link_button,
    page_frame,
    section,
)
from portal.ui.lists import tracker
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import FINISHED, STUCK

_NUMBER = rx.cond(is_here(OrderStatusPage), OrderStatusPage.subject, "").to(str)
_ORDER = OrderStatusPage.order
_HEADING = rx.cond(_NUMBER == "", _("Order status"), _("Status of order {number}", number=_NUMBER)).to(str)


def order_status() -> rx.Component:
    return unless_missing(
        OrderStatusPage,
        page_frame(
            loaded(
                OrderStatusPage, _content(), failure=_(MESSAGES[Code.ORDER_STATUS_FAILED]), loading=request_loading()
            ),
            title=_HEADING,
            back=back_link(_("Order {number}", number=_NUMBER), f"/orders/{_NUMBER}"),
        ),
    )


def _content() -> rx.Component:
    several = _ORDER.parts.length() + rx.cond(_ORDER.unshipped.length() > 0, 1, 0).to(int) > 1
    return rx.fragment(
        _status_block(),
        live_line(OrderStatusPage, _status()),
        rx.cond(_ORDER.phase.to(int) >= 0, rx.el.div(_progress(), class_name="mt-6")),
        rx.cond(_ORDER.planned | _ORDER.undated, delivery_plan(_ORDER)),
        rx.el.div(
            rx.el.div(_parts(several), _history(several), class_name="min-w-0"),
            _facts(),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _status() -> rx.Var[str]:
    return localized(_ORDER.account.status)


def _status_block() -> rx.Component:
    """The block at the top: status, meaning, and a contact button if the delivery is stuck."""
    stuck = rx.Var.create([status.value for status in STUCK]).contains(_ORDER.status)
    return status_panel(
        badge(_status(), _ORDER.tone),
        rx.el.p(localized(_ORDER.account.meaning), class_name="mt-4 text-h3 md:text-h2"),
        rx.cond(
            _ORDER.planned,
            rx.el.p(
                _("Planned delivery"),
                ": ",
                rx.el.span(localized(_ORDER.account.handover.when), class_name="font-semibold tabular-nums"),
                class_name="mt-3 text-lg",
            ),
        ),
        rx.cond(_ORDER.name != "", rx.el.p(_ORDER.name, class_name="mt-3 font-semibold")),
        rx.el.p(_("Ordered on {day}", day=day(_ORDER.ordered))),
        rx.foreach(_ORDER.parts.to(list[PartView]), _carrier_link),
        rx.cond(
            stuck,
            rx.el.div(link_button(_("Contact us"), contact_about(Feature.ORDER_STATUS), "light"), class_name="mt-6"),
        ),
        picture=picture(_ORDER.picture, "(min-width: 64rem) 24rem, 18rem", "w-full"),
    )


def _carrier_link(part: rx.vars.ObjectVar[PartView]) -> rx.Component:
    return rx.cond(
        (part.url != "") & (part.url == _ORDER.followed),
        rx.el.p(
            anchor(
                track_with(part.carrier),
                rx.el.span(" ", _("(opens in a new tab)"), class_name="sr-only"),
                href=part.url,
                target="_blank",
                rel="noreferrer",
                class_name=button_class("light"),
            ),
            class_name="mt-6",
        ),
    )


def _progress() -> rx.Component:
    phases = [localized(_ORDER.account.phases[place]) for place in range(FINISHED)]
    return tracker(phases, _ORDER.phase.to(int), _("Progress of your order"))


def _parts(several: rx.Var[bool]) -> rx.Component:
    parts, unshipped = _ORDER.parts.to(list[PartView]), _ORDER.unshipped.to(list[ItemView])
    return rx.cond(
        (parts.length() > 0) | (unshipped.length() > 0),
        section(
            rx.cond(
                parts.length() > 1,
                ngettext("Your order comes in {n} part", "Your order comes in {n} parts", parts.length()),
                _("Your delivery"),
            ).to(str),
            rx.cond(
                _ORDER.partly,
                rx.el.p(
                    _("Part of your order is already on its way or delivered; the rest will follow."),
                    class_name="mb-4 text-ink-600",
                ),
            ),
            shipments(parts, several, _ORDER.followed),
            rx.cond(
                unshipped.length() > 0,
                rx.cond(
                    parts.length() > 0,
                    rx.el.div(
                        to_come(
                            unshipped, _("Still to come"), _("This has not been shipped yet. We’ll send it later.")
                        ),
                        class_name="mt-4",
                    ),
                    to_come(unshipped, _("What you ordered")),
                ),
            ),
        ),
    )


def _history(several: rx.Var[bool]) -> rx.Component:
    events = _ORDER.events.to(list[DeliveryEventView])
    return rx.cond(events.length() > 0, section(_("What happened"), delivery_history(events, several)))


def _facts() -> rx.Component:
    handover = _ORDER.account.handover
    return section(
        _("Your order"),
        card(
            fact_list(
                [
                    Fact(_("Order number"), _NUMBER, action=copy_button(_NUMBER, _("Copy order number"))),
                    Fact(_("Ordered on"), day(_ORDER.ordered)),
                    Fact(_("Delivery method"), localized(handover.how), shown=localized(handover.how) != ""),
                    Fact(
                        _("Delivery address"),
                        rx.fragment(rx.foreach(handover.place, lambda line: rx.el.span(line, class_name="block"))),
                        shown=handover.place.length() > 0,
                    ),
                ]
            ),
            rx.el.div(
                link_button(_("Items, prices and invoices"), f"/orders/{_NUMBER}", "secondary"), class_name="mt-5"
            ),
            class_name="[&_.facts]:border-t-0 [&_.facts]:-mt-2",
        ),
    )


PAGES = [
    PageRoute(
        "order-status/[order_id]",
        order_status,
        detail_title(OrderStatusPage, _HEADING),
        on_load=[OrderStatusPage.load, OrderStatusPage.watch],
        first=OrderStatusPage,
    )
]
