"""State of the package step: the packages for the chosen bike (part-1 §2, part-2 §3)."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import reflex as rx

from portal.bikes.flow import BIKE
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.pages.showing import shows
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import asks_when_shown
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.service_packages.api import PackageCard, PackageOptions, ServicePackagesApi
from portal.service_packages.flow import CHOICES, OFFERS, PACKAGE, SERVICE_PACKAGE
from portal.service_packages.rules import family_of
from portal.vocabulary.services import ServicePackage

_visits = count(1)


@dataclass(frozen=True, slots=True)
class ServicePrice:
    """Price of a service with a package, euro as text. `usual` is empty unless the price is reduced."""

    job: str = ""
    price: str = ""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class PackageView:
    """A service package. `monthly` is euro as text; `choosable` is false for 'none'."""

    code: str = ""
    monthly: str = ""
    most_chosen: bool = False
    current: bool = False
    choosable: bool = True
    includes: list[str] = field(default_factory=list)
    services: list[ServicePrice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FamilyView:
    """One family of packages."""

    family: str = ""
    packages: list[PackageView] = field(default_factory=list)


class PackageOffers(rx.State):
    """The packages for the chosen bike.

    Attributes:
        view_state: `LOADING`, `READY` or `FAILED`.
        families: the two families with their packages.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    families: rx.Field[list[FamilyView]] = rx.field(default_factory=list)
    _bike: str = ""
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Load the packages for the bike of the request."""
        async with self:
            bike = str((await self.get_state(FlowRun)).texts.get(BIKE, ""))
            if not bike:
                return
            if self._bike != bike:
                self.reset()
                self._bike = bike
            elif self.view_state == FAILED:
                self.view_state = LOADING
            visit = self._visit = next(_visits)
            token = session_token(self)
        try:
            options = await ask(ServicePackagesApi).service_packages(token, bike)
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                if self._visit == visit:
                    self.view_state = FAILED
            return
        async with self:
            if self._visit == visit:
                self._show(options)

    def _show(self, options: PackageOptions) -> None:
        self.families = [
            FamilyView(family.value, [_view(card) for card in options.packages if card.family is family])
            for family in dict.fromkeys(card.family for card in options.packages)
        ]
        self.view_state = READY if self.families else FAILED


asks_when_shown(PACKAGE, PackageOffers.load)


@dataclass(frozen=True, slots=True)
class OfferView:
    """Price and contents of a package that is offered today; `monthly` is euro as text."""

    code: str = ""
    family: str = ""
    monthly: str = ""
    most_chosen: bool = False
    includes: list[str] = field(default_factory=list)
    half_price_jobs: list[str] = field(default_factory=list)


class TodaysPackages(rx.State):
    """The packages that can be taken out today, and the one that was chosen; its code is empty while none was."""

    offers: rx.Field[list[OfferView]] = rx.field(default_factory=list)
    chosen: rx.Field[OfferView] = rx.field(default_factory=OfferView)


@shows(TodaysPackages, SERVICE_PACKAGE.name)
def _today(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    offers = [_offer(entry) for entry in answers.facts.get(OFFERS, ()) if entry["id"] in CHOICES]
    chosen = next((offer for offer in offers if offer.code == answers.text(PACKAGE)), OfferView())
    return {"offers": offers, "chosen": chosen}


def _offer(entry: dict[str, Any]) -> OfferView:
    return OfferView(
        code=entry["id"],
        family=family_of(ServicePackage(entry["id"])).value,
        monthly=entry["monthly"],
        most_chosen=entry["most_chosen"],
        includes=list(entry["includes"]),
        half_price_jobs=list(entry["half_price_jobs"]),
    )


def _view(card: PackageCard) -> PackageView:
    return PackageView(
        code=card.code.value,
        monthly=f"{card.monthly:.2f}",
        most_chosen=card.most_chosen,
        current=card.current,
        choosable=card.code.value in CHOICES,
        includes=[entry.value for entry in card.includes],
        services=[
            ServicePrice(entry.job.value, f"{entry.price:.2f}", f"{entry.usual:.2f}" if entry.half else "")
            for entry in card.services
        ],
    )
