"""Notifications (part-1 §4): a list that the browser shows. Times, hovering and closing are up to the browser."""

import logging
import time
from typing import Any, Literal

import reflex as rx
from reflex.event import EventSpec

from portal.frontend.session import public
from portal.kernel.texts import N_, both

Kind = Literal["error", "success", "info"]

LIMIT = 10
"""At most this many at once; a further one is dropped (part-1 §4)."""

DEFAULT_MILLISECONDS = 3000

DATA_ERROR_MILLISECONDS = 4000
"""Errors of login, logout and the customer's data (part-1 §8)."""

NEVER = -1
"""A notification with this timeout stays until it is closed by hand."""


class Toasts(rx.State):
    """What is to be shown, oldest first.

    Attributes:
        items: For each notification `id` (increasing), `kind`, `title` and `text` in both languages (`text` may be
            null), and `timeout` in milliseconds.
    """

    items: rx.Field[list[dict[str, Any]]] = rx.field(default_factory=list)
    _last: int = 0

    def _add(
        self, kind: Kind, title: str, text: str = "", timeout: int = DEFAULT_MILLISECONDS, **values: str | int
    ) -> bool:
        """Show a notification. It is never the only place that tells of an error: the page says it, too.

        Args:
            kind: Which colours, and whether it is read aloud at once (`error`).
            title: English text, marked with `N_`.
            text: Further English text, marked with `N_`.
            timeout: Milliseconds until it leaves, or `NEVER`.
            values: What fills the `{names}` in both texts.

        Returns:
            Whether there was room for it.
        """
        if len(self.items) >= LIMIT:
            return False
        # Counted from the clock: higher than every earlier one of this tab, also after the state was emptied.
        self._last = max(self._last + 1, time.time_ns() // 1_000_000)
        self.items = [
            *self.items,
            {
                "id": self._last,
                "kind": kind,
                "title": both(title, **values),
                "text": both(text, **values) if text else None,
                "timeout": timeout,
            },
        ]
        return True

    @rx.event
    @public
    def dismiss(self, toast_id: int) -> None:
        """Forget a notification: its time has passed, or the visitor closed it."""
        self.items = [item for item in self.items if item["id"] != toast_id]


logger = logging.getLogger(__name__)


class Faults(rx.State):
    """Holds nothing."""

    @rx.event
    @public
    async def show_fault(self) -> None:
        """Say that something went wrong."""
        (await self.get_state(Toasts))._add("error", N_("Something went wrong"), N_("Please try again"))


def went_wrong(exception: Exception) -> EventSpec | None:
    """Log a failed handler and tell the customer; for `rx.App(backend_exception_handler=…)`."""
    logger.error("a handler failed", exc_info=exception)
    return Faults.show_fault()  # type: ignore[return-value]  # an event without arguments is one
