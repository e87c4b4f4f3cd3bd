"""What is in a return, and what the customer said about it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice, day, moment, ngettext, number, weekday_day
from portal.pages.parts.bike_art import item_art
from portal.pages.parts.texts import country_name
from portal.states.views.returns import ReturnItemView
from portal.ui import anchor, button_class, card, copy_button, text_link
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import BATTERY_NAMES, EXCHANGE_NAMES, METHOD_NAMES, REASON_NAMES, STATE_NAMES


def items(found: Any) -> rx.Component:
    """The items, unit by unit where some arrived or came back to the customer."""
    return rx.el.ul(
        rx.foreach(found.articles, _item), class_name="divide-y divide-line rounded-card border border-line bg-white"
    )


def _item(item: rx.vars.ObjectVar[ReturnItemView]) -> rx.Component:
    return rx.el.li(
        rx.el.div(item_art(item.kind), class_name="w-16 shrink-0 text-ink md:w-24"),
        rx.el.div(
            rx.el.h3(item.name, class_name="text-base font-semibold"),
            rx.cond(item.details != "", rx.el.p(item.details, class_name="text-ink-600")),
            rx.cond(
                item.frames != "",
                rx.el.p(_("Frame number {frame}", frame=item.frames), class_name="text-ink-600 tabular-nums"),
            ),
            rx.cond(
                (item.received.to(int) > 0) & (item.received != item.count),
                rx.el.p(
                    _("{n} of {total} have arrived", n=item.received, total=item.count),
                    class_name="text-sm text-ink-600",
                ),
            ),
            rx.cond(
                item.given_back.to(int) > 0,
                rx.el.p(
                    ngettext("{n} stays with you", "{n} stay with you", item.given_back),
                    class_name="text-sm text-ink-600",
                ),
            ),
            class_name="min-w-0 grow",
        ),
        rx.el.p(_("{n}×", n=item.count), class_name="shrink-0 font-semibold tabular-nums"),
        class_name="flex items-center gap-4 p-4 md:gap-6 md:px-6",
    )


def facts(found: Any) -> rx.Component:
    """Number, days, answers, and the way it comes back."""
    reference = rx.el.span(
        rx.el.span(found.spoken, class_name="text-lg font-semibold tracking-wider tabular-nums"),
        copy_button(found.reference, _("Copy reference number")),
        class_name="flex flex-wrap items-center gap-x-4",
    )
    return card(
        rx.el.dl(
            _fact(_("Reference number"), reference),
            _fact(_("Order number"), text_link(found.order_number, f"/orders/{found.order_number}")),
            _known(_("Frame number"), found.frames),
            _fact(
                _("Requested on"),
                rx.cond(found.declared.name != "", moment(found.requested_at), day(found.requested)).to(str),
            ),
            _known(_("Declared by"), found.declared.name),
            _known(_("Reason"), choice(found.reason, REASON_NAMES), found.reason),
            _known(_("In your words"), found.reason_text),
            _known(_("State"), choice(found.state, STATE_NAMES), found.state),
            _known(_("Mileage"), _("{n} km", n=number(found.mileage)), found.mileage),
            _known(_("Battery"), choice(found.battery, BATTERY_NAMES), found.battery),
            _known(_("Exchange"), choice(found.exchange, EXCHANGE_NAMES), found.exchange),
            _known(_("New item"), found.product),
            _known(_("How"), choice(found.method, METHOD_NAMES), found.method),
            rx.cond(found.store.name != "", _fact(_("Store"), _store(found.store))),
            rx.cond(found.pickup_day != "", _fact(_("Pick-up"), _pickup(found))),
            _known(_("Phone number"), found.phone),
            _known(_("Remarks"), found.remarks),
            class_name="space-y-4",
        ),
    )


def _fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        rx.el.dd(value, class_name="break-words whitespace-pre-line"),
    )


def _known(name: Text, value: rx.Var[str], known: rx.Var[str] | None = None) -> rx.Component:
    """A fact that is left out while it is not known."""
    return rx.cond((value if known is None else known) != "", _fact(name, value))


def _store(store: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(store.name, class_name="font-semibold"),
        rx.el.p(store.street),
        rx.el.p(store.place),
        rx.el.div(
            rx.cond(
                store.phone_number != "",
                anchor(
                    _("Call {phone}", phone=store.phone),
                    href=f"tel:{store.phone_number}",
                    class_name=f"{button_class('secondary')} tabular-nums",
                ),
            ),
            rx.cond(
                store.route != "",
                anchor(
                    _("Plan your route"),
                    rx.el.span(" ", _("(opens a map in a new tab)"), class_name="sr-only"),
                    href=store.route,
                    target="_blank",
                    rel="noreferrer",
                    class_name=button_class("secondary"),
                ),
            ),
            class_name="mt-3 flex flex-wrap gap-3",
        ),
    )


def _pickup(found: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(weekday_day(found.pickup_day), class_name="font-semibold first-letter:uppercase"),
        rx.el.p(choice(found.pickup_window, WINDOW_NAMES)),
        rx.el.address(
            rx.foreach(found.address, lambda line: rx.el.span(line, class_name="block")),
            rx.cond(found.country != "", rx.el.span(country_name(found.country), class_name="block")),
            class_name="mt-2 not-italic",
        ),
    )
