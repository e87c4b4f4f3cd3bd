"""Looking for a service location (part-1 §2 Service request flow; design: F54)."""

from dataclasses import replace
from itertools import count
from typing import Any

import reflex as rx

from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.locations import LocationResults, LocationSearch
from portal.contract.street import provider
from portal.domain.codes import MESSAGES, Code
from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts
from portal.domain.locations import DISTANCES, TYPES, USUAL_DISTANCE, LocationOrder
from portal.domain.marks import N_
from portal.flows.address import home
from portal.flows.location import chosen_location
from portal.states.flow_views import shows
from portal.states.page import FAILED, LOADING, READY
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.states.toasts import Toasts
from portal.states.views.locations import LocationCard, chosen_card, location_card

SHOWN_AT_ONCE = 8
"""Cards before 'more' is pressed, and that it adds."""
DATA_FAILURE = N_("Service partners could not be retrieved. Please try again later.")
_visits = count(1)


class Locations(rx.State):
    """What was searched, and what was found.

    Attributes:
        face: `LOADING`, `READY` or `FAILED`.
        error: what is wrong with the text that was searched, a code.
        text, distance: what the search began with; form: names its form, another name starts it anew.
        order, kinds: how the list is sorted, and which types are left in.
        place: what the text was understood as.
        items: the cards; chosen: the location of the answers; elsewhere: it is not among the cards.
        total: how many there are within the distance.
        counts: how many of each type.
        wider: the next distance that finds something; 0 when there is none.
        answered: counts the answers to searches.
        added: counts how often more were asked for.
    """

    face: rx.Field[str] = rx.field(LOADING)
    error: rx.Field[str] = rx.field("")
    text: rx.Field[str] = rx.field("")
    distance: rx.Field[str] = rx.field(str(USUAL_DISTANCE))
    form: rx.Field[int] = rx.field(0)
    order: rx.Field[str] = rx.field(LocationOrder.RECOMMENDED.value)
    kinds: rx.Field[list[str]] = rx.field(default_factory=list)
    place: rx.Field[str] = rx.field("")
    items: rx.Field[list[LocationCard]] = rx.field(default_factory=list)
    chosen: rx.Field[LocationCard] = rx.field(default_factory=LocationCard)
    elsewhere: rx.Field[bool] = rx.field(False)
    total: rx.Field[int] = rx.field(0)
    counts: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    wider: rx.Field[int] = rx.field(0)
    answered: rx.Field[int] = rx.field(0)
    added: rx.Field[int] = rx.field(0)
    _home: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    _around: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    _waiting: rx.Field[list[LocationCard]] = rx.field(default_factory=list)
    _page: int = 1
    _pages: int = 1
    _visit: int = 0

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

    def _query(self, page: int) -> LocationSearch:
        return LocationSearch(
            text=self.text,
            country_code=self._home.get("country_code", ""),
            distance_km=int(self.distance),
            order=LocationOrder(self.order),
            types=[kind for kind in TYPES if kind in self.kinds],
            page=page,
            home_post_code=self._home.get("post_code", ""),
            home_city=self._home.get("city", ""),
            home_country_code=self._home.get("country_code", ""),
        )

    def _begin_at_home(self) -> None:
        self.text, self.distance = self._home.get("post_code", ""), str(USUAL_DISTANCE)
        self.order, self.kinds = LocationOrder.RECOMMENDED.value, []
        self.form += 1

    def _arrive(self, results: LocationResults) -> None:
        self.answered += 1
        self.face, self.place, self.total = READY, _told(results), results.total
        self.counts = {entry.location_type.value: entry.count for entry in results.counts}
        self.wider = results.wider_km or 0
        self._page, self._pages = results.page, results.pages
        found = [location_card(entry, today()) for entry in results.items]
        if results.page > 1:
            self._waiting = [*self._waiting, *found]
            self._show_more()
            return
        self._around = dict(self._home)
        self.items, self._waiting = found[:SHOWN_AT_ONCE], found[SHOWN_AT_ONCE:]
        self._place_chosen()

    def _show_more(self) -> None:
        further = self._waiting[:SHOWN_AT_ONCE]
        if not further:
            return
        self._waiting = self._waiting[SHOWN_AT_ONCE:]
        self.added += 1
        known = [replace(card, fresh=False) for card in self.items]
        self.items = [*known, replace(further[0], fresh=True), *further[1:]]
        self._place_chosen()

    def _place_chosen(self) -> None:
        here = {card.location_id for card in self.items}
        self.elsewhere = bool(self.chosen.location_id) and self.chosen.location_id not in here

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

    def _look(self, asked: Asked) -> None:
        """Follow the answers: where the customer lives, what was chosen."""
        place = {name: value for name, value in home(asked).items() if name in {"post_code", "city", "country_code"}}
        if self._home != place:
            self._home = place
        chosen = chosen_card(chosen_location(asked))
        if self.chosen != chosen:
            self.chosen = chosen
        self._place_chosen()


def _told(results: LocationResults) -> str:
    place = results.place
    name = place.name if place.name == place.own_name else f"{place.name} ({place.own_name})"
    return f"{place.post_code} {name}".strip()


@shows("repair-request", "service-request")
async def _show(state: rx.State, facts: Facts, answers: Answers) -> None:
    locations: Any = await state.get_state(Locations)
    locations._look(Asked(answers, facts, today()))
