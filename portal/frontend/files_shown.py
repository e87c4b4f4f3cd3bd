"""Files as customers see them: photos small, videos with a player, the rest by kind and name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import reflex as rx

from portal.frontend.file_views import FileView
from portal.i18n import _, number
from portal.ui import anchor
from portal.vocabulary.files import PLAYED

SIZE: Mapping[str, Any] = MappingProxyType({"width": "112", "height": "84"})
"""Attributes of the small picture of a photo, for which the page keeps room."""


def file_tiles(files: Any) -> rx.Component:
    """The files beside each other, each with its name and size; none can be pressed."""
    return rx.el.ul(
        rx.foreach(
            files.to(list[FileView]),
            lambda file: rx.el.li(
                rx.el.span(tile(file, "aspect-4/3 h-auto w-full"), class_name="file-tile"),
                _caption(file),
                class_name="min-w-0 text-sm",
            ),
        ),
        class_name="file-tiles",
    )


def file_list(files: Any) -> rx.Component:
    return rx.el.ul(rx.foreach(files.to(list[FileView]), _file), class_name="file-tiles", aria_label=_("Files"))


def tile(file: rx.vars.ObjectVar[FileView], class_name: str) -> rx.Component:
    """A photo small, as its owner gets it with the session; of another file the mark of its kind."""
    return rx.cond(
        file.photo,
        rx.el.img(
            src=f"/files/uploads/{file.id}/preview",
            alt=_("Photo {name}", name=file.name),
            loading="lazy",
            class_name=f"thumbnail {class_name}",
            custom_attrs={**SIZE, "decoding": "async", "data-broken": _("Can’t be shown")},
        ),
        rx.el.span(
            file.kind, class_name=f"file-mark {class_name}", custom_attrs={"aria-hidden": True, "data-kind": file.kind}
        ),
    )


def _file(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    played = rx.Var.create(sorted(PLAYED)).to(list[str]).contains(file.kind)
    return rx.el.li(
        rx.cond(
            played,
            rx.fragment(_player(file), _saved(file, _caption(file), class_name="inline-flex min-h-11 items-center")),
            _saved(file, tile(file, "aspect-4/3 h-auto w-full"), _caption(file), class_name="block space-y-1"),
        ),
        class_name=rx.cond(played, "col-span-full max-w-md min-w-0 text-sm", "min-w-0 text-sm"),
    )


def _player(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    """A player of the browser. Nothing of the video is loaded before it is played; then in parts."""
    return rx.el.video(
        src=f"/files/uploads/{file.id}",
        controls=True,
        preload="none",
        class_name="aspect-video w-full rounded-control bg-panel",
        custom_attrs={"playsInline": True, "aria-label": _("Video {name}", name=file.name)},
    )


def _saved(file: rx.vars.ObjectVar[FileView], *inside: rx.Component, class_name: str) -> rx.Component:
    return anchor(*inside, href=f"/files/uploads/{file.id}", download=True, class_name=f"text-ink {class_name}")


def _caption(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    return rx.el.span(
        rx.el.span(file.name, class_name="block truncate", title=file.name),
        rx.el.span(number(file.amount, 1), "\u00a0", file.unit, class_name="block text-ink-600 tabular-nums"),
        class_name="block",
    )
