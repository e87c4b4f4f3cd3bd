"""The status pages: the bikes with an open request, and the request of one (part-1 §2)."""

from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.bikes.api import BikesApi, BikeSelection, BikeSummary
from portal.bikes.pages.bikes import bike_row
from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.conversations.api import Conversation
from portal.frontend.layout import title
from portal.frontend.live import Live, live_line, request_loading
from portal.frontend.load import MISSING, READY, Form, Paginated, Question, page_asked, text_in
from portal.frontend.load_views import help_card, loaded
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.texts import field_message
from portal.i18n import _, localized, ngettext
from portal.kernel.codes import Code
from portal.kernel.validation import is_short_id
from portal.vocabulary.actions import Topic
from portal.work_orders.api import RequestDetail
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.pages.requests import OneRequest, request_and_conversation, request_body

BIKE = "bike"
"""Name of the bike field in the form, and of the query parameter in the URL."""

CHOOSE, SEE = "/status", "/status/step-1"


BikePages = tuple[Page[BikeSummary], Page[BikeSummary]]
"""A page of the bikes with an open request, and the first page of the others."""


class StatusBikes(Live, Paginated, rx.State):
    """Step 0: choose a bike with an open request.

    `open`: bikes with an open request, newest order first; one page.
    `others`: the first bikes without an open request.
    `further`: number of bikes without an open request beyond those.
    `missing`: code of the error in the choice; empty if there is none.
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
    async def choose(self, form: Form) -> Any:
        """Go to the status of the chosen bike, or report that none was chosen."""
        await self._loaded()
        async with self:
            return self._take(form)

    def _take(self, form: Form) -> Any:
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

    def _question(self) -> Question[BikePages]:
        page = page_asked(self)

        async def question(token: str) -> BikePages:
            open_bikes = await ask(BikesApi).bikes(token, page, BikeSelection.IN_PROGRESS)
            return open_bikes, await ask(BikesApi).bikes(token, 1, BikeSelection.OTHERS)

        return question

    def _show(self, pages: BikePages) -> None:
        with_request, others = pages
        # Set together with the cards: a radio button reads the choice only when it is first rendered.
        self.chosen = _bike_asked(self)
        self.open = with_request.items
        self.others = others.items
        self.further = others.total - len(others.items)
        self._count(with_request)


class StatusOfBike(OneRequest, rx.State):
    """Step 1: the open request of the chosen bike."""

    async def _after_load(self, *, shown: bool) -> Any:
        # The URL names no bike with an open request: let the customer choose one.
        if self.view_state == MISSING:
            return rx.redirect(CHOOSE, replace=True)
        return await super()._after_load(shown=shown)

    def _about(self) -> str:
        return _bike_asked(self)

    def _question(self) -> Question[tuple[RequestDetail, Conversation | None]]:
        bike_id = self._about()
        # If the request is closed while it is displayed, the page keeps showing it.
        shown = self.request.reference if self.request and self.subject == bike_id else ""

        async def question(token: str) -> tuple[RequestDetail, Conversation | None]:
            reference = (await _open_request(token, bike_id) if bike_id else "") or shown
            if not reference:
                raise NotFound
            return await request_and_conversation(token, reference)

        return question


async def _open_request(token: str, bike_id: str) -> str:
    """The reference of the open request of a bike; empty without one, and for a bike of somebody else."""
    try:
        return (await ask(BikesApi).bike(token, bike_id)).open_request or ""
    except NotFound:
        return ""


def _bike_asked(state: rx.State) -> str:
    """The bike id in the URL; empty if there is none or it is not valid."""
    text = str(state.router.url.query_parameters.get(BIKE, ""))
    return text if is_short_id(text) else ""


_TITLE = _("Which bike is it about?")
_STEPS = 2


def choose() -> rx.Component:
    """Show step 0: choose a bike with an open request."""
    error = _error()
    return ui.page_frame(
        ui.step_heading(_TITLE, _counter(1), rx.Var.create(1), rx.Var.create(_STEPS)),
        loaded(
            StatusBikes,
            rx.fragment(
                ui.when(StatusBikes.open.length() > 0, _form(error), _others(), otherwise=_nothing()),
                live_line(StatusBikes, seen=False),
            ),
            failure=_("Your bikes couldn’t be loaded."),
            loading=ui.skeleton_cards(2, "h-28"),
        ),
        above=ui.error_summary({BIKE: error}, StatusBikes.attempt),
        back=ui.back_link(_("Overview"), "/dashboard"),
        narrow=True,
        beside=help_card(rx.Var.create("")),
    )


def see() -> rx.Component:
    """Show step 1: the status of the chosen bike."""
    return ui.page_frame(
        ui.step_heading(_see_title(), _counter(2), rx.Var.create(2), rx.Var.create(_STEPS)),
        loaded(
            StatusOfBike,
            rx.fragment(
                request_body(StatusOfBike),
                ui.text(ui.text_link(_("All your service requests"), "/maintenance"), top=12),
            ),
            failure=_("Your service request couldn’t be loaded."),
            loading=request_loading(),
        ),
        back=ui.back_link(_("Previous step"), f"{CHOOSE}?{BIKE}={StatusOfBike.subject}"),
    )


def _see_title() -> rx.Var[str]:
    known = StatusOfBike.view_state == READY
    return rx.cond(known, localized(StatusOfBike.request.account.title), _("Status of your bike")).to(str)


def _counter(number: int) -> rx.Var[str]:
    return _("Step {x} of {y} · {name}", x=rx.Var.create(number), y=rx.Var.create(_STEPS), name=_("View the status"))


def _error() -> rx.Var[str]:
    return field_message(StatusBikes.missing, _("Bike"), required=_("Choose a bike."))


def _form(error: rx.Var[str]) -> rx.Component:
    cards = rx.foreach(
        StatusBikes.open,
        lambda bike: ui.radio_card(BIKE, bike.bike_id, bike_row(bike), checked=StatusBikes.chosen == bike.bike_id),
    )
    return ui.event_form(
        ui.choice_cards(BIKE, _("Bikes with a request under way"), cards, error=error, columns=""),
        ui.pagination(StatusBikes.page, StatusBikes.pages, to=lambda page: f"{CHOOSE}?page=" + page.to_string()),
        ui.submit_button(_("View the status"), _("Loading…")),
        on_send=StatusBikes.choose,
        answered=StatusBikes.answered,
    )


def _others() -> rx.Component:
    """Show the bikes without an open request, so that the customer does not miss them."""
    return rx.cond(
        StatusBikes.others.length() > 0,
        ui.section(
            _("No request under way for"),
            ui.item_list(
                StatusBikes.others,
                lambda bike: rx.el.li(
                    bike_row(bike), class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3"
                ),
                gap=3,
            ),
            ui.text(
                ngettext("And {n} more bike.", "And {n} more bikes.", StatusBikes.further),
                " ",
                ui.text_link(_("Your bikes"), "/bikes"),
                top=4,
                shown=StatusBikes.further > 0,
            ),
            ui.text(ui.text_link(_("View earlier service requests"), "/maintenance"), top=4),
        ),
    )


def _nothing() -> rx.Component:
    return rx.fragment(
        ui.empty_state(
            _("No bikes to repair"),
            _("None of your bikes has a repair, service or claim under way."),
            ui.link_button(_(REPAIR.title), REPAIR.path),
            ui.illustrations.workshop(),
        ),
        ui.card(
            ui.text(_("Looking for a request that’s finished?")),
            ui.text(ui.text_link(_("View earlier service requests"), "/maintenance"), top=1),
            class_name="mt-4",
        ),
    )


def _step(number: int) -> rx.Var[str]:
    return _("Step {x} of {y}", x=rx.Var.create(number), y=rx.Var.create(_STEPS))


PAGES = [
    PageRoute(
        "status",
        choose,
        title(_TITLE, _step(1), _("View the status"), failed=StatusBikes.missing != ""),
        on_load=[StatusBikes.load, StatusBikes.watch],
    ),
    PageRoute(
        "status/step-1",
        see,
        title(_see_title(), _step(2), _("View the status")),
        on_load=[StatusOfBike.load, StatusOfBike.watch],
    ),
]
