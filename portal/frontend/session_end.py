"""The warning before a session ends, on the pages of customers and of staff: no customer state is imported here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import reflex as rx

from portal import ui
from portal.i18n import _, ngettext
from portal.reflex_adapter.var import expression, hook_value
from portal.ui.browser import module

NOTICE_SECONDS = 120
"""How long before the end the person is warned (flow-standard F40)."""

IDLE_STEP_SECONDS = 60
"""The page gets a later end of the session only if it moved by this much, not with every event."""


class _Watch(rx.Component):
    library = module("session")
    tag = "SessionWatch"

    authenticated: rx.Var[bool]
    idle_until: rx.Var[str]
    expires_at: rx.Var[str]
    notice: rx.Var[int]


def _ending(part: str) -> rx.Var[Any]:
    whole = hook_value("sessionEnd", "useSessionEnd()", module("session"))
    return expression(f"{whole!s}.{part}", whole)


def session_watch(session: Any, *, class_name: str, notice: rx.Var[int] | int = NOTICE_SECONDS) -> rx.Component:
    """Watches the end of the session, and warns. Used once, in the layout of a site."""
    return rx.fragment(
        _Watch.create(
            authenticated=session.authenticated,
            idle_until=session.idle_until,
            expires_at=session.expires_at,
            notice=notice,
        ),
        _warning(session.stay, class_name),
    )


def _warning(on_stay: Any, class_name: str) -> rx.Component:
    kind, minutes = _ending("kind").to(str), _ending("minutes").to(int)
    soon = ngettext("You’ll be logged out in {n} minute.", "You’ll be logged out in {n} minutes.", minutes)
    return rx.el.div(
        # A screen reader announces the text only if its region exists before the text.
        ui.text(rx.cond(kind != "", soon, ""), role="status"),
        rx.match(
            kind,
            ("idle", ui.action_button(_("Stay logged in"), on_stay)),
            ("final", ui.text(_("After that, log in again to carry on here."))),
            rx.fragment(),
        ),
        class_name=rx.cond(
            kind != "",
            f"{class_name} flex flex-wrap items-center justify-center gap-x-6 gap-y-2 bg-warn-bg px-4 py-3 "
            "font-semibold text-warn",
            "",
        ),
    )


def shown_end(shown: str, known: datetime) -> str:
    """The end without further use that a page shows (ISO 8601): the known one if it moved enough."""
    moved = not shown or abs((known - datetime.fromisoformat(shown)).total_seconds()) >= IDLE_STEP_SECONDS
    return known.isoformat() if moved else shown
