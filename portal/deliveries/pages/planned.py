"""The planned day of an order: as it stands, for a calendar, and the way to another one."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import _, choice
from portal.pages.downloads import delivery_calendar_link
from portal.pages.parts.planned import change_notice, planned_day
from portal.pages.parts.texts import preferred_week
from portal.ui import LINK, card, link_button, section, text_link
from portal.vocabulary.deliveries import DateChangeStatus

_REASONS = (Code.ALREADY_HANDED_OVER, Code.DATE_CHANGE_NOT_OFFERED)
_PAPER = f"{LINK} inline-flex min-h-11 items-center"


def delivery_plan(order: Any) -> rx.Component:
    """The planned day of an order, with what can be done about it.

    Args:
        order: an `OrderStatusView`.
    """
    return section(
        _("Delivery day"),
        card(
            rx.el.div(
                rx.cond(order.day != "", _planned(order), _not_planned(order)),
                _change_day(order),
                class_name="flex flex-wrap items-center justify-between gap-x-8 gap-y-5",
            ),
            rx.cond(
                (order.change.status != "") & (order.change.status != DateChangeStatus.CANCELLED),
                rx.el.div(
                    change_notice(
                        order.change,
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


def _planned(order: Any) -> rx.Component:
    return rx.el.div(
        planned_day(order.day, order.start, order.until, _("Planned delivery"), "text-h3"),
        delivery_calendar_link(order.number, _("Add to your calendar"), class_name=_PAPER),
    )


def _not_planned(order: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(_("The delivery date is still open"), class_name="text-h3"),
        rx.cond(
            order.week != "",
            rx.el.p(_("You prefer {week}.", week=preferred_week(order.week, order.week_from))),
        ),
        rx.el.p(_("We let you know by email as soon as it is known."), class_name="text-ink-600"),
    )


def _change_day(order: Any) -> rx.Component:
    """The way to another day; or why the planned one stays, unless the page says it anyway: a wish that waits."""
    reasons = {code: MESSAGES[code] for code in _REASONS}
    return rx.cond(
        order.refusal == "",
        link_button(_("Change delivery date"), _change_path(order), "secondary"),
        rx.cond(
            (order.day != "") & (choice(order.refusal, reasons) != ""),
            rx.el.p(choice(order.refusal, reasons), class_name="max-w-sm text-ink-600"),
        ),
    )


def _change_path(order: Any) -> rx.Var[str]:
    return rx.Var.create(f"/delivery-date/{order.number}")
