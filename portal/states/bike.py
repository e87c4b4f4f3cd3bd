"""One bike (part-1 §2, §3), and what can be started for it."""

import reflex as rx

from portal.contract import bikes
from portal.contract.account import Action
from portal.contract.provider import Provider
from portal.states.page import Face, Question, last_part
from portal.states.policy import customer
from portal.states.views.bike_actions import bike_actions
from portal.states.views.bikes import BikeView, bike_view
from portal.states.views.dashboard import ActionView


class BikeDetail(Face, rx.State):
    """The bike that the address names; another customer's bike is not found.

    Attributes:
        bike: everything that is known of it.
        actions: repair, service, claim and status, for this bike.
    """

    bike: rx.Field[BikeView] = rx.field(default_factory=BikeView)
    actions: rx.Field[list[ActionView]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Ask for the bike, and for what the retailer offers."""
        await self._open(self._question(), self._show, about=self._about())

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[bikes.Bike, list[Action]]]:
        bike_id = self._about()

        async def ask(shop: Provider, token: str) -> tuple[bikes.Bike, list[Action]]:
            return await shop.bike(token, bike_id), (await shop.dashboard(token)).actions

        return ask

    def _show(self, answer: tuple[bikes.Bike, list[Action]]) -> None:
        bike, offered = answer
        self.bike, self.actions = bike_view(bike), bike_actions(bike, offered)
