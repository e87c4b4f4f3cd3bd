"""The faces of a page: waiting, shown, could not be loaded, not there."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.states.page import FAILED, MISSING, READY
from portal.states.session import Session
from portal.ui.blocks import card
from portal.ui.buttons import link_button, text_link
from portal.ui.feedback import error_block, skeleton_cards
from portal.ui.illustrations import empty_road


def faced(
    page: Any,
    content: rx.Component,
    *,
    failure: Text,
    waiting: rx.Component | None = None,
    missing: rx.Component | None = None,
) -> rx.Component:
    """Show the face that the page has.

    Args:
        page: a state with a `face` and a handler `load`.
        content: what is shown when the answer is there.
        failure: what could not be loaded.
        waiting: a skeleton of the content.
        missing: what is said when there is no such thing.
    """
    patience = rx.fragment(skeleton_cards() if waiting is None else waiting, slow_notice())
    faces = [
        (READY, rx.el.div(content, aria_busy=rx.cond(page.busy, "true", "false"))),
        (FAILED, error_block(failure, on_retry=page.load, more=_further_help())),
    ]
    if missing is not None:
        faces.append((MISSING, missing))
    return rx.cond(Session.authenticated, rx.match(page.face, *faces, patience), patience)


def slow_notice() -> rx.Component:
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


def not_found(title: Text, text: Text, back_text: Text, back_to: str) -> rx.Component:
    """There is no such thing, or it is somebody else's: the answer is the same."""
    return card(
        rx.el.div(empty_road(), class_name="w-48 text-ink-500"),
        rx.el.h1(title, tab_index=-1, class_name="mt-6"),
        rx.el.p(text, class_name="mt-3 text-ink-600 max-w-form"),
        rx.el.div(
            link_button(back_text, back_to),
            link_button(_("Customer service"), "/contact", style="secondary"),
            class_name="mt-6 flex flex-wrap gap-3",
        ),
        class_name="mt-4 md:p-10",
    )
