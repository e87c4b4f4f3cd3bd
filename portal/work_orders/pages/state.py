"""States of the list of work orders and of one with its status (part-1 §2)."""

from typing import Any, ClassVar

import reflex as rx

from portal.bikes.api import BikesApi, BikeSummary, ServiceRequest
from portal.bikes.pages.state import BikeCard, bike_card
from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.frontend.live import Live
from portal.frontend.session import customer
from portal.frontend.state import COUNTS, MISSING, Paginated, Question, last_part, page_asked, text_in
from portal.kernel.codes import Code
from portal.kernel.validation import is_short_id
from portal.vocabulary.actions import Topic
from portal.work_orders.api import RequestDetail, WorkOrdersApi
from portal.work_orders.pages.views import RequestListItem, RequestView, request_list_item, request_view


class Maintenance(Live, Paginated, rx.State):
    """One page of the requests: those that are going on first, then newest first.

    Attributes:
        going_on: requests of this page that are going on.
        earlier: requests of this page that are closed.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
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


class RequestPage(Live, rx.State):
    """The request that the address names; another customer's request is not found.

    Attributes:
        request: everything that is known of it.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    request: rx.Field[RequestView] = rx.field(default_factory=RequestView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[RequestDetail]:
        reference = self._about()
        return lambda token: ask(WorkOrdersApi).service_request(token, reference)

    def _show(self, request: RequestDetail) -> None:
        self.request = request_view(request)


BIKE = "bike"
"""Name of the choice, in the form and in the address."""

CHOOSE, SEE = "/status", "/status/step-1"


class StatusBikes(Live, rx.State):
    """Step 0: the bikes that something is going on for, and the others.

    Attributes:
        open: bikes with an open request, newest order first.
        others: bikes without.
        chosen: the bike that was chosen before, so that the way back finds it chosen.
        missing: code of what is wrong with the choice; empty when nothing is.
        answered: counts the answers to the form.
        attempt: counts those that say what is wrong.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    open: rx.Field[list[BikeCard]] = rx.field(default_factory=list)
    others: rx.Field[list[BikeCard]] = rx.field(default_factory=list)
    chosen: rx.Field[str] = rx.field("")
    missing: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    async def choose(self, form: dict[str, Any]) -> Any:
        """Go on to the status of a bike."""
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

    def _question(self) -> Question[list[BikeSummary]]:
        return lambda token: ask(BikesApi).bikes(token)

    def _show(self, bikes: list[BikeSummary]) -> None:
        # Together with the cards: a choice that comes later than its radio button is not shown by it.
        self.chosen = _bike_asked(self)
        cards = [bike_card(bike) for bike in bikes]
        self.open = [card for card in cards if card.request]
        self.others = [card for card in cards if not card.request]


class StatusOfBike(Live, rx.State):
    """Step 1: the open request of the bike that was chosen.

    Attributes:
        request: everything that is known of it.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.REQUESTS,)
    request: rx.Field[RequestView] = rx.field(default_factory=RequestView)

    async def _after_load(self, *, shown: bool) -> Any:  # noqa: ARG002
        # Without a bike that has a request, one has to be chosen first.
        return rx.redirect(CHOOSE, replace=True) if self.view_state == MISSING else None

    def _about(self) -> str:
        return _bike_asked(self)

    def _question(self) -> Question[RequestDetail]:
        bike_id = self._about()
        # A request that comes to its end while it is on the screen is what the page goes on showing.
        shown = self.request.reference if self.subject == bike_id else ""

        async def question(token: str) -> RequestDetail:
            bikes = await ask(BikesApi).bikes(token) if bike_id else []
            reference = next((bike.open_request for bike in bikes if bike.bike_id == bike_id), None) or shown
            if not reference:
                raise NotFound
            return await ask(WorkOrdersApi).service_request(token, reference)

        return question

    def _show(self, request: RequestDetail) -> None:
        self.request = request_view(request)


def _bike_asked(state: rx.State) -> str:
    """The bike that the address names; empty for anything else."""
    text = str(state.router.url.query_parameters.get(BIKE, ""))
    return text if is_short_id(text) else ""
