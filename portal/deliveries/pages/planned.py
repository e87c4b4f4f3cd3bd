"""Components for the planned day and for a request for another day, and the page of the mailed link."""

from typing import Any

import reflex as rx

from portal import ui
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
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.links import PATHS, LinkPurpose


def planned_day(
    day: rx.Var[Any], start: rx.Var[Any], until: rx.Var[Any], name: Text, size: str = "text-lg"
) -> rx.Component:
    return rx.el.div(
        ui.muted(name),
        rx.el.p(weekday_day(day), class_name=f"{size} font-semibold first-letter:uppercase"),
        ui.text(_("Between {start} and {end}", start=start, end=until), look="tabular-nums", shown=start),
    )


def planned_line(when: rx.Var[Any], class_name: str) -> rx.Component:
    return rx.el.p(
        _("Planned delivery"),
        ": ",
        rx.el.span(localized(when), class_name="font-semibold tabular-nums"),
        class_name=class_name,
    )


def code_line(code: rx.Var[str]) -> rx.Component:
    return ui.muted(_("Track and trace"), ": ", code, look="break-all tabular-nums")


def parts_heading(count: rx.vars.NumberVar[int]) -> rx.Var[str]:
    several = ngettext("Your order comes in {n} part", "Your order comes in {n} parts", count)
    return rx.cond(count > 1, several, _("Your delivery")).to(str)


def change_notice(change: rx.vars.ObjectVar[ShownDateChange], *further: rx.Component) -> rx.Component:
    return rx.el.div(
        ui.strong(localized(change.account.status)),
        ui.text(localized(change.account.meaning)),
        ui.stack(account_facts(change.account, _("Your request")), top=3),
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
_DOCUMENT = f"{ui.LINK} inline-flex min-h-11 items-center"


def delivery_plan(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    return ui.section(
        _("Delivery day"),
        ui.card(
            rx.el.div(
                rx.cond(order.scheduled, _planned(order), _not_planned(order)),
                _change_day(order),
                class_name="flex flex-wrap items-center justify-between gap-x-8 gap-y-5",
            ),
            ui.stack(
                change_notice(
                    order.change.to(ShownDateChange),
                    ui.text(
                        ui.text_link(_("View your request"), _change_path(order)), top=2, shown=order.change.pending
                    ),
                ),
                top=5,
                shown=order.change.bool() & (order.change.status != DateChangeStatus.CANCELLED),
            ),
        ),
    )


def _planned(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    return rx.el.div(
        ui.muted(_("Planned delivery")),
        ui.strong(localized(order.account.handover.when), look="text-h3 tabular-nums first-letter:uppercase"),
        delivery_calendar_link(order.order_number, _("Add to your calendar"), class_name=_DOCUMENT),
    )


def _not_planned(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    week = order.week.to(list[str])
    return rx.el.div(
        ui.text(_("There is no delivery day yet"), look="text-h3"),
        ui.text(_("You prefer {week}.", week=preferred_week(week[0], week[1])), shown=week[0] != ""),
        rx.foreach(order.account.next_steps, lambda step: ui.muted(localized(step))),
    )


def _change_day(order: rx.vars.ObjectVar[OrderStatus]) -> rx.Component:
    reasons = {code: MESSAGES[code] for code in _REASONS}
    return rx.cond(
        order.change_refusal,
        ui.muted(
            choice(order.change_refusal, reasons),
            look="max-w-sm",
            shown=order.scheduled.bool() & (choice(order.change_refusal, reasons) != ""),
        ),
        ui.link_button(_("Change delivery day"), _change_path(order), "secondary"),
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
