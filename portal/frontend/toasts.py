"""Notifications (part-1 §4). The browser shows them and handles timeouts, hovering and closing."""

import logging
import time
from typing import Any, Literal

import reflex as rx
from reflex.event import EventSpec

from portal.frontend.policies import public
from portal.kernel.texts import N_, both

Kind = Literal["error", "success", "info"]
LIMIT = 10
"""Most notifications at once; further ones are dropped (part-1 §4)."""

DEFAULT_MILLISECONDS = 3000
DATA_ERROR_MILLISECONDS = 4000
"""Timeout of errors about login, logout and the customer's data (part-1 §8)."""

GROUP = "corner"
"""The group of every notification: they are shown together, in a corner (part-1 §3)."""

NEVER = -1
"""The timeout of a notification that stays until the customer closes it."""


class Toasts(rx.State):
    """The notifications of a tab.

    `items`: the notifications, oldest first: `id` (increasing), `group`, `kind`, `title` and `text` in both languages
    (`text` may be null), `timeout` in milliseconds, and `quiet`: whether screen readers are not told, because the page
    tells them.
    """

    items: rx.Field[list[dict[str, Any]]] = rx.field(default_factory=list)
    _last: int = 0

    def _add(
        self,
        kind: Kind,
        title: str,
        text: str = "",
        timeout: int = DEFAULT_MILLISECONDS,
        *,
        alone: bool = False,
        **values: str | int,
    ) -> bool:
        """Show a notification. The page has to show an error as well, as an alert.

        That alert is what screen readers announce: they are told an error once. Success and information are announced
        as notifications.
        """
        if len(self.items) >= LIMIT:
            return False
        # Based on the clock, so that ids keep increasing after a reset of the state.
        self._last = max(self._last + 1, time.time_ns() // 1_000_000)
        self.items = [
            *self.items,
            {
                "id": self._last,
                "group": GROUP,
                "kind": kind,
                "title": both(title, **values),
                "text": both(text, **values) if text else None,
                "timeout": timeout,
                "quiet": kind == "error" and not alone,
            },
        ]
        return True

    @rx.event
    @public
    def dismiss(self, toast_id: int) -> None:
        """Remove a notification after its timeout or when the visitor closed it."""
        self.items = [item for item in self.items if item["id"] != toast_id]


logger = logging.getLogger(__name__)
_MAX_REPORT = 300


class Faults(rx.State):
    @rx.event
    @public
    async def show_fault(self) -> None:
        (await self.get_state(Toasts))._add("error", N_("Something went wrong"), N_("Please try again"), alone=True)


def page_failed(exception: Exception) -> None:
    """Log an error that a browser reports, in one short line; for `rx.App(frontend_exception_handler=…)`.

    A browser may report anything, so the text is not trusted.
    """
    logger.warning("a page failed: %s", " ".join(str(exception).split())[:_MAX_REPORT])


def went_wrong(exception: Exception) -> EventSpec | None:
    """Log a failed handler and show a notification; for `rx.App(backend_exception_handler=…)`."""
    logger.error("a handler failed", exc_info=exception)
    return Faults.show_fault()  # pyrefly: ignore[bad-return]  # an event without arguments is one
