"""The customer service: whether somebody is there now, and what the customer came for."""

import asyncio

import reflex as rx

from portal.domain.dates import now, today
from portal.domain.hours import Closed, changes_at, closed_soon, is_holiday, never, standing
from portal.reflex_adapter.state import assign_changed
from portal.settings import Variant, settings
from portal.states.policy import customer
from portal.vocabulary.actions import Feature

_TOPICS = frozenset(feature.value for feature in Feature if feature is not Feature.CUSTOMER_SERVICE)
_LONGEST_PAUSE = 600.0
"""Seconds; the clock of a server may be set."""


class Contact(rx.State):
    """What the page of the customer service shows.

    Attributes:
        known: whether the rest has been found out.
        topic: what the customer came for, a feature of the dashboard; empty when they just came.
        open: whether the customer service can be reached by phone now.
        at: until when today, or from when on `day`; local time HH:MM.
        day: the day on which it opens again (ISO); empty while it is open or opens later today.
        closed: days of the coming week on which nobody is there, although the hours say so (ISO).
    """

    known: rx.Field[bool] = rx.field(False)
    topic: rx.Field[str] = rx.field("")
    open: rx.Field[bool] = rx.field(False)
    at: rx.Field[str] = rx.field("")
    day: rx.Field[str] = rx.field("")
    closed: rx.Field[list[str]] = rx.field(default_factory=list)

    @rx.event
    @customer
    async def load(self) -> None:
        """Find out what the customer came for, and whether somebody is there."""
        topic = str(self.router.url.query_parameters.get("topic", ""))
        self.topic = topic if topic in _TOPICS else ""
        self._look()

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        """Look again when it opens or closes, as long as the page is open."""
        while True:
            async with self:
                pause = self._look()
            await asyncio.sleep(min(max(pause, 1.0), _LONGEST_PAUSE))

    def _look(self) -> float:
        """See how it stands; seconds until that changes."""
        moment, closed = now(), _closed()
        found = standing(Variant.of_host(self.router.headers.host).hours, moment, closed)
        seen = {
            "open": found.open,
            "at": found.at.strftime("%H:%M") if found.at else "",
            "day": found.day.isoformat() if found.day and found.day != today() else "",
            "closed": [day.isoformat() for day in closed_soon(closed, today())],
            "known": True,
        }
        assign_changed(self, seen)
        return (changes_at(found, moment) - moment).total_seconds()


def _closed() -> Closed:
    return is_holiday if settings().closed_on_holidays else never
