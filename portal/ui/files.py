"""The file field. `browser/files.js` uploads the files and shows their progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import reflex as rx

from portal.i18n import Text, _
from portal.ui.browser import module


def _no_value() -> tuple[()]:
    return ()


class _FileField(rx.Component):
    library = module("files")
    tag = "FileField"

    at: rx.Var[str]
    draft: rx.Var[str]
    field: rx.Var[str]
    known: rx.Var[list[Any]]
    maximum: rx.Var[int]
    largest: rx.Var[int]
    endings: rx.Var[list[str]]
    accept: rx.Var[str]
    described_by: rx.Var[str]
    invalid: rx.Var[str]
    texts: rx.Var[dict[str, str]]
    messages: rx.Var[dict[str, str]]
    capture: rx.Var[str]
    roomy: rx.Var[bool]
    on_changed: Annotated[rx.EventHandler, _no_value]


def file_field(
    name: str | rx.Var[str],
    *,
    draft: rx.Var[str],
    known: rx.Var[Any],
    maximum: int,
    largest: int,
    endings: Sequence[str],
    accept: str,
    described_by: rx.Var[str] | str,
    invalid: rx.Var[bool],
    messages: Mapping[str, Text],
    on_changed: Any,
    camera: bool = False,
    last_text: Text | None = None,
    at: str = "",
    roomy: bool = False,
) -> rx.Component:
    """A file picker with a drop area and a row per file."""
    lost = _("If you remove {name}, no file goes with your request.")
    texts: dict[str, Text] = {
        "choose": _("Take a photo") if camera else _("Choose files"),
        "more": _("Add more files"),
        "drop": _("or drop them here"),
        "list": _("Your files"),
        "waiting": _("waiting"),
        "checking": _("being checked"),
        "done": _("uploaded"),
        "failed": _("not uploaded"),
        "cancel": _("Cancel upload"),
        "remove": _("Remove"),
        "again": _("Try again"),
        "keep": _("Keep"),
        "lastTitle": _("Remove the last file?"),
        "lastText": lost if last_text is None else last_text,
        "progress": _("{percent}%, {done} of {all}"),
        "count": _("{done} of {all} uploaded"),
        "stillRunning": _("Files are still being uploaded. Wait a moment, or cancel them."),
        "notUploaded": _("Not every file was uploaded. Try again, or remove the marked files."),
    }
    return _FileField.create(
        draft=draft,
        field=name,
        known=known,
        maximum=maximum,
        largest=largest,
        endings=list(endings),
        accept=accept,
        described_by=described_by,
        invalid=rx.cond(invalid, "true", "false"),
        texts=rx.Var.create(texts).to(dict[str, str]),
        messages=rx.Var.create(dict(messages)).to(dict[str, str]),
        on_changed=on_changed,
        **({"capture": "environment"} if camera else {}),
        **({"at": at} if at else {}),
        **({"roomy": True} if roomy else {}),
    )
