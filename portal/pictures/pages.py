"""Pictures on pages: their addresses, and the component that shows one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import reflex as rx

from portal.contract.models import Picture
from portal.illustrations import HEIGHT, SPOTS, WIDTH
from portal.pictures.rules import WIDTHS, color_of, drawing_address

SIZE: Mapping[str, Any] = MappingProxyType({"width": str(WIDTH), "height": str(HEIGHT)})
"""Attributes of an image of a picture: the shape of a sheet, known before it has come."""


def picture(
    shown: rx.Var[Any] | Picture, wide: str, class_name: str = "", *, alt: rx.Var[str] | str = "", eager: bool = False
) -> rx.Component:
    found = rx.Var.create(shown).to(Picture)
    key, image = found.key, f"/pictures/{found.key}"
    drawn = f"/drawings/{found.drawing}/{found.color.to(str)[1:]}.svg"
    return rx.el.img(
        src=rx.cond(key, f"{image}/{WIDTHS[1]}", drawn),
        src_set=rx.cond(key, ", ".join(f"{image}/{width} {width}w" for width in WIDTHS), ""),
        sizes=wide,
        alt=alt,
        loading="eager" if eager else "lazy",
        class_name=f"picture {class_name}".rstrip(),
        custom_attrs={
            **SIZE,
            "decoding": "async",
            "style": {"backgroundImage": rx.cond(found.preview, f'url("{found.preview}")', "none")},
        },
    )


@dataclass(frozen=True, slots=True)
class SpotView:
    """Where a part of a drawn bike is pressed; both in per cent of the drawing."""

    part: str
    left: str
    top: str


@dataclass(frozen=True, slots=True)
class PartsView:
    name: str = ""
    src: str = ""
    parts: list[str] = field(default_factory=list)
    spots: list[SpotView] = field(default_factory=list)


def parts_view(picture: Picture) -> PartsView:
    found = SPOTS.get(picture.drawing)
    if found is None:
        return PartsView()
    return PartsView(
        name=picture.drawing,
        src=drawing_address(picture.drawing, color_of(picture.color)),
        parts=sorted({spot.part for spot in found}),
        spots=[SpotView(spot.part, f"{spot.x / WIDTH:.2%}", f"{spot.y / HEIGHT:.2%}") for spot in found],
    )
