"""State of the package step: the packages for the chosen bike (part-1 §2, part-2 §3)."""

from itertools import count
from typing import Any

import reflex as rx

from portal.bikes.flow import BIKE
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import asks_when_shown, shows
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.service_packages.api import PackageCard, PackageOptions, ServicePackagesApi
from portal.service_packages.flow import PACKAGE, SERVICE_PACKAGE, chosen_offer, offers
from portal.service_packages.rules import PackageOffer

_visits = count(1)


class PackageOffers(rx.State):
    """The packages for the chosen bike."""

    view_state: rx.Field[str] = rx.field(LOADING)
    families: rx.Field[list[list[PackageCard]]] = rx.field(default_factory=list)
    _bike: str = ""
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
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
            [card for card in options.packages if card.family is family]
            for family in dict.fromkeys(card.family for card in options.packages)
        ]
        self.view_state = READY if self.families else FAILED


asks_when_shown(PACKAGE, PackageOffers.load)


class TodaysPackages(rx.State):
    """The packages that can be taken out today, and the chosen one."""

    offers: rx.Field[list[PackageOffer]] = rx.field(default_factory=list)
    chosen: rx.Field[PackageOffer | None] = rx.field(None)


@shows(TodaysPackages, SERVICE_PACKAGE.name)
def _today(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {"offers": offers(answers), "chosen": chosen_offer(answers)}
