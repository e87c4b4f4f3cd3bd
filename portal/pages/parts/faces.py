"""The views of a page that loads: waiting, shown, could not be loaded, not there."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.pages.layout import title
from portal.pages.problems import not_found
from portal.states.page import FAILED, MISSING, READY
from portal.states.session import Session
from portal.ui import error_block, skeleton_cards, text_link


def loaded(page: Any, content: rx.Component, *, failure: Text, waiting: rx.Component | None = None) -> rx.Component:
    """Show how far loading the page is.

    Args:
        page: a `Loadable` state.
        content: what is shown when the answer is there.
        failure: what could not be loaded.
        waiting: a skeleton of the content.
    """
    failed = error_block(failure, on_retry=page.load, more=_further_help())
    patience = rx.fragment(skeleton_cards() if waiting is None else waiting, _slow())
    shown = rx.match(
        page.face,
        (READY, rx.el.div(content, custom_attrs={"aria-busy": rx.cond(page.busy, "true", "false")})),
        (FAILED, failed),
        patience,
    )
    # Whether somebody is logged in could not be asked: nothing is shown, and nobody is sent away either.
    return rx.cond(Session.authenticated, shown, rx.cond(Session.unavailable, failed, patience))


def unless_missing(page: Any, content: rx.Component) -> rx.Component:
    """The page, or the page that every address without a page shows: there is no such thing, or it is not yours."""
    return rx.cond(page.face == MISSING, not_found(), content)


def detail_title(page: Any, *parts: Text) -> rx.Var[str]:
    """The title of a page about one thing, which may not be there."""
    return rx.cond(page.face == MISSING, title(_("Page not found")), title(*parts)).to(str)


def _slow() -> rx.Component:
    """An honest sentence for those who wait longer than ten seconds."""
    return rx.el.p(
        _("This takes longer than usual. We keep trying; you can wait or come back later."),
        class_name="mt-6 text-ink-600 appear-late",
    )


def _further_help() -> rx.Component:
    return rx.el.p(
        _("Does it keep going wrong?"),
        " ",
        text_link(_("Contact us"), "/contact"),
        class_name="mt-4 text-ink-600",
    )
