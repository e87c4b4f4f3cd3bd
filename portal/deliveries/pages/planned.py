"""Components for the planned day and for a request for another day, and the page of the mailed link."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.deliveries.api import OrderStatus
from portal.deliveries.pages.state import ShownDateChange
from portal.frontend.accounts import account_facts
from portal.frontend.load_views import delivery_calendar_link
from portal.frontend.registry import PageRoute
from portal.frontend.texts import preferred_week
from portal.i18n import Text, _, choice, ngettext, weekday_day
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.ui import LINK, card, link_button, section, text_link
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.links import PATHS, LinkPurpose


def planned_day(
    day: rx.Var[Any], start: rx.Var[Any], until: rx.Var[Any], name: Text, size: str = "text-lg"
) -> rx.Component:
    """A label with a day and its window below."""
    return rx.el.div(
        rx.el.p(name, class_name="text-ink-600"),
        rx.el.p(weekday_day(day), class_name=f"{size} font-semibold first-letter:uppercase"),
        rx.cond(start, rx.el.p(_("Between {start} and {end}", start=start, end=until), class_name="tabular-nums")),
    )


def planned_line(when: rx.Var[Any], class_name: str) -> rx.Component:
    """The planned day of an account, after its label."""
    return rx.el.p(
        _("Planned delivery"),
        ": ",
        rx.el.span(localized(when), class_name="font-semibold tabular-nums"),
        class_name=class_name,
    )


def code_line(code: rx.Var[str]) -> rx.Component:
    return rx.el.p(_("Track and trace"), ": ", code, class_name="break-all text-ink-600 tabular-nums")


def parts_heading(count: rx.vars.NumberVar[int]) -> rx.Var[str]:
    several = ngettext("Your order comes in {n} part", "Your order comes in {n} parts", count)
    return rx.cond(count > 1, several, _("Your delivery")).to(str)


def change_notice(change: rx.vars.ObjectVar[ShownDateChange], *further: rx.Component) -> rx.Component:
    """A notice with the account of a request: its status, what that means, and the facts."""
    return rx.el.div(
        rx.el.p(localized(change.account.status), class_name="font-semibold"),
        rx.el.p(localized(change.account.meaning)),
        rx.el.div(account_facts(change.account, _("Your request")), class_name="mt-3"),
        *further,
        class_name=rx.match(change.tone, *_NOTICES.items(), "notice border-line-strong bg-paper-2"),
    )


_NOTICES = {
    "ok": "notice border-ok-line bg-ok-bg",
    "warn": "notice border-warn-line bg-warn-bg",
    "err": "notice border-err-line bg-err-bg",
    "info": "notice border-info-line bg-info-bg",
}

_REASONS = (Code.ALREADY_HANDED_OVER, Code.DATE_CHANGE_NOT_OFFERED)
_DOCUMENT = f"{LINK} inline-flex min-h-11 items-center"


def delivery_plan(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    """The section with the planned day, the button to change it, and the latest request."""
    return section(
        _("Delivery day"),
        card(
            rx.el.div(
                rx.cond(order.scheduled, _planned(order), _not_planned(order)),
                _change_day(order),
                class_name="flex flex-wrap items-center justify-between gap-x-8 gap-y-5",
            ),
            rx.cond(
                order.change.bool() & (order.change.status != DateChangeStatus.CANCELLED),
                rx.el.div(
                    change_notice(
                        order.change.to(ShownDateChange),
                        rx.cond(
                            order.change.pending,
                            rx.el.p(text_link(_("View your request"), _change_path(order)), class_name="mt-2"),
                        ),
                    ),
                    class_name="mt-5",
                ),
            ),
        ),
    )


def _planned(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    return rx.el.div(
        rx.el.p(_("Planned delivery"), class_name="text-ink-600"),
        rx.el.p(
            localized(order.account.handover.when),
            class_name="text-h3 font-semibold tabular-nums first-letter:uppercase",
        ),
        delivery_calendar_link(order.order_number, _("Add to your calendar"), class_name=_DOCUMENT),
    )


def _not_planned(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    week = order.week.to(list[str])
    return rx.el.div(
        rx.el.p(_("There is no delivery day yet"), class_name="text-h3"),
        rx.cond(
            week[0] != "",
            rx.el.p(_("You prefer {week}.", week=preferred_week(week[0], week[1]))),
        ),
        rx.foreach(order.account.next_steps, lambda step: rx.el.p(localized(step), class_name="text-ink-600")),
    )


def _change_day(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    """The button to change the day, or why it cannot be changed. A pending request has its own notice instead."""
    reasons = {code: MESSAGES[code] for code in _REASONS}
    return rx.cond(
        order.change_refusal,
        rx.cond(
            order.scheduled.bool() & (choice(order.change_refusal, reasons) != ""),
            rx.el.p(choice(order.change_refusal, reasons), class_name="max-w-sm text-ink-600"),
        ),
        link_button(_("Change delivery day"), _change_path(order), "secondary"),
    )


def _change_path(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Var[str]:
    return rx.Var.create(f"/delivery-date/{order.order_number}")


_ORDER = MailedLink.about.order_number
_FOLLOW = FollowUp(_("Track your order"), f"/order-status/{_ORDER}")
_CHANGE = FollowUp(_("Choose another day"), f"/delivery-date/{_ORDER}")

WORDING = LinkWording(
    ask=_("Confirm your new delivery day"),
    promise=_("One more step: we only receive your request when you press the button."),
    button=_("Confirm new delivery day"),
    done=_("Your new delivery day is confirmed"),
    follow=_FOLLOW,
    used=_("You’ve already confirmed this day"),
    nothing=_("Your order will arrive on the day that was planned."),
    failure=_(MESSAGES[Code.DATE_CHANGE_FAILED]),
    refusals={
        Code.ALREADY_HANDED_OVER: _FOLLOW,
        Code.ORDER_CANCELLED: _FOLLOW,
        Code.COLLECTED_IN_STORE: _FOLLOW,
        Code.DELIVERY_FAILED: _FOLLOW,
        Code.DELIVERY_DAY_TAKEN: _CHANGE,
        Code.DATE_CHANGE_PENDING: FollowUp(_("View your request"), f"/delivery-date/{_ORDER}"),
        Code.DELIVERY_NOT_PLANNED: _FOLLOW,
        Code.DATE_CHANGE_NOT_OFFERED: _FOLLOW,
        Code.NO_DELIVERY_OPTIONS: _CHANGE,
    },
    over=(Code.ORDER_CANCELLED, Code.COLLECTED_IN_STORE, Code.DELIVERY_FAILED),
)


def confirm_delivery() -> rx.Component:
    """The page of the mailed link that confirms another delivery day."""
    return link_page(WORDING)


PAGES = [
    PageRoute(
        f"{PATHS[LinkPurpose.DELIVERY_DATE].strip('/')}/[hash]",
        confirm_delivery,
        link_title(WORDING),
        on_load=[MailedLink.load],
        protected=False,
    )
]
