"""The field for files of pages of both sites. No state is imported here."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.kernel.codes import MESSAGES, Code
from portal.ui.files import file_field
from portal.vocabulary.files import LARGEST_FILE, FileKind

_CODES = (
    Code.UPLOAD_FAILED,
    Code.MAX_UPLOAD_SIZE_REACHED,
    Code.UPLOAD_QUOTA_REACHED,
    Code.UPLOADS_TOO_MANY_AT_ONCE,
    Code.FILE_EMPTY,
    Code.FILE_DAMAGED,
    Code.FILE_TOO_DETAILED,
    Code.FILE_PROTECTED,
    Code.DRAFT_SENT,
    Code.REPAIR_REQUEST_INVALID_STATUS,
    Code.EXPIRED_REPAIR_REQUEST,
)


def upload_field(
    name: str | rx.Var[str],
    label: rx.Var[str],
    *,
    kinds: Collection[FileKind],
    maximum: int,
    minimum: int = 0,
    draft: rx.Var[str],
    known: rx.Var[Any],
    error: rx.Var[str] | str = "",
    on_changed: Any,
    optional: rx.Var[bool] | bool,
    hint: rx.Var[str] | None = None,
    described_by: str = "",
    camera: bool = False,
    last_text: Text | None = None,
    at: str = "",
    roomy: bool = False,
) -> rx.Component:
    """A field for files. It shows the limits before a file is chosen."""
    ordered = [kind for kind in FileKind if kind in kinds]
    listed = ", ".join(kind.value for kind in ordered)
    messages: dict[str, Text] = {code.value: _(MESSAGES[code]) for code in _CODES}
    messages[Code.FILE_NOT_ALLOWED.value] = _("We can’t use this kind of file. You can add {kinds}.", kinds=listed)
    messages[Code.MAX_UPLOAD_FILE_COUNT_REACHED.value] = _("You can add at most {n} files.", n=maximum)
    wrong: rx.Var[str] = rx.Var.create(error).to(str)
    limits = rx.el.p(
        _("{least} to {most} files, up to {file_megabytes} MB each.", least=minimum, most=maximum)
        if minimum
        else _("Up to {most} files, {file_megabytes} MB each.", most=maximum),
        " ",
        _("You can add {kinds}.", kinds=listed),
        custom_attrs={"id": f"{name}-hint"},
        class_name="text-ink-500",
    )
    mark = rx.el.span(" ", _("(optional)"), class_name="font-normal text-ink-500")
    return rx.el.fieldset(
        rx.el.legend(
            label,
            mark if optional is True else rx.cond(optional, mark),
            class_name="font-semibold",
        ),
        *([rx.el.p(hint, class_name="text-ink-500")] if hint is not None else []),
        # A photo of a camera is within the limits.
        *([] if camera else [limits]),
        rx.cond(
            wrong != "",
            rx.el.p(
                rx.el.span(_("Error: "), class_name="sr-only"),
                wrong,
                custom_attrs={"id": f"{name}-error"},
                class_name="my-1 font-semibold text-err",
            ),
        ),
        rx.el.noscript(
            rx.el.p(
                _("You need JavaScript to add files. Files that are already here will be sent."),
                class_name="mt-3 notice border-warn-line bg-warn-bg",
            )
        ),
        file_field(
            name,
            draft=draft,
            known=known,
            maximum=maximum,
            largest=LARGEST_FILE,
            endings=[ending for kind in ordered for ending in kind.endings],
            accept="image/*"
            if camera
            else ",".join(part for kind in ordered for part in (*kind.endings, kind.media_type)),
            described_by="" if camera else rx.cond(wrong != "", f"{name}-hint {name}-error", f"{name}-hint"),
            invalid=wrong != "",
            messages=messages,
            on_changed=on_changed,
            camera=camera,
            last_text=last_text,
            at=at,
            roomy=roomy,
        ),
        custom_attrs={"aria-describedby": described_by} if described_by else {},
    )
