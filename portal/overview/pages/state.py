"""The home of one bike (part-1 §2, §3): everything about it, and what can be started for it."""

from typing import Any, ClassVar

import reflex as rx

from portal.contract.bike_home import BikeHome, MileageEntry
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.overview_api import OverviewApi
from portal.contract.registry import ask
from portal.domain.marks import N_
from portal.states.live import Live
from portal.states.page import READY, Question, last_part
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.states.toasts import Toasts
from portal.states.views.bike_actions import bike_actions, open_and_closed
from portal.states.views.bike_home import (
    ClockView,
    Happening,
    InsuranceView,
    Paper,
    WarrantyView,
    clock,
    insurance,
    papers,
    shown_at_once,
    timeline,
    warranty,
)
from portal.states.views.bikes import BikeView, bike_view
from portal.states.views.customer import text_in
from portal.states.views.dashboard import ActionView
from portal.vocabulary.actions import Feature, Topic

MILEAGE = "mileage"
"""Name of the field."""


class BikeDetail(Live, rx.State):
    """The bike that the address names; another customer's bike is not found.

    Attributes:
        bike: everything that is known of it; km: its mileage with decimals, empty when unknown.
        actions: what can be started for it; closed: what cannot, with the reason.
        returnable: whether it can be returned or exchanged.
        clock, warranty, insurance: the next service, the warranty, the insurance that was asked for.
        recent, earlier: its timeline: what lies ahead and happened last, and what was before.
        papers: its documents.
        mileage_error: what is wrong with the mileage that was typed, a code; mileage_typed: what was typed.
        mileage_refusal: why it could not be kept, a code.
        answered, attempt, kept: count the answers to the form, the refusals, and what was kept.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.DELIVERIES, Topic.RETURNS, Topic.INSURANCES)
    bike: rx.Field[BikeView] = rx.field(default_factory=BikeView)
    km: rx.Field[str] = rx.field("")
    actions: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    closed: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    returnable: rx.Field[bool] = rx.field(False)
    clock: rx.Field[ClockView] = rx.field(default_factory=ClockView)
    warranty: rx.Field[WarrantyView] = rx.field(default_factory=WarrantyView)
    insurance: rx.Field[InsuranceView] = rx.field(default_factory=InsuranceView)
    recent: rx.Field[list[Happening]] = rx.field(default_factory=list)
    earlier: rx.Field[list[Happening]] = rx.field(default_factory=list)
    papers: rx.Field[list[Paper]] = rx.field(default_factory=list)
    mileage_error: rx.Field[str] = rx.field("")
    mileage_typed: rx.Field[str] = rx.field("")
    mileage_refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    kept: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def enter_mileage(self, form: dict[str, Any]) -> None:
        """Keep what the odometer says; a lower number than before is asked about first.

        Args:
            form: `mileage` as typed.
        """
        await self._enter_mileage(text_in(form, MILEAGE), corrects=False)

    @rx.event(background=True)
    @customer
    async def correct_mileage(self) -> None:
        """Keep the lower number that was typed: it is right."""
        async with self:
            typed = self.mileage_typed
        await self._enter_mileage(typed, corrects=True)

    async def _enter_mileage(self, typed: str, *, corrects: bool) -> None:
        async with self:
            if self.face != READY:
                return
            bike_id, visit = self.subject, self._visit
            try:
                token = session_token(self)
            except NotAuthenticated:
                await session_ended(self)
                return
        try:
            home = await ask(OverviewApi).enter_mileage(
                token, bike_id, MileageEntry(mileage=typed[:100], corrects=corrects)
            )
        except ProviderError as error:
            async with self:
                await self._refuse(error, typed)
            return
        async with self:
            if self._visit != visit:
                return
            self._show(home)
            self.answered += 1
            self.kept += 1
            self.mileage_error, self.mileage_refusal, self.mileage_typed = "", "", ""

    async def _refuse(self, error: ProviderError, typed: str) -> None:
        self.answered += 1
        self.attempt += 1
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        wrong = error.fields.get(MILEAGE) if isinstance(error, InvalidInput) else None
        self.mileage_typed = typed
        self.mileage_error = wrong.value if wrong else ""
        self.mileage_refusal = "" if wrong else error.code.value
        if not wrong:
            (await self.get_state(Toasts))._add("error", N_("Something went wrong"), N_("Please try again"))

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[BikeHome]:
        bike_id = self._about()

        async def question(token: str) -> BikeHome:
            return await ask(OverviewApi).bike_home(token, bike_id)

        return question

    def _show(self, home: BikeHome) -> None:
        self.bike, self.km = bike_view(home.bike), home.mileage_km
        self.actions, self.closed = open_and_closed(bike_actions(home))
        self.returnable = any(action.feature == Feature.RETURN for action in self.actions)
        self.clock = clock(home.clock, [Feature(action.feature) for action in self.actions])
        self.warranty, self.insurance = warranty(home), insurance(home)
        entries = timeline(home.timeline, home.bike.order_number)
        some = shown_at_once(entries)
        self.recent, self.earlier = entries[:some], entries[some:]
        self.papers = papers(home.documents)
