"""An answer that changes the page and leads to another one, as one message to the browser.

The framework sends two: what changed, and then where to go. Under load the second one costs as much as the first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import reflex as rx
from reflex.event import EventSpec
from reflex.state import StateUpdate
from reflex_base.event import Event
from reflex_base.event.context import EventContext

Emit = Callable[[StateUpdate, str], Awaitable[None]]
"""Sends an update to the tab with a client token."""

_through: list[Emit] = []


def send_through(emit: Emit | None) -> Emit | None:
    """Send answers this way from here on; returns the way before."""
    before = _through[0] if _through else None
    _through[:] = [emit] if emit else []
    return before


async def together(state: rx.State, then: EventSpec) -> EventSpec | None:
    """Send what has changed and what the browser is to do next.

    Args:
        state: the state of a foreground event, which nobody else changes now.
        then: something that the browser does itself, such as a redirect.

    Returns:
        What the handler has to return: nothing, or `then` where there is no socket to send through.
    """
    if not _through:
        return then
    root = state._get_root_state()
    try:
        delta = await root._get_resolved_delta()
    finally:
        root._clean()
    await _through[0](StateUpdate(delta=delta, events=Event.from_event_type(then)), EventContext.get().token)
    return None
