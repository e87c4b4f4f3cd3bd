"""What staff pages are composed of: page frame, states of loading, panels, split layouts, filters, keys and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.desk.session import StaffSession
from portal.desk.state import UNREAD, DeskCounts, DeskPage
from portal.frontend.load import FAILED, MISSING, READY
from portal.i18n import Text, _, choice, day, localized, setting
from portal.reflex_adapter.var import expression
from portal.ui.browser import module
from portal.vocabulary.cases import CASE_LABELS
from portal.vocabulary.files import PLAYED


class DeskLink(rx.Component):
    """A link that is marked while its view is open; a query in its address counts."""

    library = module("desk")
    tag = "DeskLink"

    to: rx.Var[str]
    within: rx.Var[str]


class _KeepTyped(rx.Component):
    library = module("desk")
    tag = "KeepTyped"

    name: rx.Var[str]
    person: rx.Var[str]
    sent: rx.Var[int]


def title(*parts: Text, failed: rx.Var[bool] | None = None) -> rx.Var[str]:
    """The title of a document: "(2) Zaken – Bovenbuis balie", with the number of unread cases."""
    unread = DeskCounts.numbers[UNREAD].to(int)
    number = rx.cond(unread > 0, rx.Var.create("(").to(str) + unread.to(str) + ") ", "").to(str)
    return number + ui.document_title(*parts, brand=f"{setting('brand')} balie", failed=failed).to(str)


def desk_page(
    *children: Any,
    heading: Text,
    count: rx.Component | Text | None = None,
    beside: rx.Component | None = None,
    back: rx.Component | None = None,
    above: rx.Component | None = None,
    narrow: bool = False,
    centred: bool = False,
) -> rx.Component:
    aside = [rx.el.div(beside, class_name="ml-auto text-sm text-ink-600")] if beside is not None else []
    small = [rx.el.div(count, class_name="text-sm font-semibold text-ink-600")] if count is not None else []
    return rx.el.main(
        *([back] if back is not None else []),
        *([above] if above is not None else []),
        rx.el.div(
            rx.el.h1(heading, tab_index=-1), *small, *aside, class_name="flex flex-wrap items-baseline gap-x-3 gap-y-1"
        ),
        rx.el.div(*children, class_name="mt-4 max-w-form" if narrow else "mt-4"),
        class_name=f"min-w-0 px-4 pb-12 pt-4 md:px-6 {'mx-auto w-full max-w-4xl md:pt-12' if centred else ''}".rstrip(),
        custom_attrs={"id": "main", "tabIndex": "-1"},
    )


def back_line(text: Text, to: rx.Var[str] | str, *more: Any) -> rx.Component:
    return rx.el.nav(
        rx.el.a(
            rx.el.span("←", aria_hidden="true"),
            text,
            to=to,
            class_name="inline-flex min-h-8 items-center gap-1 text-ink-600 underline pointer-coarse:min-h-11",
            custom_attrs={"data-back": ""},
        ),
        *more,
        class_name="flex flex-wrap items-center gap-x-2 text-sm text-ink-600",
        aria_label=_("Back"),
    )


def desk_loaded(
    page: type[DeskPage],
    content: rx.Component,
    *,
    failure: Text,
    loading: rx.Component | None = None,
    missing: rx.Component | None = None,
) -> rx.Component:
    failed = ui.error_block(failure, on_retry=page.load)
    placeholder = table_loading() if loading is None else loading
    shown = rx.match(
        page.view_state,
        (READY, rx.el.div(content, custom_attrs={"aria-busy": rx.cond(page.busy, "true", "false")})),
        (FAILED, failed),
        (MISSING, nothing_here() if missing is None else missing),
        placeholder,
    )
    return rx.cond(StaffSession.authenticated, shown, rx.cond(StaffSession.unavailable, failed, placeholder))


def nothing_here() -> rx.Component:
    return panel(
        None,
        ui.text(_("This doesn’t exist, or it belongs to another store.")),
        ui.muted(_("Check the reference, or ask a colleague at that store."), top=1),
    )


def table_loading(rows: int = 6) -> rx.Component:
    return rx.el.div(
        ui.text(_("Loading…"), role="status", look="sr-only"),
        *[rx.el.div(ui.skeleton("h-4 w-1/3"), ui.skeleton("mt-2 h-3 w-1/2"), class_name="p-3") for _row in range(rows)],
        class_name="appear divide-y divide-line rounded-card border border-line bg-white",
        custom_attrs={"aria-busy": "true"},
    )


def panel(
    heading: Text | None, *children: Any, action: rx.Component | None = None, shown: ui.Shown = None
) -> rx.Component:
    head: list[rx.Component] = []
    if heading is not None:
        title_line: rx.Component = rx.el.h2(heading)
        if action is not None:
            title_line = rx.el.div(
                title_line, action, class_name="flex flex-wrap items-baseline justify-between gap-x-4"
            )
        head = [ui.stack(title_line, bottom=2)]
    return ui.when(shown, rx.el.section(*head, *children, class_name="card min-w-0"))


def split(
    main: Sequence[rx.Component], side: Sequence[rx.Component], first: rx.Component | None = None
) -> rx.Component:
    top = [] if first is None else [rx.el.div(first, class_name="min-w-0 lg:col-start-2 lg:row-start-1")]
    return rx.el.div(
        *top,
        rx.el.div(*main, class_name="min-w-0 space-y-4 lg:col-start-1 lg:row-span-2 lg:row-start-1"),
        rx.el.aside(*side, class_name="min-w-0 space-y-4 lg:col-start-2", aria_label=_("Details")),
        class_name="grid gap-4 lg:grid-cols-[minmax(0,1fr)_18.5rem] lg:grid-rows-[auto_1fr] "
        "xl:grid-cols-[minmax(0,1fr)_21rem]",
    )


def pairs(*rows: ui.Fact) -> rx.Component:
    return rx.el.dl(*[_pair(row) for row in rows], class_name="space-y-2 sm:space-y-1.5")


def _pair(row: ui.Fact) -> rx.Component:
    line = rx.el.div(
        rx.el.dt(row.name, class_name="text-ink-600"),
        rx.el.dd(row.value, class_name="min-w-0 break-words tabular-nums"),
        class_name="grid gap-x-4 sm:grid-cols-[min(11rem,40%)_minmax(0,1fr)]",
    )
    return line if row.shown is None else rx.cond(row.shown, line)


def case_address(kind: rx.Var[Any], reference: rx.Var[Any]) -> rx.Var[str]:
    return "/cases/" + kind.to(str).replace("_", "-").to(str) + "/" + reference.to(str)


def grouped(reference: rx.Var[Any]) -> rx.Var[str]:
    """A reference in groups, as `portal.kernel.validation.in_groups` writes it."""
    return expression(f"({reference!s}).replace(/^(.{{4}})(.{{4}})$/, '$1 $2')", reference).to(str)


def unbroken(address: rx.Var[Any]) -> rx.Var[str]:
    """An address for a narrow column, whose Dutch postcode stays on one line."""
    return expression(f"({address!s}).replace(/\\b([1-9]\\d{{3}}) ([A-Z]{{2}})\\b/g, '$1\\u00a0$2')", address).to(str)


def case_links(cases: Any) -> rx.Component:
    return ui.item_list(
        cases,
        lambda case: rx.el.li(
            rx.el.a(
                choice(case.kind, CASE_LABELS), " ", grouped(case.reference), to=case_address(case.kind, case.reference)
            ),
            rx.el.span(
                " · ", localized(case.status_label), " · ", day(case.opened_at), class_name="text-sm text-ink-600"
            ),
            key=case_address(case.kind, case.reference),
            class_name="py-0.5",
        ),
        look="desk-records",
    )


def filters(*links: tuple[Text, rx.Var[str] | str], label: Text) -> rx.Component:
    return rx.el.nav(
        *[DeskLink.create(text, to=path, class_name="chip") for text, path in links],
        aria_label=label,
        class_name="flex flex-wrap gap-2",
    )


def key_hint(text: Text, *keys: str) -> rx.Component:
    return rx.el.span(
        *[rx.el.kbd(key) for key in keys],
        text,
        class_name="ml-3 hidden items-center gap-1 whitespace-nowrap lg:inline-flex",
    )


def keep_typed(*fields: Any, name: str, sent: rx.Var[int]) -> rx.Component:
    """Fields whose text stays in this tab until it was sent, also when the session ends in the middle of a message."""
    return _KeepTyped.create(*fields, name=name, person=StaffSession.person_id, sent=sent)


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
        ui.line(name, look="max-w-28 truncate text-sm"),
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
        ui.anchor(*inside, href=address, target="_blank", class_name="block text-ink"),
    )
