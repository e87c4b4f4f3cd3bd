"""States of the dashboard and of the pages of an order, of a bike and of a request (part-1 §2)."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import ClassVar

import reflex as rx
from typing_extensions import override

from portal.bikes.api import Bike
from portal.bikes.pages.bikes import PassportCode, passport_code
from portal.contract.account import AccountFact
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Picture, Rank
from portal.contract.registry import ask
from portal.contracts.pages.state import ShownContract
from portal.conversations.api import Conversation, RequestNews
from portal.conversations.pages.state import Conversing, conversation_about
from portal.flow.api import DraftSummary, FlowApi
from portal.flow.journey import FLOWS
from portal.frontend.actions import ActionView
from portal.frontend.live import Live
from portal.frontend.load import FAILED, READY, Form, Question, last_part, text_in
from portal.frontend.models import viewed
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.insurance.api import InsuranceRequest
from portal.kernel.texts import N_
from portal.orders.api import Order, OrdersApi
from portal.overview.api import (
    BikeDocument,
    BikeHome,
    Dashboard,
    FirstBike,
    FrameNumber,
    LineActions,
    MileageEntry,
    OverviewApi,
    OwnRequest,
    ServiceClock,
    TimelineEvent,
    Warranty,
)
from portal.overview.pages.order_views import ShownOrder, shown_order
from portal.overview.pages.views import (
    OngoingEntry,
    TimeLeft,
    bike_actions,
    buttons,
    first_delivery,
    lead_picture,
    ongoing,
    shown_at_once,
    tiles,
    time_left,
)
from portal.vocabulary.actions import Feature, Topic
from portal.vocabulary.cases import kind_path


class DashboardPage(Live, rx.State):
    """State of the dashboard.

    `has_features`: whether anything is offered for the order (part-1 §6).
    `under_way`: all else that is open.
    `requests_news`: requests about which the retailer asks or wrote something, newest first.
    `first_bike`, `first_delivery`: what a customer without a bike waits for.
    `lead_picture`: the picture of the first tile, which then weighs more than the others; None without one.
    `return_picture`: the picture of the first button, for the variant `retouren`; None without one.
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
        "under_way",
        "complete",
        "drafts",
        "requests_news",
        "first_bike",
        "first_delivery",
        "tiles",
        "lead_picture",
        "buttons",
        "return_picture",
    )
    first_name: rx.Field[str] = rx.field("")
    has_features: rx.Field[bool] = rx.field(True)
    to_do: rx.Field[list[OngoingEntry]] = rx.field(default_factory=list)
    happens_today: rx.Field[list[OngoingEntry]] = rx.field(default_factory=list)
    under_way: rx.Field[list[OngoingEntry]] = rx.field(default_factory=list)
    complete: rx.Field[bool] = rx.field(True)
    drafts: rx.Field[list[DraftSummary]] = rx.field(default_factory=list)
    requests_news: rx.Field[list[RequestNews]] = rx.field(default_factory=list)
    first_bike: rx.Field[FirstBike | None] = rx.field(None)
    first_delivery: rx.Field[OngoingEntry | None] = rx.field(None)
    tiles: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    lead_picture: rx.Field[Picture | None] = rx.field(None)
    buttons: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    return_picture: rx.Field[Picture | None] = rx.field(None)

    @rx.event(background=True)
    @customer
    async def discard(self, draft_id: str) -> None:
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
        self.under_way = ongoing(board, Rank.UNDER_WAY)
        self.complete = board.complete
        # A draft of another client may belong to a flow without pages here.
        self.drafts = [entry for entry in board.drafts if entry.flow in FLOWS]
        self.requests_news = list(board.news)
        self.first_delivery = first_delivery(board)
        self.first_bike = board.first_bike if self.first_delivery else None
        self.tiles, self.lead_picture = tiles(board), lead_picture(board)
        self.buttons, self.return_picture = buttons(board), board.item


