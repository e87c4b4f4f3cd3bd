"""Looking for a service location (part-1 §2 Service request flow; flow-standard F54)."""

from typing import Any

import reflex as rx

from portal.domain.flow import AnswerContext, Flow
from portal.domain.locations import DISTANCES, USUAL_DISTANCE
from portal.flows.location import LOCATION
from portal.states.flow_views import shows_field
from portal.states.location_list import LocationList
from portal.states.page import READY
from portal.states.policy import customer
from portal.vocabulary.locations import TYPES, LocationOrder


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
        await self._more()


@shows_field(LOCATION)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    locations: Any = await state.get_state(Locations)
    locations._look(answers)
