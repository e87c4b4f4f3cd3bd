"""Files of a request or a message, as customers see them: photos small, videos with a player, the rest by name."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.frontend.file_views import FileView
from portal.i18n import _, number
from portal.ui import anchor
from portal.vocabulary.files import PLAYED


def file_list(files: Any) -> rx.Component:
    """The files, each of which can be saved.

    Args:
        files: a list of `FileView`.
    """
    return rx.el.ul(
        rx.foreach(files.to(list[FileView]), _file), class_name="flex flex-wrap gap-3", aria_label=_("Files")
    )


def _file(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    played = rx.Var.create(sorted(PLAYED)).to(list[str]).contains(file.kind)
    return rx.el.li(
        rx.cond(
            file.photo,
            _saved(
                file,
                rx.el.img(
                    src=f"/files/uploads/{file.id}/preview",
                    alt=_("Photo {name}", name=file.name),
                    loading="lazy",
                    class_name="h-24 w-24 rounded-control bg-paper-2 object-cover",
                ),
            ),
            rx.fragment(rx.cond(played, _player(file)), _saved(file, _name(file))),
        ),
        class_name=rx.cond(played, "w-full max-w-md", ""),
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


def _saved(file: rx.vars.ObjectVar[FileView], inside: rx.Component) -> rx.Component:
    return anchor(inside, href=f"/files/uploads/{file.id}", download=True, class_name="block")


def _name(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    return rx.el.span(
        rx.el.span(file.name, class_name="wrap-anywhere underline"),
        rx.el.span(" (", number(file.amount, 1), "\u00a0", file.unit, ")", class_name="text-sm text-ink-600"),
        class_name="inline-flex min-h-11 flex-wrap items-center gap-x-1",
    )
