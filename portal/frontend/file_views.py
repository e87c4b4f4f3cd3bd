"""Files on pages of both sites: the field that uploads them, tiles and lists. No customer state is imported here."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import reflex as rx

from portal import ui
from portal.contract.models import StoredFile
from portal.frontend.models import computed
from portal.i18n import Text, _, number
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.files import LARGEST_FILE, PLAYED, FileKind

_KILO = 1000
_MEGA = 1_000_000


class FileView(StoredFile):
    """A complete file. `amount` and `unit` are its readable size."""

    @computed
    def id(self) -> str:
        """The name of the id in the browser."""
        return self.upload_id

    @computed
    def amount(self) -> str:
        return str(max(1, round(self.size / _KILO))) if self.size < _MEGA else f"{self.size / _MEGA:.1f}"

    @computed
    def unit(self) -> str:
        return "kB" if self.size < _MEGA else "MB"


class FileLists(rx.State, mixin=True):
    """A state that loads lists of files in the background. Of two lists, the one asked for first may come last."""

    _files_as_of: float = 0.0

    def _is_newest_list(self, asked_at: float) -> bool:
        """Whether to show a list: not if one that was asked for later is shown, in which more files may be."""
        if asked_at < self._files_as_of:
            return False
        self._files_as_of = asked_at
        return True


SIZE: Mapping[str, Any] = MappingProxyType({"width": "112", "height": "84"})
"""Attributes of the small picture of a photo, for which the page keeps room."""


def file_tiles(files: Any) -> rx.Component:
    """The files beside each other, each with its name and size; none can be pressed."""
    return ui.item_list(
        files.to(list[FileView]),
        lambda file: rx.el.li(
            rx.el.span(tile(file, "aspect-4/3 h-auto w-full"), class_name="file-tile"),
            _caption(file),
            class_name="min-w-0 text-sm",
        ),
        look="file-tiles",
    )


def file_list(files: Any) -> rx.Component:
    return ui.item_list(files.to(list[FileView]), _file, look="file-tiles", aria_label=_("Files"))


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
        ui.when(
            played,
            _player(file),
            _saved(file, _caption(file), class_name="inline-flex min-h-11 items-center"),
            otherwise=_saved(
                file, tile(file, "aspect-4/3 h-auto w-full"), _caption(file), class_name="block space-y-1"
            ),
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
    return ui.anchor(*inside, href=f"/files/uploads/{file.id}", download=True, class_name=f"text-ink {class_name}")


def _caption(file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    return ui.line(
        ui.line(file.name, look="truncate", title=file.name),
        ui.line(number(file.amount, 1), "\u00a0", file.unit, look="text-ink-600 tabular-nums"),
    )


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
    limits = ui.text(
        _("{least} to {most} files, up to {file_megabytes} MB each.", least=minimum, most=maximum)
        if minimum
        else _("Up to {most} files, {file_megabytes} MB each.", most=maximum),
        " ",
        _("You can add {kinds}.", kinds=listed),
        custom_attrs={"id": f"{name}-hint"},
        look="text-ink-500",
    )
    mark = rx.el.span(" ", _("(optional)"), class_name="font-normal text-ink-500")
    return rx.el.fieldset(
        rx.el.legend(label, mark if optional is True else rx.cond(optional, mark), class_name="font-semibold"),
        *([ui.text(hint, look="text-ink-500")] if hint is not None else []),
        # A photo of a camera is within the limits.
        *([] if camera else [limits]),
        *ui.error_line(name, wrong),
        ui.file_field(
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
