"""Where an order goes, who pays, and what was taken with it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice
from portal.pages.parts.texts import country_name, insurance, package_name, preferred_week
from portal.states.order import OrderDetail
from portal.states.views.order import AddressView
from portal.ui import Fact, card, fact_list
from portal.vocabulary.orders import DELIVERY_METHODS, PAYMENT_METHODS

_ORDER: Any = OrderDetail.order


def people() -> rx.Component:
    """Addresses, delivery and what belongs to the order."""
    return rx.el.div(
        card(
            rx.el.h2(_("Addresses"), class_name="text-h3"),
            rx.el.div(
                _address(_("Delivery address"), _ORDER.shipping),
                rx.cond(
                    _ORDER.same_address,
                    rx.el.div(
                        rx.el.h3(_("Billing address"), class_name="text-base font-semibold"),
                        rx.el.p(_("Same as the delivery address"), class_name="text-ink-600"),
                    ),
                    _address(_("Billing address"), _ORDER.billing),
                ),
                class_name="mt-4 grid gap-6 sm:grid-cols-2",
            ),
        ),
        card(
            rx.el.h2(_("Agreements"), class_name="text-h3"),
            rx.el.div(
                fact_list(
                    [
                        Fact(
                            _("Delivery method"),
                            choice(_ORDER.delivery_method, DELIVERY_METHODS, _ORDER.delivery_method),
                        ),
                        Fact(
                            _("Payment method"), choice(_ORDER.payment_method, PAYMENT_METHODS, _ORDER.payment_method)
                        ),
                        Fact(
                            _("Preferred delivery week"),
                            preferred_week(_ORDER.preferred_week, _ORDER.preferred_from),
                            shown=_ORDER.preferred_week != "",
                        ),
                        Fact(
                            _("Service package"),
                            rx.cond(_ORDER.package == "", _("None"), package_name(_ORDER.package)),
                        ),
                        Fact(_("Insurance"), insurance(_ORDER.insurance)),
                    ]
                ),
                class_name="mt-2",
            ),
        ),
        class_name="mt-10 grid gap-5 lg:grid-cols-2",
    )


def _address(name: Text, address: rx.vars.ObjectVar[AddressView]) -> rx.Component:
    return rx.el.div(
        rx.el.h3(name, class_name="text-base font-semibold"),
        rx.el.address(
            *[
                rx.el.span(line, class_name="block")
                for line in (address.name, address.street, address.place, country_name(address.country))
            ],
            class_name="not-italic text-ink-600",
        ),
    )
