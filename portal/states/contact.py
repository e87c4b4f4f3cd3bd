"""The customer service: whether somebody is there now, and what the customer came for."""

import reflex as rx

from portal.domain.dashboard import Feature
from portal.domain.dates import now, today
from portal.domain.hours import standing
from portal.settings import Variant
from portal.states.policy import customer

_TOPICS = frozenset(feature.value for feature in Feature if feature is not Feature.CUSTOMER_SERVICE)


class Contact(rx.State):
    """What the page of the customer service shows.

    Attributes:
        known: whether the rest has been found out.
        topic: what the customer came for, a feature of the dashboard; empty when they just came.
        open: whether the customer service can be reached by phone now.
        at: until when today, or from when on `day`; local time HH:MM.
        day: the day on which it opens again (ISO); empty while it is open or opens later today.
    """

    known: rx.Field[bool] = rx.field(False)
    topic: rx.Field[str] = rx.field("")
    open: rx.Field[bool] = rx.field(False)
    at: rx.Field[str] = rx.field("")
    day: rx.Field[str] = rx.field("")

    @rx.event
    @customer
    async def load(self) -> None:
        """Find out what the customer came for, and whether somebody is there."""
        topic = str(self.router.url.query_parameters.get("topic", ""))
        self.topic = topic if topic in _TOPICS else ""
        found = standing(Variant.of_host(self.router.headers.host).hours, now())
        self.open = found.open
        self.at = found.at.strftime("%H:%M") if found.at else ""
        self.day = found.day.isoformat() if found.day and found.day != today() else ""
        self.known = True
