"""The frame of the staff site: its shell, and the pages for an unknown address, a broken page and loading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import reflex as rx

from portal.desk.registry import DeskRoute, NavigationItem
from portal.desk.session import StaffSession
from portal.desk.shell import HOME, desk_shell
from portal.desk.views import desk_page, table_loading, title
from portal.i18n import _
from portal.reflex_adapter.static import NOT_FOUND
from portal.settings import settings
from portal.ui import link_button, reload_button


def desk_frame(
    protected: Iterable[str], navigation: Sequence[NavigationItem], *, on_language: Any, searching: bool
) -> rx.Component:
    """The layout without a page. The app inserts the page."""
    return desk_shell(
        brand=settings().brand.name,
        navigation=navigation,
        protected=protected,
        on_language=on_language,
        searching=searching,
        broken=broken_page(),
    )


def not_found() -> rx.Component:
    """The page for an unknown address."""
    return desk_page(
        rx.el.p(_("Typed the address yourself? Check that it’s right. Followed a link? The page may have moved.")),
        rx.el.div(
            rx.cond(
                StaffSession.authenticated, link_button(_("Go to the cases"), HOME), link_button(_("Log in"), "/login")
            ),
            class_name="mt-6",
        ),
        heading=_("Page not found"),
        narrow=True,
    )


def broken_page() -> rx.Component:
    """The page that replaces one whose rendering failed."""
    return desk_page(
        rx.el.p(_("What you sent before is safe. Load the page again, or come back a little later.")),
        rx.el.div(
            reload_button(_("Load the page again"), "primary"),
            link_button(_("Go to the cases"), HOME, "secondary"),
            class_name="mt-6 flex flex-wrap gap-3",
        ),
        heading=_("This page couldn’t be shown"),
        narrow=True,
    )


def loading_page() -> rx.Component:
    """A placeholder, prerendered once for all addresses."""
    return rx.el.main(
        table_loading(), class_name="desk-page px-4 py-6 md:px-6", custom_attrs={"id": "main", "tabIndex": "-1"}
    )


PAGES = [DeskRoute(NOT_FOUND, not_found, title(_("Page not found")), protected=False)]
