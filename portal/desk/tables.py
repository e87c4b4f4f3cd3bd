"""Tables of staff pages: dense on a wide screen, cards on a phone, and made for the keys j, k, Enter and x."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.i18n import Text, _
from portal.ui.browser import component


def data_table(
    heads: Sequence[Text | rx.Component],
    rows: Any,
    row: Callable[..., rx.Component],
    *,
    label: Text,
    choosing: rx.Var[bool] | None = None,
    all_chosen: rx.Var[bool] | None = None,
    on_choose_all: Any = None,
    numbers: Collection[int] = (),
) -> rx.Component:
    every = rx.el.input(
        type="checkbox",
        checked=all_chosen,
        on_change=on_choose_all,
        aria_label=_("Select all rows of this page"),
        class_name="size-4 accent-ink",
    )
    choose = rx.el.th(rx.el.label(every), scope="col", class_name="choose w-10")
    return rx.el.table(
        rx.el.caption(label, class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(
                *([] if choosing is None else [rx.cond(choosing, choose)]),
                *[_head(head, "number" if place in numbers else "") for place, head in enumerate(heads)],
            )
        ),
        rx.el.tbody(rx.foreach(rows, row)),
        class_name="desk-table",
    )


def listing(
    rows: Any,
    heads: Sequence[Text | rx.Component],
    row: Callable[..., rx.Component],
    *,
    label: Text,
    empty: Text | rx.Component,
    pages: rx.Component | None = None,
    **options: Any,
) -> rx.Component:
    table = data_table(heads, rows, row, label=label, **options)
    instead = empty if isinstance(empty, rx.Component) else ui.muted(empty)
    return rx.cond(rows.length() > 0, table if pages is None else rx.el.div(table, pages), instead)


def _head(head: Text | rx.Component, class_name: str) -> rx.Component:
    # A heading without text says nothing to a screen reader.
    if isinstance(head, str) and not head:
        return rx.el.td()
    return rx.el.th(head, scope="col", class_name=class_name)


def table_row(
    *cells: rx.Component,
    key: rx.Var[str],
    choosing: rx.Var[bool] | None = None,
    chosen: rx.Var[bool] | None = None,
    on_choose: Any = None,
    name: Text = "",
    unread: rx.Var[bool] | None = None,
) -> rx.Component:
    choose: list[rx.Component] = []
    marked: dict[str, object] = {}
    if choosing is not None:
        box = rx.el.input(
            type="checkbox", checked=chosen, on_change=on_choose, aria_label=name, class_name="size-4 accent-ink"
        )
        choose = [rx.cond(choosing, rx.el.td(rx.el.label(box), class_name="choose"))]
        marked = {"data-selected": rx.cond(chosen, "true", "false")}
    if unread is not None:
        marked["data-unread"] = rx.cond(unread, "true", "false")
    return rx.el.tr(*choose, *cells, key=key, custom_attrs={"data-row": "", **marked})


def cell(
    *content: Any,
    below: Any = None,
    number: bool = False,
    label: Text | None = None,
    joined: bool = False,
    class_name: str = "",
) -> rx.Component:
    second = [rx.el.span(below, class_name="desk-sub")] if below is not None else []
    first = [rx.el.span(label, ": ", class_name="text-ink-600 md:hidden")] if label is not None else []
    names = (("number", number), ("joined", joined), (class_name, bool(class_name)))
    return rx.el.td(*first, *content, *second, class_name=" ".join(name for name, given in names if given))


def open_link(text: Any, to: rx.Var[str] | str, *, unread: rx.Var[bool] | None = None) -> rx.Component:
    dot = rx.el.span(
        ui.hidden_text(_("Unread: ")),
        rx.el.span(class_name="mr-1.5 inline-block size-2 rounded-pill bg-signal-600 align-middle", aria_hidden="true"),
    )
    return rx.el.a(
        *([rx.cond(unread, dot)] if unread is not None else []),
        text,
        to=to,
        class_name="desk-open",
        custom_attrs={"data-open": ""},
    )


_KeepPlace = component("desk", "KeepPlace")


def keep_place() -> rx.Component:
    return _KeepPlace.create()


def table_pages(page: Any, to: Callable[[rx.Var[int]], rx.Var[str]]) -> rx.Component:
    return ui.pagination(page.page, page.pages, to)
