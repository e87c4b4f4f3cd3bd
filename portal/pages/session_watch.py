"""Keeps an open page in step with its session: other tabs, the end that comes near, a download that failed."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _, ngettext
from portal.reflex_adapter.var import expression, hook_value
from portal.settings import settings
from portal.states.session import Session
from portal.ui import action_button
from portal.ui.browser import module

NOTICE_SECONDS = 120
"""How long before the end the customer is told (flow-standard F40)."""


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


def session_watch() -> rx.Component:
    """Watches, and warns below the header. Once in the layout."""
    return rx.fragment(
        _Watch.create(
            authenticated=Session.authenticated,
            idle_until=Session.idle_until,
            expires_at=Session.expires_at,
            notice=min(NOTICE_SECONDS, round(settings().idle_minutes * 30)),
        ),
        _warning(),
    )


def _warning() -> rx.Component:
    kind, minutes = _ending("kind").to(str), _ending("minutes").to(int)
    soon = ngettext("You will be logged out in {n} minute.", "You will be logged out in {n} minutes.", minutes)
    return rx.el.div(
        # The region is there before its text, so that the text is read aloud when it comes.
        rx.el.p(rx.cond(kind != "", soon, ""), role="status"),
        rx.match(
            kind,
            ("idle", action_button(_("Stay logged in"), Session.stay)),
            ("final", rx.el.p(_("After that you can log in again and go on here."))),
            rx.fragment(),
        ),
        class_name=rx.cond(
            kind != "",
            "sticky top-16 z-10 flex flex-wrap items-center justify-center gap-x-6 gap-y-2 bg-warn-bg px-4 py-3 "
            "font-semibold text-warn",
            "",
        ),
    )
