"""Looking for a service point by postcode or city (part-2 §2, Other; §5)."""

from dataclasses import replace
from itertools import count
from typing import Any

import reflex as rx

from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.locations import LocationResults, LocationSearch
from portal.contract.street import provider
from portal.domain.codes import MESSAGES, Code
from portal.domain.dates import now
from portal.domain.locations import DISTANCES, USUAL_DISTANCE, LocationOrder, LocationType
from portal.states.location_list import told
from portal.states.locations import DATA_FAILURE
from portal.states.page import FAILED, LOADING, READY
from portal.states.policy import customer
from portal.states.session import Session, session_ended, session_token
from portal.states.toasts import Toasts
from portal.states.views.customer import text_in
from portal.states.views.service_points import ServicePoint, service_point

SHOWN_AT_ONCE = 6
"""Service points before 'more' is pressed, and that it adds."""
TEXT, DISTANCE = "search_text", "search_distance"
"""Names of the fields."""
_POINTS = [LocationType.OWN_STORE, LocationType.PREMIUM_PARTNER, LocationType.PARTNER]
"""Places one can go to."""
_visits = count(1)


class ServicePoints(rx.State):
    """What was searched, and what was found.

    Attributes:
        face: empty before the first search, then `LOADING`, `READY` or `FAILED`.
        error: what is wrong with the text that was searched, a code.
        distance: kilometres; wider: the next distance that finds something, 0 when there is none.
        place: what the text was understood as.
        items: what is shown; total: how many there are.
        answered: counts the answers to searches; attempt: those that say what is wrong.
        added: counts how often more were asked for.
    """

    face: rx.Field[str] = rx.field("")
    error: rx.Field[str] = rx.field("")
    distance: rx.Field[str] = rx.field(str(USUAL_DISTANCE))
    wider: rx.Field[int] = rx.field(0)
    place: rx.Field[str] = rx.field("")
    items: rx.Field[list[ServicePoint]] = rx.field(default_factory=list)
    total: rx.Field[int] = rx.field(0)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    added: rx.Field[int] = rx.field(0)
    _text: rx.Field[str] = rx.field("")
    _waiting: rx.Field[list[ServicePoint]] = rx.field(default_factory=list)
    _page: int = 1
    _pages: int = 1
    _visit: int = 0

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
        async with self:
            ahead = self._page + 1 if len(self._waiting) < SHOWN_AT_ONCE and self._page < self._pages else 0
            if not ahead:
                self._show_more()
        if ahead:
            await self._search(ahead)

    async def _search(self, page: int = 1) -> None:
        """Ask the provider. Only the last question that was asked is answered."""
        async with self:
            visit = self._visit = next(_visits)
            self.error = ""
            if page == 1:
                self.face = LOADING
            profile = (await self.get_state(Session)).profile
            query = LocationSearch(
                text=self._text,
                country_code=profile.country_code,
                distance_km=int(self.distance),
                order=LocationOrder.DISTANCE,
                types=_POINTS,
                page=page,
            )
        try:
            async with self:
                token = session_token(self)
            results = await provider().service_locations(token, query)
        except ProviderError as error:
            async with self:
                await self._refuse(error, visit)
            return
        async with self:
            if self._visit == visit:
                self._arrive(results)

    async def _refuse(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit != visit:
            return
        self.answered += 1
        self.attempt += 1
        self.items, self._waiting, self.total, self.place = [], [], 0, ""
        toasts = await self.get_state(Toasts)
        if isinstance(error, InvalidInput):
            self.face = READY
            self.error = error.fields.get("text", error.code).value
            toasts._add("error", MESSAGES[Code.POSTAL_CODE_NOT_FOUND])
        else:
            self.face = FAILED
            toasts._add("error", DATA_FAILURE)

    def _arrive(self, results: LocationResults) -> None:
        self.answered += 1
        self.face, self.place, self.total = READY, told(results), results.total
        self.wider = results.wider_km or 0
        self._page, self._pages = results.page, results.pages
        moment = now()
        found = [service_point(entry, moment) for entry in results.items]
        if results.page > 1:
            self._waiting = [*self._waiting, *found]
            self._show_more()
            return
        self.items, self._waiting = found[:SHOWN_AT_ONCE], found[SHOWN_AT_ONCE:]

    def _show_more(self) -> None:
        further = self._waiting[:SHOWN_AT_ONCE]
        if not further:
            return
        self._waiting = self._waiting[SHOWN_AT_ONCE:]
        self.added += 1
        known = [replace(point, fresh=False) for point in self.items]
        self.items = [*known, replace(further[0], fresh=True), *further[1:]]
