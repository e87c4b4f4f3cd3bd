"""Files on staff pages: small pictures of them, and the viewer that opens one."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.ui import anchor
from portal.ui.browser import module
from portal.vocabulary.files import PLAYED


class _OpenFile(rx.Component):
    library = module("desk_viewer")
    tag = "OpenFile"

    address: rx.Var[str]
    name: rx.Var[str]
    video: rx.Var[str]
    texts: rx.Var[dict[str, str]]


def file_tile(
    address: rx.Var[str], preview: rx.Var[str], name: rx.Var[str], kind: rx.Var[str], note: Any = None
) -> rx.Component:
    """A small picture of a file with its name. A photo or a video opens in the viewer, a PDF in a tab of its own."""
    video = rx.Var.create(sorted(PLAYED)).to(list[str]).contains(kind)
    inside = (
        rx.cond(
            preview != "",
            rx.el.img(src=preview, alt="", loading="lazy", class_name="h-20 w-28 rounded-control object-cover"),
            rx.el.span(
                rx.cond(video, _("Video"), kind),
                class_name=(
                    "flex h-20 w-28 items-center justify-center rounded-control bg-paper-2 text-sm font-semibold "
                    "text-ink-700"
                ),
            ),
        ),
        rx.el.span(name, class_name="block max-w-28 truncate text-sm"),
        *([] if note is None else [note]),
    )
    texts: dict[str, Text] = {
        "larger": _("Zoom in"),
        "smaller": _("Zoom out"),
        "turn": _("Rotate"),
        "tab": _("Open in a tab"),
        "close": _("Close"),
        "picture": _("Photo"),
        "keys": _("Keys: + and - to zoom in and out, 0 for the whole photo, r and l to rotate."),
        "broken": _("This file can’t be shown here. Open it in a tab."),
    }
    return rx.cond(
        (preview != "") | video,
        _OpenFile.create(
            *inside,
            address=address,
            name=name,
            video=rx.cond(video, "true", "false"),
            texts=rx.Var.create(texts).to(dict[str, str]),
            class_name="block text-left",
        ),
        anchor(*inside, href=address, target="_blank", class_name="block text-ink"),
    )
