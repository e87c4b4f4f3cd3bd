"""Puts the guard in front of an app: called once, when all pages are registered."""

from __future__ import annotations

import reflex as rx

from portal.reflex_adapter.log_filter import quiet_logs
from portal.reflex_adapter.tokens import replace_token_manager
from portal.settings import settings
from portal.states.guard import Guard
from portal.states.policy import require_policies


def protect(app: rx.App) -> None:
    """Deny by default from here on.

    Raises:
        UndeclaredHandlers: A handler does not say who may call it.
    """
    require_policies()
    quiet_logs()
    app.add_middleware(Guard())
    replace_token_manager(app, secure=settings().secure)
