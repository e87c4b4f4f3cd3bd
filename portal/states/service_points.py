"""Looking for a service point by postcode or city (part-2 §2 Other; §5)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import reflex as rx

from portal.contract.locations import LocationSearch, ServiceLocation
from portal.domain.dates import now
from portal.domain.locations import DISTANCES, USUAL_DISTANCE
from portal.states.place_search import PlaceSearch
from portal.states.policy import customer
from portal.states.session import Session
from portal.states.views.customer import text_in
from portal.states.views.service_points import ServicePoint, service_point
from portal.vocabulary.locations import LocationOrder, LocationType

TEXT, DISTANCE = "search_text", "search_distance"
"""Names of the fields."""
_POINTS = [LocationType.OWN_STORE, LocationType.PREMIUM_PARTNER, LocationType.PARTNER]
"""Places one can go to."""


class ServicePoints(PlaceSearch, rx.State):
    """What was searched, and what was found.

    Attributes:
        items: what is shown.
        typed: what had been searched when the page was opened; empty before the first search.
        attempt: counts the answers that say what is wrong.
    """

    items: rx.Field[list[ServicePoint]] = rx.field(default_factory=list)
    typed: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)
    _text: rx.Field[str] = rx.field("")
    _at_once: ClassVar[int] = 6

    @rx.event
    @customer
    async def load(self) -> None:
        """Show what was found before with what was typed for it."""
        self.typed = self._text

    @rx.event(background=True)
    @customer
    async def search(self, form: dict[str, Any]) -> None:
        """Look around a place.

        Args:
            form: `search_text` and `search_distance`.
        """
        distance = text_in(form, DISTANCE)
        async with self:
            self._text = text_in(form, TEXT)[:1000]
            self.distance = distance if distance in {str(known) for known in DISTANCES} else str(USUAL_DISTANCE)
        await self._search()

    @rx.event(background=True)
    @customer
    async def widen(self) -> None:
        """Look within the distance that finds something."""
        async with self:
            self.distance = str(self.wider or DISTANCES[-1])
        await self._search()

    @rx.event(background=True)
    @customer
    async def again(self) -> None:
        """Try once more what failed."""
        await self._search()

    @rx.event(background=True)
    @customer
    async def more(self) -> None:
        """Show further ones."""
        await self._more()

    async def _query(self, page: int) -> LocationSearch:
        profile = (await self.get_state(Session)).profile
        return LocationSearch(
            text=self._text,
            country_code=profile.country_code,
            distance_km=int(self.distance),
            order=LocationOrder.DISTANCE,
            types=_POINTS,
            page=page,
        )

    def _cards(self, found: Sequence[ServiceLocation]) -> list[ServicePoint]:
        moment = now()
        return [service_point(entry, moment) for entry in found]

    def _refused(self) -> None:
        self.attempt += 1
