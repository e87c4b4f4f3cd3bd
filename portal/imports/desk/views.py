"""What the pages of imports have in common: links between them, and the choice of a kind of records."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.tables import table_pages
from portal.desk.views import DeskLink
from portal.i18n import _, choice
from portal.imports.desk.state import DIFFERENCES, IMPORTS, REJECTED, WAITING, OfKind
from portal.vocabulary.exchange import IMPORT_KINDS

KINDS = {kind: _(label) for kind, label in IMPORT_KINDS.items()}


def views() -> rx.Component:
    """Links to the four lists."""
    links = (
        (_("Imports"), IMPORTS),
        (_("Rejected"), REJECTED),
        (_("Waiting records"), WAITING),
        (_("Differences"), DIFFERENCES),
    )
    return rx.el.nav(
        *[DeskLink.create(text, to=path, within="^$", class_name="chip") for text, path in links],
        aria_label=_("Imports"),
        class_name="mb-4 flex flex-wrap gap-2",
    )


def narrowed(page: type[OfKind]) -> rx.Component:
    """The choice of a kind of records."""
    return rx.el.select(
        rx.el.option(_("All kinds"), value=""),
        *[rx.el.option(text, value=kind) for kind, text in KINDS.items()],
        value=page.kind,
        on_change=page.narrow,
        aria_label=_("Kind"),
        class_name="chip mb-4 bg-white",
    )


def kind_of(value: Any) -> rx.Var[str]:
    return choice(value, KINDS)


def paged(path: str, page: type[OfKind]) -> rx.Component:
    return table_pages(
        page, lambda number: rx.Var.create(f"{path}?kind=").to(str) + page.kind.to(str) + "&page=" + number.to(str)
    )
