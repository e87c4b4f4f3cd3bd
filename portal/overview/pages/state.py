"""States of the dashboard and of the pages of an order, of a bike and of a request (part-1 §2)."""

from typing import Any, ClassVar

import reflex as rx
from typing_extensions import override

from portal.bikes.pages.state import BikeView, bike_view
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Rank
from portal.contract.registry import ask
from portal.contracts.pages.views import ContractView, contract_view
from portal.conversations.pages.state import Conversing, WithConversation, with_conversation
from portal.flow.api import DraftSummary, FlowApi
from portal.flow.registry import FLOWS
from portal.frontend.actions import ActionView
from portal.frontend.live import Live
from portal.frontend.load import FAILED, READY, Question, last_part, text_in
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.kernel.texts import N_
from portal.orders.api import Order, OrdersApi
from portal.overview.api import BikeHome, Dashboard, LineActions, MileageEntry, OverviewApi, OwnRequest
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
from portal.overview.pages.views import (
    FirstBikeView,
    NewsView,
    OngoingView,
    OwnRequestView,
    buttons,
    first_bike_view,
    lead_picture,
    news_view,
    ongoing,
    own_request_view,
    return_picture,
    tiles,
)
from portal.pictures.pages.views import PictureView
from portal.vocabulary.actions import Feature, Topic


class DashboardPage(Live, rx.State):
    """State of the dashboard.

    Attributes:
        has_features: whether anything is offered for the order (part-1 §6).
        going_on: all else that is open.
        drafts: unsent requests, newest first.
        requests_news: requests about which the retailer asks or wrote something, newest first.
        first_bike: what a customer without a bike waits for.
        tiles: the six tiles, those that are open first; what is closed for one reason is one entry.
        lead_picture: the picture of the first tile, which then weighs more than the others; empty without one.
        buttons: the five buttons in their order.
        return_picture: the picture of the first button, for the variant `retouren`; empty without one.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (
        Topic.REQUESTS,
        Topic.RETURNS,
        Topic.DELIVERIES,
        Topic.INSURANCES,
        Topic.MESSAGES,
    )
    _browser_keeps: ClassVar[tuple[str, ...]] = (
        "first_name",
        "has_features",
        "to_do",
        "happens_today",
        "going_on",
        "complete",
        "drafts",
        "requests_news",
        "first_bike",
        "tiles",
        "lead_picture",
        "buttons",
        "return_picture",
    )
    first_name: rx.Field[str] = rx.field("")
    has_features: rx.Field[bool] = rx.field(True)
    to_do: rx.Field[list[OngoingView]] = rx.field(default_factory=list)
    happens_today: rx.Field[list[OngoingView]] = rx.field(default_factory=list)
    going_on: rx.Field[list[OngoingView]] = rx.field(default_factory=list)
    complete: rx.Field[bool] = rx.field(True)
    drafts: rx.Field[list[DraftSummary]] = rx.field(default_factory=list)
    requests_news: rx.Field[list[NewsView]] = rx.field(default_factory=list)
    first_bike: rx.Field[FirstBikeView] = rx.field(default_factory=FirstBikeView)
    tiles: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    lead_picture: rx.Field[PictureView] = rx.field(default_factory=PictureView)
    buttons: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    return_picture: rx.Field[PictureView] = rx.field(default_factory=PictureView)

    @rx.event(background=True)
    @customer
    async def discard(self, draft_id: str) -> None:
        """Discard a draft, and show the remaining ones."""
        async with self:
            token = session_token(self)
        try:
            await ask(FlowApi).discard_draft(token, draft_id)
        except NotFound:
            pass  # It is already gone.
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                toasts = await self.get_state(Toasts)
                toasts._add("error", N_("Something went wrong"), N_("Please try again"), alone=True)
            return
        async with self:
            self.drafts = [card for card in self.drafts if card.draft_id != draft_id]
        await self._ask()  # What is being loaded may still have it.

    @override
    async def _after_load(self, *, shown: bool) -> None:
        if self.view_state == FAILED:
            toasts = await self.get_state(Toasts)
            toasts._add("error", N_("Customer data could not be loaded."), timeout=DATA_ERROR_MILLISECONDS)

    def _question(self) -> Question[Dashboard]:
        return lambda token: ask(OverviewApi).dashboard(token)

    def _show(self, board: Dashboard) -> None:
        self.first_name = board.first_name
        self.has_features = board.has_features
        self.to_do = ongoing(board, Rank.NEEDS_YOU)
        self.happens_today = ongoing(board, Rank.TODAY)
        self.going_on = ongoing(board, Rank.UNDER_WAY)
        self.complete = board.complete
        # A draft of another client may belong to a flow without pages here.
        self.drafts = [entry for entry in board.drafts if entry.flow in FLOWS]
        self.requests_news = [news_view(entry) for entry in board.news]
        self.first_bike = first_bike_view(board)
        self.tiles, self.lead_picture = tiles(board), lead_picture(board)
        self.buttons, self.return_picture = buttons(board), return_picture(board)


class OrderDetail(Live, rx.State):
    """State of the page of an order; another customer's order is not found."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES, Topic.RETURNS, Topic.REQUESTS, Topic.INSURANCES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("order",)
    order: rx.Field[OrderView] = rx.field(default_factory=OrderView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Order, list[LineActions]]]:
        number = self._about()

        async def question(token: str) -> tuple[Order, list[LineActions]]:
            return await ask(OrdersApi).order(token, number), await ask(OverviewApi).line_actions(token, number)

        return question

    def _show(self, answer: tuple[Order, list[LineActions]]) -> None:
        order, startable = answer
        self.order = order_view(order, startable=startable)


