"""Pictures on pages: their addresses, and the component that shows one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any

import reflex as rx
from pydantic import BeforeValidator

from portal.contract.models import Picture
from portal.illustrations import HEIGHT, SPOTS, WIDTH
from portal.pictures.rules import KEY, WIDTHS, color_of, drawing_address

SIZE: Mapping[str, Any] = MappingProxyType({"width": str(WIDTH), "height": str(HEIGHT)})
"""Attributes of an image of a picture: the shape of a sheet, known before it has come."""

_PREVIEW = re.compile(r"data:image/webp;base64,[A-Za-z0-9+/=]{1,1200}")


@dataclass(frozen=True, slots=True)
class PictureView:
    """A picture as the browser loads it.

    Attributes:
        sizes: paths of its sizes with their widths, as `srcset` has them; empty for a drawing, which has all sizes.
    """

    src: str = ""
    sizes: str = ""
    first: str = "none"


def picture_view(picture: Picture) -> PictureView:
    """Map a picture. What is not ours by form is replaced by the drawing."""
    if not KEY.fullmatch(picture.key):
        return PictureView(src=drawing_address(picture.drawing, picture.color))
    path = f"/pictures/{picture.key}"
    return PictureView(
        src=f"{path}/{WIDTHS[1]}",
        sizes=", ".join(f"{path}/{width} {width}w" for width in WIDTHS),
        first=f'url("{picture.preview}")' if _PREVIEW.fullmatch(picture.preview) else "none",
    )


ShownPicture = Annotated[
    PictureView, BeforeValidator(lambda found: picture_view(found) if isinstance(found, Picture) else found)
]
"""The picture of a model that a page shows, in place of the one of the API."""


def picture_in(entry: Mapping[str, Any]) -> Picture:
    """The picture in an entry of the facts of a flow; a parcel in one from before there were pictures."""
    return Picture.model_validate(entry.get("picture") or {})


def picture(
    shown: rx.vars.ObjectVar[PictureView] | Any,
    wide: str,
    class_name: str = "",
    *,
    alt: rx.Var[str] | str = "",
    eager: bool = False,
) -> rx.Component:
    """A picture in the shape of a sheet, for which the page keeps room."""
    return rx.el.img(
        src=shown.src,
        src_set=shown.sizes,
        sizes=wide,
        alt=alt,
        loading="eager" if eager else "lazy",
        class_name=f"picture {class_name}".rstrip(),
        custom_attrs={**SIZE, "decoding": "async", "style": {"backgroundImage": shown.first}},
    )


@dataclass(frozen=True, slots=True)
class SpotView:
    """Where a part of a drawn bike is pressed; both in per cent of the drawing."""

    part: str
    left: str
    top: str


@dataclass(frozen=True, slots=True)
class PartsView:
    """A drawn bike of which parts can be pressed; `name` is empty without one."""

    name: str = ""
    src: str = ""
    parts: list[str] = field(default_factory=list)
    spots: list[SpotView] = field(default_factory=list)


def parts_view(picture: Picture) -> PartsView:
    """Map the drawing of a picture, whether or not there is an image too."""
    found = SPOTS.get(picture.drawing)
    if found is None:
        return PartsView()
    return PartsView(
        name=picture.drawing,
        src=drawing_address(picture.drawing, color_of(picture.color)),
        parts=sorted({spot.part for spot in found}),
        spots=[SpotView(spot.part, f"{spot.x / WIDTH:.2%}", f"{spot.y / HEIGHT:.2%}") for spot in found],
    )
