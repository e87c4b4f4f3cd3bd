"""States of the dashboard, of one order and of one bike (part-1 §2)."""

from typing import Any, ClassVar

import reflex as rx

from portal.bikes.pages.state import BikeView, bike_view
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.flow.api import FlowApi
from portal.flow.pages.views import DraftCard, draft_card
from portal.flow.registry import FLOWS
from portal.frontend.actions import ActionView
from portal.frontend.live import Live
from portal.frontend.session import customer, session_ended, session_token
from portal.frontend.state import FAILED, READY, Question, last_part, text_in
from portal.frontend.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.kernel.texts import N_
from portal.orders import api as orders
from portal.orders.api import OrdersApi
from portal.overview import api as account
from portal.overview.api import BikeHome, MileageEntry, OverviewApi
from portal.overview.pages.bike_views import (
    BikeInsuranceView,
    ClockView,
    DocumentView,
    TimelineEventView,
    WarrantyView,
    bike_actions,
    clock,
    document_views,
    insurance,
    open_and_closed,
    shown_at_once,
    timeline,
    warranty,
)
from portal.overview.pages.order_views import OrderView, order_view
from portal.overview.pages.views import OngoingView, buttons, ongoing, tiles
from portal.vocabulary.actions import Feature, Topic

MOST_SHOWN = 4
"""Of what is going on; what can be started must not be pushed off the screen."""


class DashboardPage(Live, rx.State):
    """What the dashboard shows.

    Attributes:
        first_name: how the customer is greeted.
        has_features: whether anything is offered for the order (part-1 §6).
        going_on: open requests, deliveries and returns, newest first; at most `MOST_SHOWN`.
        further: how many more there are.
        drafts: requests to go on with, the last one first.
        tiles: six tiles in the order of the domain.
        buttons: five buttons in the order of the domain.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.RETURNS, Topic.DELIVERIES)
    _browser_keeps: ClassVar[tuple[str, ...]] = (
        "first_name",
        "has_features",
        "going_on",
        "further",
        "drafts",
        "tiles",
        "buttons",
    )
    first_name: rx.Field[str] = rx.field("")
    has_features: rx.Field[bool] = rx.field(True)
    going_on: rx.Field[list[OngoingView]] = rx.field(default_factory=list)
    further: rx.Field[int] = rx.field(0)
    drafts: rx.Field[list[DraftCard]] = rx.field(default_factory=list)
    tiles: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    buttons: rx.Field[list[ActionView]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def discard(self, draft_id: str) -> None:
        """Throw a request away that was not sent, and show what is left."""
        async with self:
            token = session_token(self)
        try:
            await ask(FlowApi).discard_draft(token, draft_id)
        except NotFound:
            pass  # Gone already, which is what was wanted.
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                toasts = await self.get_state(Toasts)
                toasts._add("error", N_("Something went wrong"), N_("Please try again"))
            return
        async with self:
            self.drafts = [card for card in self.drafts if card.draft_id != draft_id]

    async def _after_load(self, *, shown: bool) -> None:  # noqa: ARG002
        if self.view_state == FAILED:
            toasts = await self.get_state(Toasts)
            toasts._add("error", N_("Customer data could not be loaded."), timeout=DATA_ERROR_MILLISECONDS)

    def _question(self) -> Question[account.Dashboard]:
        return lambda token: ask(OverviewApi).dashboard(token)

    def _show(self, board: account.Dashboard) -> None:
        self.first_name = board.first_name
        self.has_features = board.has_features
        entries = ongoing(board)
        self.going_on, self.further = entries[:MOST_SHOWN], max(0, len(entries) - MOST_SHOWN)
        # A request that was begun elsewhere may be one that the portal has no pages for.
        self.drafts = [draft_card(entry) for entry in board.drafts if entry.flow in FLOWS]
        self.tiles = tiles(board)
        self.buttons = buttons(board)


class OrderDetail(Live, rx.State):
    """The order that the address names; another customer's order is not found."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    order: rx.Field[OrderView] = rx.field(default_factory=OrderView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[orders.Order]:
        number = self._about()
        return lambda token: ask(OrdersApi).order(token, number)

    def _show(self, order: orders.Order) -> None:
        self.order = order_view(order)


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
        document_views: its documents.
        mileage_error: what is wrong with the mileage that was typed, a code; mileage_typed: what was typed.
        mileage_refusal: why it could not be kept, a code.
        answered, attempt, saves: count the answers to the form, the refusals, and what was kept.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.DELIVERIES, Topic.RETURNS, Topic.INSURANCES)
    bike: rx.Field[BikeView] = rx.field(default_factory=BikeView)
    km: rx.Field[str] = rx.field("")
    actions: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    closed: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    returnable: rx.Field[bool] = rx.field(False)
    clock: rx.Field[ClockView] = rx.field(default_factory=ClockView)
    warranty: rx.Field[WarrantyView] = rx.field(default_factory=WarrantyView)
    insurance: rx.Field[BikeInsuranceView] = rx.field(default_factory=BikeInsuranceView)
    recent: rx.Field[list[TimelineEventView]] = rx.field(default_factory=list)
    earlier: rx.Field[list[TimelineEventView]] = rx.field(default_factory=list)
    document_views: rx.Field[list[DocumentView]] = rx.field(default_factory=list)
    mileage_error: rx.Field[str] = rx.field("")
    mileage_typed: rx.Field[str] = rx.field("")
    mileage_refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    saves: rx.Field[int] = rx.field(0)

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
            if self.view_state != READY:
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
            self.saves += 1
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
        self.document_views = document_views(home.documents)