MILEAGE = "mileage"
"""Name of the form field."""


class BikeDetail(Live, rx.State):
    """State of the page of a bike; another customer's bike is not found.

    Attributes:
        km: its mileage with decimals, empty if unknown.
        contracts: what was taken out for it here, newest first.
        recent, earlier: timeline events: those shown at first, and the older ones.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (
        Topic.REQUESTS,
        Topic.DELIVERIES,
        Topic.RETURNS,
        Topic.INSURANCES,
        Topic.CONTRACTS,
        Topic.MESSAGES,
    )
    _browser_keeps: ClassVar[tuple[str, ...]] = (
        "bike",
        "km",
        "actions",
        "closed",
        "returnable",
        "clock",
        "warranty",
        "insurance",
        "contracts",
        "recent",
        "earlier",
        "document_views",
    )
    bike: rx.Field[BikeView] = rx.field(default_factory=BikeView)
    km: rx.Field[str] = rx.field("")
    actions: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    closed: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    returnable: rx.Field[bool] = rx.field(False)
    clock: rx.Field[ClockView] = rx.field(default_factory=ClockView)
    warranty: rx.Field[WarrantyView] = rx.field(default_factory=WarrantyView)
    insurance: rx.Field[BikeInsuranceView] = rx.field(default_factory=BikeInsuranceView)
    contracts: rx.Field[list[ContractView]] = rx.field(default_factory=list)
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
        """Save the mileage; a lower one than before needs a confirmation."""
        await self._enter_mileage(text_in(form, MILEAGE), corrects=False)

    @rx.event(background=True)
    @customer
    async def correct_mileage(self) -> None:
        """Save the entered mileage although it is lower than before."""
        async with self:
            typed = self.mileage_typed
        await self._enter_mileage(typed, corrects=True)

    async def _enter_mileage(self, typed: str, *, corrects: bool) -> None:
        await self._loaded()
        async with self:
            if self.view_state != READY:
                self.answered += 1
                return
            bike_id = self.subject
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
            if self.subject != bike_id:
                return
            self._show_newest(home)
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
        self.contracts = [contract_view(entry) for entry in home.contracts]
        entries = timeline(home.timeline, home.bike.order_number)
        count = shown_at_once(entries)
        self.recent, self.earlier = entries[:count], entries[count:]
        self.document_views = document_views(home.documents)


class OwnRequestPage(Conversing, rx.State):
    """State of the page of a request for insurance or another delivery day, or of the end of a contract.

    Another customer's request is not found.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES, Topic.DELIVERIES, Topic.CONTRACTS, Topic.MESSAGES)
    shown: rx.Field[OwnRequestView] = rx.field(default_factory=OwnRequestView)

    def _about(self) -> str:
        return last_part(self)

    def _case(self) -> tuple[str, str]:
        return self.shown.kind, self.shown.reference

    def _question(self) -> Question[WithConversation[OwnRequest]]:
        reference = self._about()

        async def question(token: str) -> WithConversation[OwnRequest]:
            found = await ask(OverviewApi).own_request(token, reference)
            return await with_conversation(token, found, found.kind.value, found.reference)

        return question

    def _show(self, loaded: WithConversation[OwnRequest]) -> None:
        self.shown = own_request_view(loaded.about)
        self._show_conversation(loaded.conversation)
