"""The customer's bikes as cards (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.bikes import BikeSummary
from portal.contract.bikes_api import BikesApi
from portal.contract.registry import ask
from portal.states.page import Loadable, Question
from portal.states.views.bikes import BikeCard, bike_card


class Bikes(Loadable, rx.State):
    """All bikes, newest order first."""

    _kept: ClassVar[tuple[str, ...]] = ("cards",)
    cards: rx.Field[list[BikeCard]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[BikeSummary]]:
        return lambda token: ask(BikesApi).bikes(token)

    def _show(self, bikes: list[BikeSummary]) -> None:
        self.cards = [bike_card(bike) for bike in bikes]
