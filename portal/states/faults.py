"""What a customer sees when a handler of ours fails: a notification, and the page as it was."""

import logging

import reflex as rx
from reflex.event import EventSpec

from portal.domain.marks import N_
from portal.states.policy import public
from portal.states.toasts import Toasts

logger = logging.getLogger(__name__)


class Faults(rx.State):
    """Holds nothing."""

    @rx.event
    @public
    async def tell(self) -> None:
        """Say that something went wrong."""
        (await self.get_state(Toasts))._add("error", N_("Something went wrong"), N_("Please try again"))


def went_wrong(exception: Exception) -> EventSpec | None:
    """Log a failed handler and tell the customer; for `rx.App(backend_exception_handler=…)`."""
    logger.error("a handler failed", exc_info=exception)
    return Faults.tell()  # type: ignore[return-value]  # an event without arguments is one
