"""Looking for a service location (part-1 §2 Service request flow; design: F54)."""

from itertools import count
from typing import Any

import reflex as rx

from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.street import provider
from portal.domain.codes import MESSAGES, Code
from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts
from portal.domain.locations import DISTANCES, TYPES, USUAL_DISTANCE, LocationOrder
from portal.domain.marks import N_
from portal.states.flow_views import shows
from portal.states.location_list import SHOWN_AT_ONCE, LocationList
from portal.states.page import FAILED, LOADING, READY
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.states.toasts import Toasts

DATA_FAILURE = N_("Service partners could not be retrieved. Please try again later.")
_visits = count(1)


class Locations(LocationList, rx.State):
    """What the step asks for."""

    @rx.event(background=True)
    @customer
    async def open(self) -> None:
        """Arrive at the step: look around the address, unless that was done already."""
        async with self:
            if self.face == READY and self._around == self._home:
                return
            self._begin_at_home()
        await self._search()

    @rx.event(background=True)
    @customer
    async def search(self, form: dict[str, Any]) -> None:
        """Look around another place.

        Args:
            form: `search_text` and `search_distance`.
        """
        text, distance = str(form.get("search_text", "")), str(form.get("search_distance", ""))
        async with self:
            self.text = text
            self.distance = distance if distance in {str(known) for known in DISTANCES} else str(USUAL_DISTANCE)
            self.kinds = []
        await self._search()

    @rx.event(background=True)
    @customer
    async def start_over(self) -> None:
        """Back to the address, as at the beginning."""
        async with self:
            self._begin_at_home()
        await self._search()

    @rx.event(background=True)
    @customer
    async def widen(self) -> None:
        """Look within the distance that finds something."""
        async with self:
            self.distance, self.kinds = str(self.wider or DISTANCES[-1]), []
            self.form += 1
        await self._search()

    @rx.event(background=True)
    @customer
    async def again(self) -> None:
        """Try once more what failed."""
        await self._search()

    @rx.event(background=True)
    @customer
    async def sort(self, order: str) -> None:
        """Sort the list.

        Args:
            order: a value of `LocationOrder`.
        """
        async with self:
            self.order = order if order in set(LocationOrder) else LocationOrder.RECOMMENDED.value
        await self._search()

    @rx.event(background=True)
    @customer
    async def toggle(self, kind: str) -> None:
        """Leave only some types in the list, or a further one.

        Args:
            kind: a value of `LocationType`.
        """
        async with self:
            without = [known for known in self.kinds if known != kind]
            self.kinds = without if kind in self.kinds else [*without, kind] if kind in set(TYPES) else without
        await self._search()

    @rx.event(background=True)
    @customer
    async def more(self) -> None:
        """Show further cards."""
        async with self:
            ahead = self._page + 1 if len(self._waiting) < SHOWN_AT_ONCE and self._page < self._pages else 0
        if ahead:
            await self._search(ahead)
            return
        async with self:
            self._show_more()

    async def _search(self, page: int = 1) -> None:
        """Ask the provider. Only the last question that was asked is answered."""
        async with self:
            visit = self._visit = next(_visits)
            self.error = ""
            if page == 1:
                self.face = LOADING
            query = self._query(page)
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
        self.items, self._waiting, self.total, self.place = [], [], 0, ""
        self._place_chosen()
        toasts = await self.get_state(Toasts)
        if isinstance(error, InvalidInput):
            self.face = READY
            self.error = error.fields.get("text", error.code).value
            toasts._add("error", MESSAGES[Code.POSTAL_CODE_NOT_FOUND])
        else:
            self.face = FAILED
            toasts._add("error", DATA_FAILURE)


@shows("repair-request", "service-request")
async def _show(state: rx.State, facts: Facts, answers: Answers) -> None:
    locations: Any = await state.get_state(Locations)
    locations._look(Asked(answers, facts, today()))
