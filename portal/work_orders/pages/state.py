"""States of the list of requests, the page of one request, and the status pages (part-1 §2)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx

from portal.bikes.api import BikesApi, BikeSelection, BikeSummary, ServiceRequest
from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.conversations.pages.state import Conversing, WithConversation, with_conversation
from portal.frontend.live import Live
from portal.frontend.load import COUNTS, MISSING, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.policies import customer
from portal.kernel.codes import Code
from portal.kernel.validation import is_short_id
from portal.vocabulary.actions import Topic
from portal.work_orders.api import RequestDetail, WorkOrdersApi
from portal.work_orders.pages.views import RequestListItem, RequestView, request_list_item, request_view


class Maintenance(Live, Paginated, rx.State):
    """One page of the list: open requests first, then the newest first."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("going_on", "earlier", *COUNTS)
    going_on: rx.Field[list[RequestListItem]] = rx.field(default_factory=list)
    earlier: rx.Field[list[RequestListItem]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[ServiceRequest]]:
        page = page_asked(self)
        return lambda token: ask(WorkOrdersApi).service_requests(token, page)

    def _show(self, part: Page[ServiceRequest]) -> None:
        rows = [request_list_item(request) for request in part.items]
        self.going_on = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)


class OneRequest(Conversing, mixin=True):
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS, Topic.MESSAGES)
    request: rx.Field[RequestView] = rx.field(default_factory=RequestView)

    def _case(self) -> tuple[str, str]:
        return self.request.kind, self.request.reference

    def _show(self, loaded: WithConversation[RequestDetail]) -> None:
        self.request = request_view(loaded.about)
        self._show_conversation(loaded.conversation)


async def _request_and_conversation(token: str, reference: str) -> WithConversation[RequestDetail]:
    request = await ask(WorkOrdersApi).service_request(token, reference)
    return await with_conversation(token, request, request.kind.value, reference)


class RequestPage(OneRequest, rx.State):
    """The request whose reference is in the URL. Another customer's request is not found."""

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[WithConversation[RequestDetail]]:
        reference = self._about()
        return lambda token: _request_and_conversation(token, reference)


BIKE = "bike"
"""Name of the bike field in the form, and of the query parameter in the URL."""

CHOOSE, SEE = "/status", "/status/step-1"


@dataclass(frozen=True, slots=True)
class StatusChoice:
    """A page of the bikes with an open request, and the first page of the others."""

    open: Page[BikeSummary]
    others: Page[BikeSummary]


class StatusBikes(Live, Paginated, rx.State):
    """Step 0: choose a bike with an open request.

    Attributes:
        open: bikes with an open request, newest order first; one page.
        others: the first bikes without an open request.
        further: number of bikes without an open request beyond those.
        missing: code of the error in the choice; empty if there is none.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    open: rx.Field[list[BikeSummary]] = rx.field(default_factory=list)
    others: rx.Field[list[BikeSummary]] = rx.field(default_factory=list)
    further: rx.Field[int] = rx.field(0)
    chosen: rx.Field[str] = rx.field("")
    missing: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def choose(self, form: dict[str, Any]) -> Any:
        """Go to the status of the chosen bike, or report that none was chosen."""
        await self._loaded()
        async with self:
            return self._take(form)

    def _take(self, form: dict[str, Any]) -> Any:
        bike_id = text_in(form, BIKE)
        self.answered += 1
        if bike_id not in {bike.bike_id for bike in self.open}:
            self.missing = Code.REQUIRED.value
            self.attempt += 1
            return None
        self.missing, self.chosen = "", bike_id
        return rx.redirect(f"{SEE}?{BIKE}={bike_id}")

    def _before_load(self) -> bool:
        self.missing = ""
        return True

    def _question(self) -> Question[StatusChoice]:
        page = page_asked(self)

        async def question(token: str) -> StatusChoice:
            open_bikes = await ask(BikesApi).bikes(token, page, BikeSelection.IN_PROGRESS)
            return StatusChoice(open_bikes, await ask(BikesApi).bikes(token, 1, BikeSelection.OTHERS))

        return question

    def _show(self, choice: StatusChoice) -> None:
        # Set together with the cards: a radio button reads the choice only when it is first rendered.
        self.chosen = _bike_asked(self)
        self.open = choice.open.items
        self.others = choice.others.items
        self.further = choice.others.total - len(self.others)
        self._count(choice.open)


class StatusOfBike(OneRequest, rx.State):
    """Step 1: the open request of the chosen bike."""

    async def _after_load(self, *, shown: bool) -> Any:
        # The URL names no bike with an open request: let the customer choose one.
        if self.view_state == MISSING:
            return rx.redirect(CHOOSE, replace=True)
        return await super()._after_load(shown=shown)

    def _about(self) -> str:
        return _bike_asked(self)

    def _question(self) -> Question[WithConversation[RequestDetail]]:
        bike_id = self._about()
        # If the request is closed while it is displayed, the page keeps showing it.
        shown = self.request.reference if self.subject == bike_id else ""

        async def question(token: str) -> WithConversation[RequestDetail]:
            reference = (await _open_request(token, bike_id) if bike_id else "") or shown
            if not reference:
                raise NotFound
            return await _request_and_conversation(token, reference)

        return question


async def _open_request(token: str, bike_id: str) -> str:
    """Return the reference of the open request of a bike; empty without one, and for a bike of somebody else."""
    try:
        return (await ask(BikesApi).bike(token, bike_id)).open_request or ""
    except NotFound:
        return ""


def _bike_asked(state: rx.State) -> str:
    """Return the bike id in the URL; empty if there is none or it is not valid."""
    text = str(state.router.url.query_parameters.get(BIKE, ""))
    return text if is_short_id(text) else ""
