"""Moves that follow when bikes or an order leave their customer, in the transaction of what caused them.

A subject that has something to end registers a follower (`portal.provider.departures`). What it does for each departure
stands in the table of `vocabulary.departures`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.departures import Departure


@dataclass(frozen=True, slots=True)
class Departed:
    """What left for good.

    Attributes:
        customer_id: who had it.
        departure: what happened. A withdrawal after sending is `WITHDRAWN` here, once it has come back.
        bikes: bikes that are gone.
        day: the local day on which they came back, or on which their order was cancelled.
        note: of staff to the customer.
        order: the order that was cancelled, if one was; `units` counts those in cancelled parts by order line,
            None for all.
    """

    customer_id: int
    departure: Departure
    bikes: Sequence[BikeRow]
    day: date
    order: OrderRow | None = None
    units: Mapping[int, int] | None = None
    note: str = ""

    @property
    def final(self) -> Departure:
        """What is true from now on: what was withdrawn after sending has come back."""
        return Departure.RETURNED if self.departure is Departure.WITHDRAWN else self.departure

    @property
    def bike_ids(self) -> list[int]:
        """Primary keys of the bikes."""
        return [bike.id for bike in self.bikes]


cause: ContextVar[Departure | None] = ContextVar("cause", default=None)
"""Why something ends now, for the history of its case."""


@contextmanager
def because(departure: Departure | None) -> Iterator[None]:
    """Set the cause of what ends here."""
    token = cause.set(departure)
    try:
        yield
    finally:
        cause.reset(token)


Follower = Callable[[Context, AsyncSession, Departed], Awaitable[bool | None]]
"""Returns whether it mailed the customer about the departure itself."""


class Followers:
    """The followers of all subjects. `portal.provider.departures` registers them."""

    def __init__(self) -> None:
        self._followers: list[Follower] = []

    def register(self, followers: Iterable[Follower]) -> None:
        """Add followers, which are called in this order. Adding the same follower again has no effect."""
        self._followers += [follower for follower in followers if follower not in self._followers]

    async def follow(self, context: Context, session: AsyncSession, departed: Departed) -> bool:
        """End everything that hangs on what left; whether the customer was mailed about the departure itself."""
        with because(departed.final):
            return any([await follower(context, session, departed) for follower in self._followers])


FOLLOWERS = Followers()
"""All registered followers."""
