"""The customer's own things as line drawings; a bike has its frame in its own colour."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.ui import illustrations

_STROKE = {"strokeLinecap": "round", "strokeLinejoin": "round", "fill": "none"}


def bike_art(kind: rx.Var[str], color: rx.Var[str], class_name: str = "w-full h-auto") -> rx.Component:
    """A bike of this kind.

    Args:
        kind: `city_bike`, `e_bike` or `cargo_bike`.
        color: CSS hex colour of the frame.
        class_name: classes of the drawing.
    """
    return rx.fragment(
        rx.match(
            kind,
            ("cargo_bike", _art(_CARGO_LINES, _CARGO_FRAME, color, class_name)),
            ("e_bike", _art([*_WHEELS, _SADDLE], _FRAME, color, class_name, _drive())),
            _art([*_WHEELS, _SADDLE], _FRAME, color, class_name),
        )
    )


def item_art(kind: rx.Var[str], class_name: str = "w-full h-auto") -> rx.Component:
    """What an order line is, small."""
    return rx.fragment(
        rx.match(
            kind,
            ("city_bike", illustrations.city_bike(class_name)),
            ("e_bike", illustrations.e_bike(class_name)),
            ("cargo_bike", illustrations.cargo_bike(class_name)),
            illustrations.parcel(class_name),
        )
    )


def _circle(x: int, y: int, radius: int) -> rx.Component:
    return rx.el.circle(custom_attrs={"cx": str(x), "cy": str(y), "r": str(radius)})


def _path(d: str, **attributes: Any) -> rx.Component:
    return rx.el.path(custom_attrs={"d": d, **attributes})


_FRAME = "M46 82 78 38h52l-34 44H46Zm32-44 18 44M130 38l24 44"
_SADDLE = "M126 24h14l-10 14M68 28h20m-8 0-2 10"
_CARGO_FRAME = "M36 86 62 46h26L72 86H36Zm26-40 10 40m16-40 14 46h46"
_WHEELS = ("46 82 30", "154 82 30")
_CARGO_LINES = ["36 86 26", "168 92 20", "M84 30h14l-8 16M54 36h18m-8 0-2 10", "M104 48h58l-8 32h-42Z"]


def _drive() -> rx.Component:
    """Battery on the down tube, motor at the crank."""
    return rx.el.g(
        _path("M106 69 121 50", strokeWidth="9"),
        rx.el.circle(custom_attrs={"cx": "96", "cy": "82", "r": "8", "fill": "currentColor"}),
        custom_attrs={"stroke": "currentColor", "strokeLinecap": "butt"},
    )


def _art(lines: list[str], frame: str, color: rx.Var[str], class_name: str, *above: rx.Component) -> rx.Component:
    drawn = [_path(line) if line.startswith("M") else _circle(*(int(n) for n in line.split())) for line in lines]
    return rx.el.svg(
        rx.el.g(*drawn, custom_attrs={"stroke": "currentColor", "strokeWidth": "3", **_STROKE}),
        # A dark edge around the colour, so that a white frame is seen on white.
        _path(frame, stroke="currentColor", strokeWidth="8", **_STROKE),
        _path(frame, stroke=color, strokeWidth="4.5", **_STROKE),
        *above,
        class_name=class_name,
        custom_attrs={"viewBox": "0 0 200 120", "aria-hidden": "true", "focusable": "false"},
    )
