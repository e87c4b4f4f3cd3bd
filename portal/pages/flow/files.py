"""Photos, videos and papers of a request: the field, and its row on the check page."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.flow import Field, FileKind, Files
from portal.i18n import Text, _, number
from portal.pages.flow.words import error_of
from portal.states.flow import FlowRun
from portal.states.views.files import FileView
from portal.ui.files import file_field
from portal.ui.flow import QUESTION
from portal.vocabulary.files import LARGEST_FILE

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


def files_asked(entry: Field, rule: Files) -> rx.Component:
    """A field for files, with the limits said before anything is chosen."""
    name = entry.name
    kinds = [kind for kind in FileKind if kind in rule.kinds]
    listed = ", ".join(kind.value for kind in kinds)
    messages: dict[str, Text] = {code.value: _(MESSAGES[code]) for code in _CODES}
    messages[Code.FILE_NOT_ALLOWED.value] = _("We cannot use this kind of file. Allowed: {kinds}.", kinds=listed)
    messages[Code.MAX_UPLOAD_FILE_COUNT_REACHED.value] = _("You can add at most {n} files.", n=rule.maximum)
    error = error_of(entry)
    mark = rx.el.span(" ", _("(optional)"), class_name="font-normal text-ink-500")
    return rx.el.fieldset(
        rx.el.legend(
            _(entry.label),
            mark if entry.optional else rx.cond(FlowRun.optional.contains(name), mark),
            class_name="font-semibold",
        ),
        *([rx.el.p(_(entry.hint), class_name="text-ink-500")] if entry.hint else []),
        rx.el.p(
            _("{least} to {most} files of at most {file_megabytes} MB each.", least=rule.minimum, most=rule.maximum)
            if rule.minimum
            else _("At most {most} files, of at most {file_megabytes} MB each.", most=rule.maximum),
            " ",
            _("Allowed: {kinds}.", kinds=listed),
            custom_attrs={"id": f"{name}-hint"},
            class_name="text-ink-500",
        ),
        rx.cond(
            error != "",
            rx.el.p(
                rx.el.span(_("Error: "), class_name="sr-only"),
                error,
                custom_attrs={"id": f"{name}-error"},
                class_name="my-1 font-semibold text-err",
            ),
        ),
        file_field(
            name,
            draft=FlowRun.draft,
            known=files_of(name),
            maximum=rule.maximum,
            largest=LARGEST_FILE,
            endings=[ending for kind in kinds for ending in kind.endings],
            accept=",".join(part for kind in kinds for part in (*kind.endings, kind.media_type)),
            described_by=rx.cond(error != "", f"{name}-hint {name}-error", f"{name}-hint"),
            invalid=error != "",
            messages=messages,
            on_changed=FlowRun.files_changed,
        ),
        custom_attrs={"aria-describedby": QUESTION},
    )


def files_of(name: str) -> rx.vars.ArrayVar[list[FileView]]:
    """The files of a field that arrived."""
    return FlowRun.files[name].to(list[FileView])


def files_shown(name: str) -> rx.Component:
    """Names and sizes, for the check page."""
    return rx.el.ul(
        rx.foreach(
            files_of(name),
            lambda file: rx.el.li(
                rx.el.span(file.name, class_name="wrap-anywhere"),
                rx.el.span(" (", number(file.amount, 1), "\u00a0", file.unit, ")", class_name="text-ink-600"),
            ),
        ),
        class_name="space-y-1",
    )
