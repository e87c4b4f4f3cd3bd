"""Line drawings for empty pages and notes: one line weight, in the text colour, one part in orange.

What the shop sells is drawn in `portal.illustrations`.
"""

from typing import Any

import reflex as rx

_WHEELS = (("circle", {"cx": "46", "cy": "82", "r": "30"}), ("circle", {"cx": "154", "cy": "82", "r": "30"}))
_FRAME = "M46 82 78 38h52l-34 44H46Zm32-44 18 44M130 38l24 44M126 24h14l-10 14M68 28h20m-8 0-2 10"
_TOP_TUBE = "M84 44h36"

Shape = tuple[str, dict[str, Any]]


def _drawing(
    *shapes: Shape, signal: str = "", class_name: str = "w-full h-auto", box: str = "0 0 200 120"
) -> rx.Component:
    accent = [("path", {"d": signal, "stroke": "var(--color-signal)", "strokeWidth": "7"})] if signal else []
    return rx.el.svg(
        *[_shape(name, attributes) for name, attributes in (*shapes, *accent)],
        class_name=class_name,
        custom_attrs={
            "viewBox": box,
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": "3.5",
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
            "aria-hidden": "true",
            "focusable": "false",
        },
    )


def _shape(name: str, attributes: dict[str, Any]) -> rx.Component:
    return getattr(rx.el, name)(custom_attrs=attributes)


def _line(d: str) -> Shape:
    return ("path", {"d": d})


def city_bike(class_name: str = "w-full h-auto") -> rx.Component:
    """A bike with an orange top tube; also the logo of the shop."""
    return _drawing(*_WHEELS, _line(_FRAME), signal=_TOP_TUBE, class_name=class_name)


def parcel(class_name: str = "w-full h-auto") -> rx.Component:
    """A parcel with orange tape."""
    return _drawing(
        _line("M56 42 100 24l44 18v46l-44 20-44-20Zm0 0 44 18 44-18M100 60v48"),
        signal="M78 33 122 51",
        class_name=class_name,
    )


def workshop(class_name: str = "w-full h-auto") -> rx.Component:
    """A workshop with its shutter half open."""
    return _drawing(
        _line("M40 106V48l60-28 60 28v58M28 106h144M64 106V62h72v44M64 74h72M64 84h72"),
        signal="M64 62h72",
        class_name=class_name,
    )


def shield(class_name: str = "w-full h-auto") -> rx.Component:
    """A shield, for insurance."""
    return _drawing(
        _line("M100 16 142 30v30c0 24-18 38-42 46-24-8-42-22-42-46V30Z"),
        signal="M84 60l12 12 22-24",
        class_name=class_name,
    )


def calendar(class_name: str = "w-full h-auto") -> rx.Component:
    """A calendar, for choosing a day."""
    return _drawing(
        _line(
            "M58 32h84a8 8 0 0 1 8 8v58a8 8 0 0 1-8 8H58a8 8 0 0 1-8-8V40a8 8 0 0 1 8-8ZM50 54h100M76 22v18M124 22v18"
        ),
        signal="M88 78l8 8 16-16",
        class_name=class_name,
    )


def empty_track(class_name: str = "w-full h-auto") -> rx.Component:
    """An empty track, for empty lists."""
    return _drawing(
        _line(
            "M10 58h180M62 112 94 58m44 54-32-54M128 58c8-16 30-20 42 0"
            "M44 58V38m0-24a12 12 0 0 1 0 24 12 12 0 0 1 0-24Z"
        ),
        signal="M100 112V96m0-11v-9m0-8v-5",
        class_name=class_name,
    )


def broken_chain(class_name: str = "w-full h-auto") -> rx.Component:
    """A broken chain, for errors."""
    return _drawing(
        _line(
            "M30 60a14 14 0 0 1 14-14h20a14 14 0 0 1 0 28H44a14 14 0 0 1-14-14Zm44 0h10"
            "M126 60h-10m10 0a14 14 0 0 1 14-14h16a14 14 0 0 1 0 28h-16a14 14 0 0 1-14-14Z"
        ),
        signal="M92 46l6-14m6 42-4 16m10-40 10-10",
        class_name=class_name,
    )


def invoice(class_name: str = "w-full h-auto") -> rx.Component:
    """Where to find the order number on an invoice: top left."""
    return _drawing(
        _line("M56 8h88v104H56ZM70 46h60M70 60h60M70 74h60M70 88h36"),
        signal="M70 26h28",
        class_name=class_name,
    )


def frame_number(class_name: str = "w-full h-auto") -> rx.Component:
    """Where to find the frame number: under the bike, between the pedals."""
    return _drawing(*_WHEELS, _line(_FRAME), _line("M96 82v14m-8 0h16"), signal="M90 104h12", class_name=class_name)
