"""Components of the order status page: a card per shipment, one for unshipped items, and the history."""

from __future__ import annotations

import reflex as rx

from portal.deliveries.pages.views import DeliveryEventView, ItemView, PartView
from portal.frontend.texts import delivery_status, track_with
from portal.i18n import Text, _, day, lowered
from portal.i18n.messages import localized
from portal.pictures.pages.views import picture
from portal.ui import LINK, anchor, badge, button_class, card, copy_button
from portal.ui.lists import event_line, note, timeline
from portal.vocabulary.deliveries import DeliveryStatus


def on_its_way(parcel: rx.vars.ObjectVar, collected: rx.Var[bool], otherwise: Text) -> rx.Var[str]:
    last = day(parcel.delivered)
    arrived = rx.cond(collected, _("Picked up on {day}", day=last), _("Delivered on {day}", day=last))
    left = rx.cond(parcel.shipped != "", _("Shipped on {day}", day=day(parcel.shipped)), otherwise)
    return rx.cond(parcel.delivered != "", arrived, left).to(str)


def shipments(parts: rx.vars.ArrayVar[list[PartView]], several: rx.Var[bool], followed: rx.Var[str]) -> rx.Component:
    """A card per shipment."""
    return rx.el.ul(
        rx.foreach(parts, lambda part: _part(part, several, parts.length(), followed)),
        class_name="space-y-4",
    )


def to_come(items: rx.vars.ArrayVar[list[ItemView]], name: Text, note: Text | None = None) -> rx.Component:
    """A card with the items that are in no shipment yet."""
    return card(
        rx.el.h3(name, class_name="text-base font-semibold"),
        *([rx.el.p(note, class_name="text-ink-600")] if note is not None else []),
        _content(items),
    )


def _part(
    part: rx.vars.ObjectVar[PartView], several: rx.Var[bool], total: rx.vars.NumberVar[int], followed: rx.Var[str]
) -> rx.Component:
    name = rx.cond(
        several,
        # The only shipment of an incomplete order is "Part 1", not "Part 1 of 1".
        rx.cond(total > 1, _("Part {n} of {total}", n=part.part, total=total), _("Part {n}", n=part.part)),
        rx.cond(part.carrier != "", part.carrier, _("Your delivery")),
    ).to(str)
    return rx.el.li(
        rx.el.div(
            rx.el.h3(name, class_name="text-base font-semibold"),
            # A single shipment has the status of the order, which the page shows already.
            rx.cond(several, badge(localized(part.label), part.tone)),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2",
        ),
        # A delivered shipment shows its delivery day below instead. The status block explains a single shipment.
        rx.cond(several & (part.delivered == ""), rx.el.p(localized(part.meaning), class_name="mt-1")),
        rx.cond(
            several & (localized(part.when) != ""),
            rx.el.p(
                _("Planned delivery"),
                ": ",
                rx.el.span(localized(part.when), class_name="font-semibold tabular-nums"),
                class_name="mt-2",
            ),
        ),
        rx.el.p(
            on_its_way(part, part.status == DeliveryStatus.ORDER_PICKED_UP.value, ""),
            class_name="mt-1 text-ink-600 empty:hidden",
        ),
        rx.cond(part.content.length() > 0, _content(part.content.to(list[ItemView]))),
        rx.cond((part.code != "") | (part.url != "") | several, _tracking(part, several, followed)),
        class_name="card",
        key=part.part.to_string(),
    )


def _tracking(part: rx.vars.ObjectVar[PartView], several: rx.Var[bool], followed: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.cond(several & (part.carrier != ""), rx.el.p(part.carrier, class_name="font-semibold")),
            rx.cond(
                part.code != "",
                rx.el.div(
                    rx.el.p(_("Track and trace"), ": ", part.code, class_name="break-all text-ink-600 tabular-nums"),
                    copy_button(part.code, _("Copy track and trace code")),
                ),
            ),
            class_name="min-w-0",
        ),
        rx.cond(
            (part.url != "") & (part.url != followed),
            anchor(
                track_with(part.carrier),
                rx.el.span(" ", _("(opens in a new tab)"), class_name="sr-only"),
                href=part.url,
                target="_blank",
                rel="noreferrer",
                class_name=button_class("secondary"),
            ),
        ),
        class_name="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5 "
        "empty:hidden",
    )


def _content(items: rx.vars.ArrayVar[list[ItemView]]) -> rx.Component:
    return rx.el.ul(rx.foreach(items, _item), class_name="mt-4 space-y-3")


def _item(item: rx.vars.ObjectVar[ItemView]) -> rx.Component:
    name = rx.cond(item.quantity.to(int) > 1, _("{n} × {name}", n=item.quantity, name=item.name), item.name).to(str)
    return rx.el.li(
        picture(item.picture, "6rem", "w-20 md:w-24"),
        rx.el.div(
            rx.cond(
                item.bike_id != "",
                rx.el.a(name, to=f"/bikes/{item.bike_id}", class_name=f"{LINK} inline-flex min-h-6 items-center"),
                rx.el.p(name),
            ),
            rx.cond(item.detail != "", rx.el.p(item.detail, class_name="text-sm text-ink-600")),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-4",
    )


def delivery_history(events: rx.vars.ArrayVar[list[DeliveryEventView]], several: rx.Var[bool]) -> rx.Component:
    return timeline(events, lambda event, newest: _event(event, several, newest))


def _event(event: rx.vars.ObjectVar[DeliveryEventView], several: rx.Var[bool], newest: rx.Var[bool]) -> rx.Component:
    status = rx.cond(event.moved, delivery_status(event.status), _("Message from us")).to(str)
    part = event.part.to(int)
    name = rx.cond(several & (part > 0), _("Part {n}: {status}", n=part, status=lowered(status)), status).to(str)
    return event_line(name, event.at, note(event.note), newest=newest)
