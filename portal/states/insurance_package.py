"""The insurances for a bike, compared, and how each bike stands (part-2 §2 Insurance request)."""

from dataclasses import dataclass
from typing import ClassVar

import reflex as rx

from portal.contract.errors import Unavailable
from portal.contract.insurance import InsuranceBike, InsuranceOptions
from portal.contract.insurance_api import InsuranceApi
from portal.contract.registry import ask
from portal.domain.identifiers import is_short_id
from portal.states.live import Live
from portal.states.page import Question
from portal.states.views.insurances import InsuredBike, OfferGroup, insured_bike, offer_groups
from portal.vocabulary.actions import Topic

BIKE = "bike"
"""Name of the bike in the address."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the page asks for. Without `options` the premiums of the chosen bike could not be told."""

    bikes: list[InsuranceBike]
    chosen: str
    options: InsuranceOptions | None


class InsurancePackages(Live, rx.State):
    """The bikes, and the insurances for one of them.

    Attributes:
        bikes: all bikes, newest order first.
        chosen: whose premiums are shown: the bike that the address names, else the first that can be insured.
        groups: its insurances; empty when there are none, or when they could not be loaded.
        failed: whether they could not be loaded.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES,)
    bikes: rx.Field[list[InsuredBike]] = rx.field(default_factory=list)
    chosen: rx.Field[InsuredBike] = rx.field(default_factory=InsuredBike)
    groups: rx.Field[list[OfferGroup]] = rx.field(default_factory=list)
    failed: rx.Field[bool] = rx.field(False)

    def _about(self) -> str:
        text = str(self.router.url.query_parameters.get(BIKE, ""))
        return text if is_short_id(text) else ""

    def _question(self) -> Question[Comparison]:
        named = self._about()

        async def question(token: str) -> Comparison:
            bikes = await ask(InsuranceApi).insurance_bikes(token)
            # Whoever named a bike that is not theirs is shown one of their own.
            wanted = sorted(bikes, key=lambda bike: (bike.bike_id != named, bike.refusal is not None))
            if not wanted:
                return Comparison([], "", None)
            chosen = wanted[0].bike_id
            try:
                return Comparison(bikes, chosen, await ask(InsuranceApi).insurance_options(token, chosen))
            except Unavailable:
                # How the bikes stand is worth showing without the premiums.
                return Comparison(bikes, chosen, None)

        return question

    def _show(self, answer: Comparison) -> None:
        self.bikes = [insured_bike(bike) for bike in answer.bikes]
        self.chosen = next((bike for bike in self.bikes if bike.bike_id == answer.chosen), InsuredBike())
        self.groups = offer_groups(answer.options.offers) if answer.options else []
        self.failed = bool(answer.bikes) and not self.groups
