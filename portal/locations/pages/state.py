"""Looking for places around a postcode or city. The handlers stand in `locations` and `service_points`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.locations import LocationResults, LocationSearch, ServiceLocation
from portal.contract.locations_api import LocationsApi
from portal.contract.registry import ask
from portal.domain.codes import MESSAGES, Code
from portal.domain.locations import USUAL_DISTANCE
from portal.domain.marks import N_
from portal.states.page import FAILED, LOADING, READY
from portal.states.session import session_ended, session_token
from portal.states.toasts import Toasts

DATA_FAILURE = N_("Service partners could not be retrieved. Please try again later.")
_visits = count(1)


class PlaceSearch(rx.State, mixin=True):
    """What was searched, and what was found.

    Attributes:
        face: empty before the first search, then `LOADING`, `READY` or `FAILED`.
        error: what is wrong with the text that was searched, a code.
        distance: kilometres; wider: the next distance that finds something, 0 when there is none.
        place: what the text was understood as.
        items: the cards that are shown; a state declares them once more with their type, which its page needs.
        total: how many there are within the distance.
        answered: counts the answers to searches.
        added: counts how often more were asked for.
    """

    face: rx.Field[str] = rx.field("")
    error: rx.Field[str] = rx.field("")
    distance: rx.Field[str] = rx.field(str(USUAL_DISTANCE))
    wider: rx.Field[int] = rx.field(0)
    place: rx.Field[str] = rx.field("")
    items: rx.Field[list[Any]] = rx.field(default_factory=list)
    total: rx.Field[int] = rx.field(0)
    answered: rx.Field[int] = rx.field(0)
    added: rx.Field[int] = rx.field(0)
    _waiting: rx.Field[list[Any]] = rx.field(default_factory=list)
    _page: int = 1
    _pages: int = 1
    _visit: int = 0
    _at_once: ClassVar[int]
    """Cards before 'more' is pressed, and that it adds."""

    async def _query(self, page: int) -> LocationSearch:
        """What the provider is asked."""
        raise NotImplementedError

    def _cards(self, found: Sequence[ServiceLocation], /) -> list[Any]:
        """What was found as it is shown; `fresh` of a card says that it is the first one of those added last."""
        raise NotImplementedError

    def _tell(self, results: LocationResults, /) -> None:
        """Show what an answer says beside its places."""

    def _listed(self) -> None:
        """Follow the cards: there are others now."""

    def _refused(self) -> None:
        """Follow a refusal."""

    async def _search(self, page: int = 1) -> None:
        """Ask the provider. Only the last question that was asked is answered."""
        async with self:
            visit = self._visit = next(_visits)
            self.error = ""
            if page == 1:
                self.face = LOADING
            query = await self._query(page)
        try:
            async with self:
                token = session_token(self)
            results = await ask(LocationsApi).service_locations(token, query)
        except ProviderError as error:
            async with self:
                await self._refuse(error, visit)
            return
        async with self:
            if self._visit == visit:
                self._arrive(results)

    async def _more(self) -> None:
        """Show further cards, and ask for the next page of them when too few are there."""
        async with self:
            ahead = self._page + 1 if len(self._waiting) < self._at_once and self._page < self._pages else 0
            if not ahead:
                self._show_more()
        if ahead:
            await self._search(ahead)

    async def _refuse(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit != visit:
            return
        self.answered += 1
        self.items, self._waiting, self.total, self.place = [], [], 0, ""
        self._listed()
        self._refused()
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
        self.face, self.place, self.total = READY, _told(results), results.total
        self.wider = results.wider_km or 0
        self._page, self._pages = results.page, results.pages
        self._tell(results)
        found = self._cards(results.items)
        if results.page > 1:
            self._waiting = [*self._waiting, *found]
            self._show_more()
            return
        self.items, self._waiting = found[: self._at_once], found[self._at_once :]
        self._listed()

    def _show_more(self) -> None:
        further = self._waiting[: self._at_once]
        if not further:
            return
        self._waiting = self._waiting[self._at_once :]
        self.added += 1
        known = [replace(card, fresh=False) for card in self.items]
        self.items = [*known, replace(further[0], fresh=True), *further[1:]]
        self._listed()


def _told(results: LocationResults) -> str:
    """What the text of a search was understood as."""
    place = results.place
    name = place.name if place.name == place.own_name else f"{place.name} ({place.own_name})"
    return f"{place.post_code} {name}".strip()
