"""The dashboard: what is going on and what can be started (part-1 §2)."""

from typing import ClassVar

import reflex as rx

from portal.contract import account
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.flow_api import FlowApi
from portal.contract.overview_api import OverviewApi
from portal.contract.registry import ask
from portal.domain.marks import N_
from portal.flows import FLOWS
from portal.states.live import Live
from portal.states.page import FAILED, Question
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.states.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.states.views.dashboard import ActionView, OngoingView, buttons, ongoing, tiles
from portal.states.views.flow import DraftCard, draft_card
from portal.vocabulary.actions import Topic

MOST_SHOWN = 4
"""Of what is going on; what can be started must not be pushed off the screen."""


class Dashboard(Live, rx.State):
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
    _kept: ClassVar[tuple[str, ...]] = (
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
        if self.face == FAILED:
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
