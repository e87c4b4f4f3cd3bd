"""States for the pages of the service and claim flows."""

from dataclasses import dataclass
from itertools import count
from typing import Any

import reflex as rx

from portal.bikes.flow import BIKE
from portal.bikes.rules import RepairCost
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow, Iban
from portal.flow.pages.showing import shows
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import asks_when_shown
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.kernel.texts import N_
from portal.work_orders.api import ServiceOffer, WorkOrdersApi
from portal.work_orders.flow.claim import HOLDER
from portal.work_orders.flow.repair import WARRANTY
from portal.work_orders.flow.service import JOB

FAILURE = N_("Service product could not be retrieved.")

_visits = count(1)


@dataclass(frozen=True, slots=True)
class JobCard:
    """A job to choose from.

    Attributes:
        reduced: price with the service package, in the same format; empty if the package does not reduce it.
    """

    job: str = ""
    price: str = ""
    reduced: str = ""
    due: bool = False


@dataclass(frozen=True, slots=True)
class DueView:
    """The service that the bike needs next. Days are in ISO 8601 format; unknown values are empty."""

    job: str = ""
    day: str = ""
    urgency: str = "later"
    by_distance: bool = False
    mileage: str = ""
    mileage_day: str = ""
    last: str = ""


class ServiceJobs(rx.State):
    """The maintenance jobs for the bike of the draft.

    Attributes:
        problem: code of the refusal; empty if loading failed for another reason.
        package: code of the service package; empty without one.
        jobs: from the first to the last service.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    problem: rx.Field[str] = rx.field("")
    drive: rx.Field[str] = rx.field("bike")
    package: rx.Field[str] = rx.field("")
    jobs: rx.Field[list[JobCard]] = rx.field(default_factory=list)
    due: rx.Field[DueView] = rx.field(default_factory=DueView)
    _bike: str = ""
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Load the jobs for the bike of the draft. Ignores an answer if another load was started after it."""
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
        try:
            async with self:
                token = session_token(self)
            offer = await ask(WorkOrdersApi).service_products(token, bike)
        except ProviderError as error:
            async with self:
                await self._refuse(error, visit)
            return
        async with self:
            if self._visit == visit:
                await self._show(offer)

    async def _show(self, offer: ServiceOffer) -> None:
        due = offer.due
        self.drive = offer.drive.value
        self.package = offer.service_package.value if offer.service_package else ""
        self.due = DueView(
            job=due.job.value,
            day=due.day.isoformat(),
            urgency=due.urgency.value,
            by_distance=due.by_distance,
            mileage="" if due.mileage is None else str(due.mileage),
            mileage_day=due.mileage_at.isoformat() if due.mileage_at else "",
            last=due.last.isoformat() if due.last else "",
        )
        self.jobs = [
            JobCard(
                job=product.job.value,
                price=f"{product.price:.2f}",
                reduced="" if product.reduced is None else f"{product.reduced:.2f}",
                due=product.job == due.job,
            )
            for product in offer.products
        ]
        self.view_state = READY if self.jobs else FAILED
        if not self.jobs:
            (await self.get_state(Toasts))._add("error", FAILURE)

    async def _refuse(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit == visit:
            self.view_state = FAILED
            self.problem = error.code.value if isinstance(error, Refused | NotFound) else ""
            (await self.get_state(Toasts))._add("error", FAILURE)


asks_when_shown(JOB, ServiceJobs.load)


class ClaimDisplay(rx.State):
    holder: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")


class RepairWarranty(rx.State):
    """What a repair probably costs, by language; empty until a bike is chosen.

    Attributes:
        choice: the choice between repair and replacement; empty once the warranty has expired.
    """

    free: rx.Field[bool] = rx.field(False)
    title: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    rule: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    choice: rx.Field[dict[str, str]] = rx.field(default_factory=dict)


@shows(RepairWarranty, "repair-request")
def _warranty(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    found = answers.facts.get(WARRANTY) or {}
    shown = {name: dict(found.get(name, {})) for name in ("title", "rule", "choice")}
    free = found.get("cost") in {RepairCost.FREE, RepairCost.PARTLY}
    return {"free": free, **shown}


@shows(ClaimDisplay, "claim-request")
def _claim(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {
        "holder": str(answers.facts.get(HOLDER, "")),
        "iban": Iban.written(answers.text("iban")),
    }
