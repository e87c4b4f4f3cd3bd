"""What was searched and found around a place, and how that changes. The handlers stand in `locations`."""

from dataclasses import replace

import reflex as rx

from portal.contract.locations import LocationResults, LocationSearch
from portal.domain.dates import today
from portal.domain.flow import Asked
from portal.domain.locations import TYPES, USUAL_DISTANCE, LocationOrder
from portal.flows.address import home
from portal.flows.location import chosen_location
from portal.states.change import change
from portal.states.page import LOADING, READY
from portal.states.views.locations import LocationCard, chosen_card, location_card

SHOWN_AT_ONCE = 8
"""Cards before 'more' is pressed, and that it adds."""


class LocationList(rx.State, mixin=True):
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
        self.face, self.place, self.total = READY, told(results), results.total
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
        change(self, {"elsewhere": bool(self.chosen.location_id) and self.chosen.location_id not in here})

    def _look(self, asked: Asked) -> None:
        """Follow the answers: where the customer lives, what was chosen."""
        place = {name: value for name, value in home(asked).items() if name in {"post_code", "city", "country_code"}}
        change(self, {"_home": place, "chosen": chosen_card(chosen_location(asked))})
        self._place_chosen()


def told(results: LocationResults) -> str:
    """What the text of a search was understood as."""
    place = results.place
    name = place.name if place.name == place.own_name else f"{place.name} ({place.own_name})"
    return f"{place.post_code} {name}".strip()
