"""Why no delivery day can be chosen now, and what to do instead: a face for each reason (part-2 §8)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import Text, _, choice, moment
from portal.pages.parts.date_pending import waiting_for_customer, waiting_for_shop
from portal.pages.parts.planned import planned_day
from portal.states.delivery_date import DeliveryDatePage
from portal.states.views.dashboard import contact_about
from portal.ui import action_button, illustrations, link_button
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DateChangeStatus

_DATES: Any = DeliveryDatePage.dates
_CONTACT = contact_about(Feature.DELIVERY_DATE)
_TITLES: dict[str, Text] = {
    "": _("Change delivery date"),
    DateChangeStatus.WAITING_FOR_CUSTOMER: _("One more step: confirm the new day by email"),
    DateChangeStatus.WAITING_FOR_RETAILER: _("We are looking into your new day"),
    Code.ALREADY_HANDED_OVER: _("This delivery can no longer be moved"),
    Code.ORDER_CANCELLED: _("This order was cancelled"),
    Code.COLLECTED_IN_STORE: _("You collect this order in the store"),
    Code.DELIVERY_FAILED: _("This delivery did not succeed"),
    Code.DELIVERY_NOT_PLANNED: _("No delivery day is planned yet"),
    Code.DATE_CHANGE_NOT_OFFERED: _("You cannot move this delivery online"),
    Code.NO_DELIVERY_OPTIONS: _("No delivery days at the moment"),
}


def standing_title() -> rx.Var[str]:
    """The heading of the first page, which is also that of the others while no day can be chosen."""
    return choice(_DATES.standing, _TITLES, _("This delivery cannot be moved now"))


def refused() -> rx.Component:
    """The face of the reason that there is."""
    follow = link_button(_("Follow your order"), f"/order-status/{_DATES.number}")
    contact = link_button(_("Contact us"), _CONTACT, "secondary")
    return rx.fragment(
        rx.match(
            _DATES.standing,
            (DateChangeStatus.WAITING_FOR_CUSTOMER.value, waiting_for_customer()),
            (DateChangeStatus.WAITING_FOR_RETAILER.value, waiting_for_shop()),
            (
                Code.ALREADY_HANDED_OVER.value,
                _face(
                    illustrations.parcel(),
                    _(MESSAGES[Code.ALREADY_HANDED_OVER]),
                    _("Many carriers let you choose another moment themselves. Follow your order to get there."),
                    follow,
                    contact,
                ),
            ),
            (
                Code.ORDER_CANCELLED.value,
                _face(
                    illustrations.empty_road(),
                    _(MESSAGES[Code.ORDER_CANCELLED]),
                    _("Nothing will be delivered, so there is no day to choose."),
                    link_button(_("View your order"), f"/orders/{_DATES.number}"),
                    contact,
                    planned=False,
                ),
            ),
            (
                Code.COLLECTED_IN_STORE.value,
                _face(
                    illustrations.parcel(),
                    _(MESSAGES[Code.COLLECTED_IN_STORE]),
                    _("Follow your order to see whether it is ready for you."),
                    follow,
                    contact,
                    planned=False,
                ),
            ),
            (
                Code.DELIVERY_FAILED.value,
                _face(
                    illustrations.parcel(),
                    _(MESSAGES[Code.DELIVERY_FAILED]),
                    _("Have your order number at hand, and the days that suit you."),
                    link_button(_("Contact us"), _CONTACT),
                    link_button(_("Follow your order"), f"/order-status/{_DATES.number}", "secondary"),
                    planned=False,
                ),
            ),
            (
                Code.DELIVERY_NOT_PLANNED.value,
                _face(
                    illustrations.calendar(),
                    _(MESSAGES[Code.DELIVERY_NOT_PLANNED]),
                    _("We let you know by email as soon as it is known."),
                    follow,
                    contact,
                ),
            ),
            (
                Code.DATE_CHANGE_NOT_OFFERED.value,
                _face(
                    illustrations.calendar(),
                    _(MESSAGES[Code.DATE_CHANGE_NOT_OFFERED]),
                    _("Have your order number at hand, and the days that suit you."),
                    link_button(_("Contact us"), _CONTACT),
                    link_button(_("Follow your order"), f"/order-status/{_DATES.number}", "secondary"),
                ),
            ),
            (
                Code.NO_DELIVERY_OPTIONS.value,
                _face(
                    illustrations.empty_road(),
                    _(MESSAGES[Code.NO_DELIVERY_OPTIONS]),
                    rx.cond(
                        _DATES.retry_at != "",
                        _("From {moment} there may be new days.", moment=moment(_DATES.retry_at)),
                        "",
                    ).to(str),
                    action_button(_("Please try again"), DeliveryDatePage.load, custom_attrs={"data-retry": ""}),
                    contact,
                ),
            ),
            _face(
                illustrations.calendar(),
                choice(
                    _DATES.standing,
                    {Code.DATE_CHANGE_PENDING: MESSAGES[Code.DATE_CHANGE_PENDING]},
                    MESSAGES[Code.DATE_CHANGE_FAILED],
                ),
                _("Our customer service can tell you more."),
                link_button(_("Contact us"), _CONTACT),
            ),
        )
    )


def _face(
    picture: rx.Component, reason: rx.Var[str], hint: rx.Var[str], *actions: rx.Component, planned: bool = True
) -> rx.Component:
    """A reason, and what to do instead. `planned`: whether the day that was planned still counts."""
    day = rx.el.div(
        planned_day(_DATES.day, _DATES.start, _DATES.until, _("Planned delivery")),
        class_name="mt-5 rounded-control bg-paper p-5",
    )
    return rx.el.div(
        rx.el.div(picture, class_name="w-40 text-ink-500"),
        rx.el.p(reason, class_name="mt-5 max-w-form text-lg font-semibold"),
        rx.el.p(hint, class_name="mt-2 max-w-form text-ink-600 empty:hidden"),
        *([rx.cond(_DATES.day != "", day)] if planned else []),
        rx.el.div(*actions, class_name="mt-6 flex flex-wrap gap-3"),
        class_name="card mt-8 md:p-8",
    )