class OrderDetail(Live, rx.State):
    """State of the page of an order; another customer's order is not found."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES, Topic.RETURNS, Topic.REQUESTS, Topic.INSURANCES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("order",)
    order: rx.Field[ShownOrder | None] = rx.field(None)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Order, list[LineActions]]]:
        number = self._about()

        async def question(token: str) -> tuple[Order, list[LineActions]]:
            return await ask(OrdersApi).order(token, number), await ask(OverviewApi).line_actions(token, number)

        return question

    def _show(self, answer: tuple[Order, list[LineActions]]) -> None:
        self.order = shown_order(*answer)


FRAME_NUMBER, MILEAGE = "frame_number", "mileage"


class BikeDetail(Live, rx.State):
    """State of the page of a bike; another customer's bike is not found.

    `km`: its mileage with decimals, empty if unknown.
    `actions`, `closed`: what can be started for it, and what cannot.
    `insurable_until`: the last day on which insurance is offered; None if it is not, or without a limit.
    `recent`, `earlier`: timeline events: those shown at first, and the older ones.
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
        "serviceable",
        "clock",
        "service_left",
        "warranty",
        "warranty_left",
        "passport",
        "insurance",
        "insurable",
        "insurable_until",
        "contracts",
        "consequences",
        "recent",
        "earlier",
        "documents",
    )
    bike: rx.Field[Bike | None] = rx.field(None)
    km: rx.Field[str] = rx.field("")
    actions: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    closed: rx.Field[list[ActionView]] = rx.field(default_factory=list)
    returnable: rx.Field[bool] = rx.field(False)
    serviceable: rx.Field[bool] = rx.field(False)
    clock: rx.Field[ServiceClock | None] = rx.field(None)
    service_left: rx.Field[TimeLeft] = rx.field(default_factory=lambda: time_left(0))
    warranty: rx.Field[Warranty | None] = rx.field(None)
    warranty_left: rx.Field[TimeLeft] = rx.field(default_factory=lambda: time_left(0))
    passport: rx.Field[PassportCode] = rx.field(default_factory=PassportCode)
    insurance: rx.Field[InsuranceRequest | None] = rx.field(None)
    insurable: rx.Field[bool] = rx.field(False)
    insurable_until: rx.Field[date | None] = rx.field(None)
    contracts: rx.Field[list[ShownContract]] = rx.field(default_factory=list)
    consequences: rx.Field[list[AccountFact]] = rx.field(default_factory=list)
    recent: rx.Field[list[TimelineEvent]] = rx.field(default_factory=list)
    earlier: rx.Field[list[TimelineEvent]] = rx.field(default_factory=list)
    documents: rx.Field[list[BikeDocument]] = rx.field(default_factory=list)
    frame_number_error: rx.Field[str] = rx.field("")
    frame_number_typed: rx.Field[str] = rx.field("")
    mileage_error: rx.Field[str] = rx.field("")
    mileage_typed: rx.Field[str] = rx.field("")
    mileage_refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    saves: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def enter_frame_number(self, form: Form) -> None:
        """Save the frame number that the shop does not know."""
        typed = text_in(form, FRAME_NUMBER)
        entry = FrameNumber(frame_number=typed[:100])
        await self._send(
            FRAME_NUMBER, typed, lambda token, bike: ask(OverviewApi).enter_frame_number(token, bike, entry)
        )

    @rx.event(background=True)
    @customer
    async def enter_mileage(self, form: Form) -> None:
        await self._enter_mileage(text_in(form, MILEAGE), corrects=False)

    @rx.event(background=True)
    @customer
    async def correct_mileage(self) -> None:
        async with self:
            typed = self.mileage_typed
        await self._enter_mileage(typed, corrects=True)

    async def _enter_mileage(self, typed: str, *, corrects: bool) -> None:
        entry = MileageEntry(mileage=typed[:100], corrects=corrects)
        await self._send(MILEAGE, typed, lambda token, bike: ask(OverviewApi).enter_mileage(token, bike, entry))

    async def _send(self, field: str, typed: str, store: Callable[[str, str], Awaitable[BikeHome]]) -> None:
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
            home = await store(token, bike_id)
        except ProviderError as error:
            async with self:
                await self._refuse(error, field, typed)
            return
        async with self:
            if self.subject != bike_id:
                return
            self._show_newest(home)
            self.answered += 1
            self.saves += field == MILEAGE
            self.mileage_refusal = ""
            setattr(self, f"{field}_error", "")
            setattr(self, f"{field}_typed", "")

    async def _refuse(self, error: ProviderError, field: str, typed: str) -> None:
        self.answered += 1
        self.attempt += 1
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        wrong = error.fields.get(field) if isinstance(error, InvalidInput) else None
        setattr(self, f"{field}_typed", typed)
        setattr(self, f"{field}_error", wrong.value if wrong else "")
        self.mileage_refusal = error.code.value if field == MILEAGE and not wrong else ""
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
        self.bike, self.km, self.passport = home.bike, home.mileage_km, passport_code(home.bike.battery_passport)
        self.actions, self.closed = bike_actions(home)
        startable = {action.feature for action in self.actions}
        self.returnable, self.serviceable = Feature.RETURN in startable, Feature.SERVICE in startable
        self.insurable = Feature.INSURANCE in startable
        offers = (action.until for action in home.actions if action.feature is Feature.INSURANCE)
        self.insurable_until = next(offers, None) if self.insurable else None
        self.clock, self.service_left = home.clock, time_left(home.clock.days_left if home.clock else 0)
        self.warranty, self.warranty_left = home.warranty, time_left(home.warranty.days_left if home.warranty else 0)
        self.insurance, self.documents = home.insurance, home.documents
        self.contracts = [viewed(ShownContract, entry) for entry in home.contracts]
        self.consequences = home.consequences
        count = shown_at_once(home.timeline)
        self.recent, self.earlier = home.timeline[:count], home.timeline[count:]


class OwnRequestPage(Conversing, rx.State):
    """State of the page of a request for insurance or another delivery day, or of the end of a contract."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES, Topic.DELIVERIES, Topic.CONTRACTS, Topic.MESSAGES)
    shown: rx.Field[OwnRequest | None] = rx.field(None)

    def _about(self) -> str:
        return last_part(self)

    def _case(self) -> tuple[str, str]:
        return (kind_path(self.shown.kind), self.shown.reference) if self.shown else ("", "")

    def _question(self) -> Question[tuple[OwnRequest, Conversation | None]]:
        reference = self._about()

        async def question(token: str) -> tuple[OwnRequest, Conversation | None]:
            found = await ask(OverviewApi).own_request(token, reference)
            return found, await conversation_about(token, found.kind.value, found.reference)

        return question

    def _show(self, loaded: tuple[OwnRequest, Conversation | None]) -> None:
        self.shown, conversation = loaded
        self._show_conversation(conversation)
