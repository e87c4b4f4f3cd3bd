"""State of the location search (part-1 §2 Service request flow; flow-standard F54)."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, ClassVar

import reflex as rx

from portal.account.flow import home
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError, TooMany
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.pages.views import asks_when_shown, shows_field
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.days import today
from portal.kernel.texts import N_
from portal.locations.api import HandoverOffer, LocationResults, LocationsApi, LocationSearch, ServiceLocation
from portal.locations.flow import LOCATION, chosen_location, handover, offers
from portal.locations.pages.map import MapState
from portal.locations.pages.views import LocationCard, chosen_card, location_card
from portal.locations.rules import maps
from portal.locations.rules.locations import DISTANCES, USUAL_DISTANCE
from portal.reflex_adapter.state import assign_changed
from portal.vocabulary.locations import TYPES, LocationOrder

DATA_FAILURE = N_("Service partners could not be retrieved. Please try again later.")

_visits = count(1)


class PlaceSearchState(MapState, mixin=True):
    """Base of states that search for locations around a place, and show them on a map.

    `view_state`: empty before the first search, then `LOADING`, `READY` or `FAILED`.
    `wider`: the next distance with results, 0 if there is none.
    """

    view_state: rx.Field[str] = rx.field("")
    error: rx.Field[str] = rx.field("")
    distance: rx.Field[str] = rx.field(str(USUAL_DISTANCE))
    wider: rx.Field[int] = rx.field(0)
    place: rx.Field[str] = rx.field("")
    items: rx.Field[list[Any]] = rx.field(default_factory=list)
    total: rx.Field[int] = rx.field(0)
    answered: rx.Field[int] = rx.field(0)
    added: rx.Field[int] = rx.field(0)
    fresh: rx.Field[str] = rx.field("")
    _not_shown: rx.Field[list[Any]] = rx.field(default_factory=list)
    _page: int = 1
    _pages: int = 1
    _visit: int = 0
    _at_once: ClassVar[int]
    """Number of cards at first, and that 'more' adds."""
    _has_summary: ClassVar[bool] = False
    """Whether the page shows a refused search in an error summary, which announces it."""

    async def _query(self, page: int) -> LocationSearch:
        raise NotImplementedError

    def _cards(self, found: Sequence[ServiceLocation], /) -> list[Any]:
        raise NotImplementedError

    def _describe(self, results: LocationResults, /) -> None:
        """Hook: take further values from the results."""

    def _announce_list(self) -> None:
        """Hook: called after the cards changed."""

    def _refused(self, error: ProviderError, /) -> None:
        """Hook: called after a refusal."""

    async def _search(self, page: int = 1) -> None:
        async with self:
            visit = self._visit = next(_visits)
            self.error = ""
            if page == 1:
                self.view_state = LOADING
            query = await self._query(page)
        try:
            results = await self._results(query)
        except ProviderError as error:
            async with self:
                await self._refuse(error, visit)
            return
        # Reading the places takes too long for the event loop, the first time.
        await asyncio.to_thread(maps.load)
        async with self:
            if self._visit == visit:
                self._show_results(results)

    async def _results(self, query: LocationSearch) -> LocationResults:
        async with self:
            token = session_token(self)
        return await ask(LocationsApi).service_locations(token, query)

    async def _more(self) -> None:
        async with self:
            next_page = self._page + 1 if len(self._not_shown) < self._at_once and self._page < self._pages else 0
            if not next_page:
                self._show_more()
        if next_page:
            await self._search(next_page)

    async def _refuse(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit != visit:
            return
        self.answered += 1
        self.items, self._not_shown, self.total, self.place = [], [], 0, ""
        self._list_changed()
        self._refused(error)
        toasts = await self.get_state(Toasts)
        if isinstance(error, InvalidInput):
            self.view_state = READY
            self.error = error.fields.get("text", error.code).value
            toasts._add("error", MESSAGES[Code.POSTAL_CODE_NOT_FOUND], alone=not self._has_summary)
        else:
            self.view_state = FAILED
            if not isinstance(error, TooMany):  # The page says when to try again.
                toasts._add("error", DATA_FAILURE)

    def _show_results(self, results: LocationResults) -> None:
        self.answered += 1
        self.view_state, self.place, self.total = READY, _place_name(results), results.total
        self.wider = results.wider_km or 0
        self._page, self._pages = results.page, results.pages
        self._describe(results)
        self._locate(results)
        found = self._cards(results.items)
        if results.page > 1:
            self._not_shown = [*self._not_shown, *found]
            self._show_more()
            return
        self.items, self._not_shown, self.fresh = found[: self._at_once], found[self._at_once :], ""
        self._list_changed()

    def _show_more(self) -> None:
        further = self._not_shown[: self._at_once]
        if not further:
            return
        self._not_shown = self._not_shown[self._at_once :]
        self.added += 1
        self.items, self.fresh = [*self.items, *further], further[0].location_id
        self._list_changed()

    def _list_changed(self) -> None:
        self._announce_list()
        self._show_all()

    def _listed(self) -> list[tuple[str, str]]:
        return [(card.location_id, card.name) for card in self.items]


def _place_name(results: LocationResults) -> str:
    place = results.place
    name = place.name if place.name == place.own_name else f"{place.name} ({place.own_name})"
    return f"{place.post_code} {name}".strip()


class Locations(PlaceSearchState, rx.State):
    """Search of the location step, which starts around the customer's address.

    `kinds`: types in the filter; empty means all.
    `chosen`: the chosen location; None while none is chosen.
    `proposed`: the location that is chosen beforehand: the first that we recommend around the address.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    text: rx.Field[str] = rx.field("")
    form: rx.Field[int] = rx.field(0)
    order: rx.Field[str] = rx.field(LocationOrder.RECOMMENDED.value)
    kinds: rx.Field[list[str]] = rx.field(default_factory=list)
    items: rx.Field[list[LocationCard]] = rx.field(default_factory=list)
    chosen: rx.Field[LocationCard | None] = rx.field(None)
    proposed: rx.Field[str] = rx.field("")
    elsewhere: rx.Field[bool] = rx.field(False)
    counts: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    filters_open: rx.Field[bool] = rx.field(False)
    _home: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    _around: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    _at_once: ClassVar[int] = 8

    async def _query(self, page: int) -> LocationSearch:
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

    def _reset_to_home(self) -> None:
        self.text, self.distance = self._home.get("post_code", ""), str(USUAL_DISTANCE)
        self.order, self.kinds = LocationOrder.RECOMMENDED.value, []
        self.form += 1

    def _cards(self, found: Sequence[ServiceLocation]) -> list[LocationCard]:
        cards = [location_card(entry, today()) for entry in found]
        if self._page == 1:
            # A customer who searches wants another location.
            can_be_chosen = (card.location_id for card in cards if not card.refusal)
            self.proposed = next(can_be_chosen, "") if self._is_untouched() else ""
        return cards

    def _is_untouched(self) -> bool:
        usual = self.order == LocationOrder.RECOMMENDED and self.distance == str(USUAL_DISTANCE)
        return usual and not self.kinds and self.text == self._home.get("post_code", "")

    def _describe(self, results: LocationResults) -> None:
        self.counts = {entry.location_type.value: entry.count for entry in results.counts}
        if results.page == 1:
            self._around = dict(self._home)

    def _announce_list(self) -> None:
        _find_chosen(self)
        if self.chosen is None:
            self.lit = self.proposed

    @rx.event(background=True)
    @customer
    async def open(self) -> None:
        async with self:
            if self.view_state == READY and self._around == self._home:
                return
            self._reset_to_home()
        await self._search()

    @rx.event(background=True)
    @customer
    async def search(self, form: dict[str, Any]) -> None:
        text, distance = str(form.get("search_text", "")), str(form.get("search_distance", ""))
        async with self:
            self.text = text
            self.distance = distance if distance in {str(known) for known in DISTANCES} else str(USUAL_DISTANCE)
            self.kinds = []
        await self._search()

    @rx.event(background=True)
    @customer
    async def start_over(self) -> None:
        async with self:
            self._reset_to_home()
        await self._search()

    @rx.event(background=True)
    @customer
    async def widen(self) -> None:
        async with self:
            self.distance, self.kinds = str(self.wider or DISTANCES[-1]), []
            self.form += 1
        await self._search()

    @rx.event(background=True)
    @customer
    async def again(self) -> None:
        await self._search()

    @rx.event(background=True)
    @customer
    async def sort(self, order: str) -> None:
        async with self:
            self.order = order if order in set(LocationOrder) else LocationOrder.RECOMMENDED.value
        await self._search()

    @rx.event(background=True)
    @customer
    async def toggle(self, kind: str) -> None:
        async with self:
            without = [known for known in self.kinds if known != kind]
            self.kinds = without if kind in self.kinds else [*without, kind] if kind in set(TYPES) else without
        await self._search()

    @rx.event(background=True)
    @customer
    async def more(self) -> None:
        await self._more()

    @rx.event
    @customer
    async def point_out(self, location_id: str) -> None:
        self._show_one(location_id)

    @rx.event
    @customer
    async def show_all(self) -> None:
        self._show_all()

    @rx.event
    @customer
    async def zoom(self, closer: bool) -> None:
        self._zoom(closer=closer)

    @rx.event
    @customer
    async def fold_map(self) -> None:
        self.map_open = not self.map_open

    @rx.event
    @customer
    async def fold_filters(self) -> None:
        self.filters_open = not self.filters_open


def _chosen_id(state: Locations) -> str:
    return state.chosen.location_id if state.chosen else ""


def _find_chosen(state: Locations) -> None:
    chosen = _chosen_id(state)
    assign_changed(state, {"elsewhere": bool(chosen) and all(card.location_id != chosen for card in state.items)})


asks_when_shown(LOCATION, Locations.open)


def _show_chosen(state: Locations) -> None:
    assign_changed(state, {"lit": _chosen_id(state)})
    _find_chosen(state)


@shows_field(Locations, LOCATION, then=_show_chosen)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    place = {name: value for name, value in home(answers).items() if name in {"post_code", "city", "country_code"}}
    return {"_home": place, "chosen": chosen_card(chosen_location(answers))}


class HandoverChoice(rx.State):
    """Handover methods of the chosen location. `method`: the chosen one; empty while none is chosen."""

    methods: rx.Field[list[HandoverOffer]] = rx.field(default_factory=list)
    method: rx.Field[str] = rx.field("")


@shows_field(HandoverChoice, LOCATION)
def _handover(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    chosen = handover(answers)
    return {
        "methods": [HandoverOffer(handover=method, cost=cost) for method, cost in offers(answers).items()],
        "method": chosen.value if chosen else "",
    }
