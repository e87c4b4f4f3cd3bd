"""Components of flows about a bike: the choice, the chosen bike beside the steps, the pin code."""

from dataclasses import replace
from itertools import count
from typing import Any

import reflex as rx

from portal import ui
from portal.bikes.flow import BIKE, PAGE_OF_BIKES, PIN_KNOWN, PIN_UNKNOWN, BikeEntry, BikeFacts
from portal.bikes.pages.bikes import bike_lines, bike_mark, bike_row, no_bikes
from portal.bikes.rules import MOTOR_PARTS
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Picture
from portal.contract.operations import MAX_SEARCH
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow, Offered, OneOf, Step
from portal.flow.api import FlowApi, SubjectSearch
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import Offers, StepFields, StepPage, SubjectPages
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import shows_field
from portal.frontend.load import FAILED, LOADING, READY, Form, text_in
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.i18n import Text, _, choice, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import PartsView, parts_view, picture
from portal.vocabulary.work_orders import RequestKind

_visits = count(1)


class LoadedForBike(rx.State, mixin=True):
    """What a step shows about the bike of the draft. A subclass defines `_ask` and `_show`, and may define `_fail`."""

    view_state: rx.Field[str] = rx.field(LOADING)
    _bike: str = ""
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Load it for the bike of the draft. Ignores an answer if another load was started after it."""
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
            answer = await self._ask(token, bike)
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                if self._visit == visit:
                    self.view_state = FAILED
                    await self._fail(error)
            return
        async with self:
            if self._visit == visit:
                self.view_state = READY
                await self._show(answer)

    async def _ask(self, token: str, bike: str) -> Any:
        raise NotImplementedError

    async def _show(self, answer: Any) -> None:
        raise NotImplementedError

    async def _fail(self, error: ProviderError) -> None: ...


BIKE_TEXT = "bike_text"
"""Name of the search field of the bike step."""


class BikeChoice(rx.State):
    """The bikes of the current flow.

    With more bikes than one page has, the customer searches them and turns pages.

    `bikes`: the bikes of the page, newest order first. Before the first page comes the chosen one if it is not on it.
    `motor`: whether the chosen bike can have one.
    `text`: what was searched for; empty for all bikes.
    `begun`: number of searches that were begun anew; the search field is then empty.
    """

    bikes: rx.Field[list[BikeEntry]] = rx.field(default_factory=list)
    chosen: rx.Field[BikeEntry | None] = rx.field(None)
    parts: rx.Field[PartsView] = rx.field(default_factory=PartsView)
    motor: rx.Field[bool] = rx.field(True)
    many: rx.Field[bool] = rx.field(False)
    page: rx.Field[int] = rx.field(1)
    pages: rx.Field[int] = rx.field(1)
    total: rx.Field[int] = rx.field(0)
    text: rx.Field[str] = rx.field("")
    begun: rx.Field[int] = rx.field(0)
    answered: rx.Field[int] = rx.field(0)
    failed: rx.Field[bool] = rx.field(False)
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def search(self, form: Form) -> None:
        """Show the first page of the bikes that match a text, or of all bikes if it is empty."""
        await self._find(text_in(form, BIKE_TEXT).strip()[:MAX_SEARCH], 1)

    @rx.event(background=True)
    @customer
    async def start_over(self) -> None:
        """Show the first page of all bikes, and empty the search field."""
        async with self:
            self.begun += 1
        await self._find("", 1)

    @rx.event(background=True)
    @customer
    async def turn(self, page: int) -> None:
        async with self:
            text, pages = self.text, self.pages
        await self._find(text, min(max(page, 1), pages))

    async def _find(self, text: str, page: int) -> None:
        async with self:
            flow, token = (await self.get_state(FlowRun)).flow, session_token(self)
            visit = self._visit = next(_visits)
        try:
            part = await ask(FlowApi).find_subjects(token, flow, SubjectSearch(text=text, page=page))
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                if self._visit == visit:
                    self.failed, self.answered = True, self.answered + 1
            return
        async with self:
            if self._visit == visit:
                self.bikes = _with_chosen([*map(BikeEntry.model_validate, part.items)], self.chosen)
                self.page, self.pages, self.total, self.text = part.page, part.pages, part.total, text
                self.failed, self.answered = False, self.answered + 1


def _with_chosen(bikes: list[BikeEntry], chosen: BikeEntry | None) -> list[BikeEntry]:
    """The bikes of a page, after the chosen one if it is not among them: what was chosen is always shown."""
    return bikes if chosen is None or chosen.id in {bike.id for bike in bikes} else [chosen, *bikes]


@shows_field(BikeChoice, BIKE)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, object]:
    found: BikeFacts[BikeEntry] = answers.part(BikeFacts)
    bikes, more, chosen = found.bikes, found.more_bikes, answers.chosen(found.bikes, BIKE)
    motor, parts = chosen is None or chosen.motor, parts_view(chosen.picture if chosen else Picture())
    # A search that is running is outdated: none has the number 0.
    shown: dict[str, object] = {"bikes": bikes, "chosen": chosen, "_visit": 0}
    shown |= {"motor": motor, "parts": parts if motor else without_motor(parts)}
    shown |= {"many": bool(more), "text": "", "failed": False}
    if more:
        pages = -(-more.total // PAGE_OF_BIKES)
        shown |= {"page": 1, "pages": pages, "total": more.total}
        shown["bikes"] = _with_chosen(bikes[:PAGE_OF_BIKES], chosen)
    return shown


def without_motor(parts: PartsView) -> PartsView:
    """The drawn bike without the parts of a motor: a shop may draw one on a bike that has none."""
    return replace(
        parts,
        parts=[part for part in parts.parts if part not in MOTOR_PARTS],
        spots=[spot for spot in parts.spots if spot.part not in MOTOR_PARTS],
    )


CHOSEN_NAME: rx.Var[str] = rx.cond(BikeChoice.chosen, BikeChoice.chosen.name, "").to(str)


def bike_page(step: Step, *, topic: str = "repair") -> StepPage:
    return StepPage(
        step,
        body=lambda fields: bike_body(fields, topic=topic),
        rows=lambda fields: [ui.Fact(_(fields[BIKE].label), CHOSEN_NAME)],
        before=bike_search,
    )


def bike_body(fields: StepFields, *, topic: str) -> rx.Component:
    """Show a page of bikes as cards. A bike that cannot be chosen shows the reason and a link to customer service."""
    entry = fields[BIKE]
    none = ui.muted(_("No bike found. Check the spelling, or search for something else."))
    refusals = entry.rule.refusals if isinstance(entry.rule, Offered) else ()
    texts = {code.value: MESSAGES[code] for code in refusals}
    cards = rx.foreach(
        BikeChoice.bikes,
        lambda bike: rx.cond(
            bike.refusal == "",
            ui.radio_card(entry.name, bike.id, bike_row(bike), checked=answer(entry.name) == bike.id),
            _refused(bike, topic, texts),
        ),
    )
    return rx.fragment(
        group(
            entry, rx.fragment(cards, rx.cond(BikeChoice.many & (BikeChoice.total == 0), none)), legend=None, columns=""
        ),
        rx.cond(BikeChoice.many, _pages()),
    )


def bike_search() -> rx.Component:
    """The search above the form; nothing for a customer whose bikes fit on one page."""
    return rx.cond(
        BikeChoice.many,
        ui.stack(
            ui.event_form(
                # Only the field is rebuilt, so that the button keeps the focus.
                rx.el.div(
                    ui.text_field(
                        BIKE_TEXT,
                        _("Search your bikes"),
                        hint=_("Name, frame number or order number"),
                        value=BikeChoice.text,
                        max_length=MAX_SEARCH,
                    ),
                    key=BikeChoice.begun.to_string(),
                ),
                rx.el.div(
                    ui.search_button(),
                    ui.action_button(_("Show all bikes"), BikeChoice.start_over, "text"),
                    class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2",
                ),
                on_send=BikeChoice.search,
                answered=BikeChoice.answered,
                class_name="card",
                custom_attrs={"role": "search", "aria-label": _("Search your bikes")},
            ),
            ui.strong(
                rx.cond(
                    BikeChoice.failed,
                    _("Your bikes couldn’t be loaded. Please try again."),
                    rx.cond(
                        BikeChoice.text == "",
                        ngettext("{n} bike, newest order first", "{n} bikes, newest order first", BikeChoice.total),
                        ngettext("{n} bike found", "{n} bikes found", BikeChoice.total),
                    ),
                ),
                role="status",
                look="min-h-6 tabular-nums",
                top=6,
            ),
            top=8,
        ),
    )


def _pages() -> rx.Component:
    """Buttons for the previous and next page of bikes. Not links: the search is not part of the address."""
    page, pages = BikeChoice.page.to(int), BikeChoice.pages.to(int)
    return rx.cond(
        pages > 1,
        rx.el.nav(
            _turn(_("Previous page"), (page - 1).to(int), page > 1),
            ui.text(_("Page {x} of {y}", x=page, y=pages), role="status", look="tabular-nums"),
            _turn(_("Next page"), (page + 1).to(int), page < pages),
            class_name="flex flex-wrap items-center justify-between gap-4",
            aria_label=_("Pages"),
        ),
    )


def _turn(text: rx.Var[str], page: rx.Var[int], possible: rx.Var[bool]) -> rx.Component:
    """A button that stays at the first and last page, so that it keeps the focus."""
    state = {"aria-disabled": rx.cond(possible, "false", "true")}
    return ui.action_button(text, BikeChoice.turn(page), custom_attrs=state)


_ON_ITS_PAGE = (Code.INSURANCE_EXISTS, Code.INSURANCE_REQUEST_EXISTS, Code.PACKAGE_EXISTS)
"""Refusals of which the page of the bike says more."""


def _refused(bike: rx.vars.ObjectVar[BikeEntry], topic: str, texts: dict[str, str]) -> rx.Component:
    known = rx.Var.create([code.value for code in _ON_ITS_PAGE]).contains(bike.refusal)
    reason = rx.fragment(
        ui.text(choice(bike.refusal, texts), top=2),
        rx.cond(
            bike.refusal == Code.FRAME_NUMBER_UNKNOWN.value,
            ui.tall_link(_("Enter the frame number"), to=f"/bikes/{bike.id}"),
            ui.tall_link(
                rx.cond(known, _("View your bike"), _("Contact us")),
                to=rx.cond(known, f"/bikes/{bike.id}", f"/contact?topic={topic}"),
            ),
        ),
    )
    return rx.el.div(
        rx.el.div(bike_row(bike), class_name="flex items-center gap-3"),
        rx.cond(_is_busy(bike), _under_way(bike), reason),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _is_busy(bike: rx.vars.ObjectVar[BikeEntry]) -> rx.Var[bool]:
    """Whether only its open request keeps a bike from being chosen."""
    return bike.refusal == Code.OPEN_WORK_ORDER_EXISTS.value


def _under_way(bike: rx.vars.ObjectVar[BikeEntry]) -> rx.Component:
    texts = {
        RequestKind.REPAIR: _("Your {bike} already has a repair under way.", bike=bike.name),
        RequestKind.SERVICE: _("Your {bike} already has a service under way.", bike=bike.name),
        RequestKind.CLAIM: _("Your {bike} already has an insurance claim under way.", bike=bike.name),
    }
    return ui.text(
        choice(bike.open_kind, texts, _("Your {bike} already has a request under way.", bike=bike.name)),
        " ",
        ui.tall_link(_("View it."), to=rx.Var.create("/maintenance/").to(str) + bike.open_request.to(str)),
        top=1,
    )


@rx.memo
def bike_aside() -> rx.Component:
    bike = BikeChoice.chosen
    return ui.card(
        rx.el.div(
            picture(bike.picture, "18rem", f"w-full {ui.COMPACT}:w-24 {ui.COMPACT}:shrink-0"),
            ui.block(
                rx.el.p(bike.name, class_name=f"mt-4 font-semibold {ui.COMPACT}:mt-0"),
                rx.el.p(bike_lines(bike), class_name=f"{ui.COMPACT}:[&_.text-sm]:hidden"),
            ),
            class_name=f"{ui.COMPACT}:flex {ui.COMPACT}:items-center {ui.COMPACT}:gap-4",
        ),
        shown=bike,
    )


def bike_line() -> rx.Component:
    """Name the chosen bike above the form, for steps without an aside; on small screens every step names it."""
    bike = BikeChoice.chosen
    return ui.muted(
        _("For your {bike}, frame number {frame}", bike=bike.name, frame=bike.frame_number),
        look="tabular-nums max-lg:hidden",
        top=4,
        shown=bike,
    )


def pin_body(fields: StepFields, why: Text | None = None) -> rx.Component:
    known, code = fields["pin_known"], fields["pin_code"]
    options = known.rule.options if isinstance(known.rule, OneOf) else {}
    cards = rx.fragment(
        ui.revealing(option_of(known, PIN_KNOWN, _(options[PIN_KNOWN])), asked(code)),
        option_of(known, PIN_UNKNOWN, _(options[PIN_UNKNOWN])),
    )
    return rx.fragment(
        ui.text(
            _("This bike has an electronic lock. The mechanic needs its pin code for a test ride.")
            if why is None
            else why
        ),
        group(known, cards, legend=None, columns=""),
    )


def pin_rows(fields: StepFields) -> list[ui.Fact]:
    known, code = fields["pin_known"], fields["pin_code"]
    unknown = answer(known.name) == PIN_UNKNOWN
    return [ui.Fact(_(known.label), rx.cond(unknown, _("I don’t know the pin code"), answer(code.name)).to(str))]


def _no_bike(refused: rx.Component) -> rx.Component:
    """Explain when a bike will appear to a customer without any; name open requests; otherwise show the refusal."""
    nothing = no_bikes(
        _("A bike you’ve ordered appears in your account once it has been shipped. Is one missing? Contact us."),
        ui.link_button(_("Contact us"), "/contact", "secondary"),
    )
    busy = ui.notice(
        rx.foreach(BikeChoice.bikes, lambda bike: rx.cond(_is_busy(bike), _under_way(bike))),
        title=_("Not available"),
        tone="warn",
    )
    return rx.cond(
        FlowRun.closed == Code.REPAIR_REQUEST_LINE_NOT_FOUND.value,
        nothing,
        rx.cond(FlowRun.closed == Code.OPEN_WORK_ORDER_EXISTS.value, busy, refused),
    )


def _bikes() -> Offers:
    return Offers(
        _("Which bike is it about?"),
        BikeChoice.bikes,
        another=_("Another bike"),
        mark=bike_mark,
        details=lambda bike: rx.fragment(ui.text(bike_lines(bike)), rx.cond(_is_busy(bike), _under_way(bike))),
    )


BIKE_SUBJECT = SubjectPages(
    unnamed=lambda _flow, _draft: _("Request without a bike"),
    closed_page=_no_bike,
    offers=_bikes,
    chosen=lambda: CHOSEN_NAME,
)
"""Pages that every flow about a bike uses."""
