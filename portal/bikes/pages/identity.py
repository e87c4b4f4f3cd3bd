"""What a customer recognises a bike by: the same lines in every list that has several bikes of one model."""

from __future__ import annotations

from dataclasses import dataclass, field

import reflex as rx

from portal.i18n import _, day
from portal.pictures.pages.views import PictureView, picture


@dataclass(frozen=True, slots=True)
class BikeIdentity:
    """What a view of a bike has for `bike_lines`. An empty frame number is unknown; days are ISO 8601."""

    bike_id: str = ""
    name: str = ""
    picture: PictureView = field(default_factory=PictureView)
    color: str = ""
    frame_number: str = ""
    order_number: str = ""
    order_day: str = ""


def bike_row(bike: rx.vars.ObjectVar[BikeIdentity]) -> rx.Component:
    """Picture, name and lines of a bike. Spans, so that it may stand in a label."""
    return rx.el.span(
        picture(bike.picture, "(min-width: 40rem) 8rem, 5rem", "w-18 sm:w-32"),
        rx.el.span(
            rx.el.span(bike.name, class_name="block font-semibold"),
            bike_lines(bike),
            class_name="min-w-0",
        ),
        class_name="flex min-w-0 items-center gap-4",
    )


def bike_lines(bike: rx.vars.ObjectVar[BikeIdentity]) -> rx.Component:
    """The lines that tell a bike from another of its model: colour, frame number, order with its day."""
    return rx.el.span(
        rx.cond(bike.color != "", rx.el.span(bike.color, class_name="block")),
        frame_line(bike.frame_number),
        rx.el.span(
            _("Order {number}, {day}", number=bike.order_number, day=day(bike.order_day)), class_name="block text-sm"
        ),
        class_name="block text-ink-600 tabular-nums",
    )


def bike_mark(bike: rx.vars.ObjectVar[BikeIdentity]) -> rx.Component:
    """The same for those who hear a link or a button: colour, and frame number or order."""
    told = rx.cond(
        bike.frame_number == "",
        _("Order {number}", number=bike.order_number),
        _("Frame number {frame}", frame=bike.frame_number),
    )
    return rx.el.span(", ", rx.cond(bike.color != "", bike.color.to(str) + ", ", ""), told, class_name="sr-only")


def frame_line(number: rx.Var[str]) -> rx.Component:
    frame = rx.cond(number == "", _("unknown"), number).to(str)
    return rx.el.span(_("Frame number {frame}", frame=frame), class_name="block text-ink-600 tabular-nums")
