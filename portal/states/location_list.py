"""The search for a service location, and what its page follows beside. The handlers stand in `locations`."""

from collections.abc import Sequence
from typing import ClassVar

import reflex as rx

from portal.contract.locations import LocationResults, LocationSearch, ServiceLocation
from portal.domain.dates import today
from portal.domain.flow import AnswerContext
from portal.domain.locations import USUAL_DISTANCE
from portal.flows.address import home
from portal.flows.location import chosen_location
from portal.reflex_adapter.state import assign_changed
from portal.states.page import LOADING
from portal.states.place_search import PlaceSearch
from portal.states.views.locations import LocationCard, chosen_card, location_card
from portal.vocabulary.locations import TYPES, LocationOrder


class LocationList(PlaceSearch, mixin=True):
    """What was searched, and what was found, around the address of the answers at first.

    Attributes:
        face: `LOADING`, `READY` or `FAILED`.
        text: what the search began with; form: names its form, another name starts it anew.
        order, kinds: how the list is sorted, and which types are left in.
        items: the cards; chosen: the location of the answers; elsewhere: it is not among the cards.
        counts: how many of each type.
    """

    face: rx.Field[str] = rx.field(LOADING)
    text: rx.Field[str] = rx.field("")
    form: rx.Field[int] = rx.field(0)
    order: rx.Field[str] = rx.field(LocationOrder.RECOMMENDED.value)
    kinds: rx.Field[list[str]] = rx.field(default_factory=list)
    items: rx.Field[list[LocationCard]] = rx.field(default_factory=list)
    chosen: rx.Field[LocationCard] = rx.field(default_factory=LocationCard)
    elsewhere: rx.Field[bool] = rx.field(False)
    counts: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
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

    def _begin_at_home(self) -> None:
        self.text, self.distance = self._home.get("post_code", ""), str(USUAL_DISTANCE)
        self.order, self.kinds = LocationOrder.RECOMMENDED.value, []
        self.form += 1

    def _cards(self, found: Sequence[ServiceLocation]) -> list[LocationCard]:
        return [location_card(entry, today()) for entry in found]

    def _tell(self, results: LocationResults) -> None:
        self.counts = {entry.location_type.value: entry.count for entry in results.counts}
        if results.page == 1:
            self._around = dict(self._home)

    def _listed(self) -> None:
        self._place_chosen()

    def _place_chosen(self) -> None:
        chosen = self.chosen.location_id
        assign_changed(self, {"elsewhere": bool(chosen) and all(card.location_id != chosen for card in self.items)})

    def _look(self, answers: AnswerContext) -> None:
        """Follow the answers: where the customer lives, what was chosen."""
        place = {name: value for name, value in home(answers).items() if name in {"post_code", "city", "country_code"}}
        assign_changed(self, {"_home": place, "chosen": chosen_card(chosen_location(answers))})
        self._place_chosen()
