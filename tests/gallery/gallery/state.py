"""What the gallery remembers."""

import asyncio
from typing import Any

import reflex as rx

from portal.frontend.toasts import NEVER, Toasts


class Gallery(rx.State):
    """Answers of the forms, counters, and whether somebody is logged in."""

    logged_in: rx.Field[bool] = rx.field(True)
    signed_out: rx.Field[bool] = rx.field(False)
    language: rx.Field[str] = rx.field("")
    result: rx.Field[dict[str, Any]] = rx.field(default_factory=dict)
    problem: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)
    sent: rx.Field[dict[str, Any]] = rx.field(default_factory=dict)
    answered: rx.Field[int] = rx.field(0)
    confirmed: rx.Field[int] = rx.field(0)
    orders: rx.Field[int] = rx.field(2)
    status: rx.Field[str] = rx.field("in_repair")

    @rx.event
    def toggle_login(self) -> None:
        """Log in or out, as the shell sees it."""
        self.logged_in = not self.logged_in

    @rx.event
    def sign_out(self) -> None:
        """End the session under the open page."""
        self.signed_out = True

    @rx.event
    def chose(self, language: str) -> None:
        """Keep the language that the switch reports."""
        self.language = language

    @rx.event
    def answer(self, envelope: dict[str, Any]) -> None:
        """Keep the envelope that a form got."""
        self.result = envelope
        self.problem = envelope["error"] or ""
        self.attempt += 1 if self.problem else 0

    @rx.event(background=True)
    async def save(self, values: dict[str, Any]) -> None:
        """Keep the values that a form sent, after a while."""
        await asyncio.sleep(1)
        async with self:
            self.sent = values
            self.answered += 1

    @rx.event
    def confirm(self) -> None:
        """Count an answer that was confirmed."""
        self.confirmed += 1

    @rx.event
    async def notify(self, kind: Any, timeout: int, count: int) -> None:  # noqa: ASYNC109 - of what is shown
        """Show notifications."""
        toasts = await self.get_state(Toasts)
        for _number in range(count):
            toasts._add(kind, "Copied", "Please try again", timeout=timeout, alone=True)


NEVER_LEAVES = NEVER
