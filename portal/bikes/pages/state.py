"""States of the list of bikes and of the bike step."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import reflex as rx

from portal.bikes.api import BikesApi, BikeSummary
from portal.bikes.flow import BIKE, BIKES, MORE_BIKES, PAGE_OF_BIKES, BikeEntry
from portal.bikes.rules import MOTOR_PARTS
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Page, Picture
from portal.contract.operations import LONGEST_SEARCH
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.api import FlowApi, SubjectSearch
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import shows_field
from portal.frontend.live import Loadable
from portal.frontend.load import COUNTS, Paginated, Question, page_asked, text_in
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.pictures.pages import PartsView, parts_view

BIKE_TEXT = "bike_text"
"""Name of the search field of the bike step."""

_visits = count(1)


class Bikes(Loadable, Paginated, rx.State):
    """A page of the list of bikes, newest order first."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("bikes", *COUNTS)
    bikes: rx.Field[list[BikeSummary]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[BikeSummary]]:
        page = page_asked(self)
        return lambda token: ask(BikesApi).bikes(token, page)

    def _show(self, part: Page[BikeSummary]) -> None:
        self.bikes = part.items
        self._count(part)


class BikeChoice(rx.State):
    """The bikes of the current flow.

    With more bikes than one page has, the customer searches them and turns pages.

    Attributes:
        bikes: the bikes of the page, newest order first. Before the first page comes the chosen one if it is not on it.
        motor: whether the chosen bike can have one.
        text: what was searched for; empty for all bikes.
        begun: number of searches that were begun anew; the search field is then empty.
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
    async def search(self, form: dict[str, Any]) -> None:
        """Show the first page of the bikes that match a text, or of all bikes if it is empty."""
        await self._find(text_in(form, BIKE_TEXT).strip()[:LONGEST_SEARCH], 1)

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
        """Show another page of what was found."""
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
                self.bikes = _with_chosen(_entries(part.items), self.chosen)
                self.page, self.pages, self.total, self.text = part.page, part.pages, part.total, text
                self.failed, self.answered = False, self.answered + 1


def _entries(found: Iterable[Mapping[str, Any]]) -> list[BikeEntry]:
    return [BikeEntry.model_validate(entry) for entry in found]


def _with_chosen(bikes: list[BikeEntry], chosen: BikeEntry | None) -> list[BikeEntry]:
    """The bikes of a page, after the chosen one if it is not among them: what was chosen is always shown."""
    return bikes if chosen is None or chosen.id in {bike.id for bike in bikes} else [chosen, *bikes]


@shows_field(BikeChoice, BIKE)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    bikes = _entries(answers.facts.get(BIKES, ()))
    chosen = next((bike for bike in bikes if bike.id == answers.text(BIKE)), None)
    more = answers.facts.get(MORE_BIKES)
    motor, parts = chosen is None or chosen.motor, parts_view(chosen.picture if chosen else Picture())
    # A search that is running is outdated: none has the number 0.
    shown: dict[str, Any] = {"bikes": bikes, "chosen": chosen, "_visit": 0}
    shown |= {"motor": motor, "parts": parts if motor else without_motor(parts)}
    shown |= {"many": bool(more), "text": "", "failed": False}
    if more:
        pages = -(-more["total"] // PAGE_OF_BIKES)
        shown |= {"page": 1, "pages": pages, "total": more["total"]}
        shown["bikes"] = _with_chosen(bikes[:PAGE_OF_BIKES], chosen)
    return shown


def without_motor(parts: PartsView) -> PartsView:
    """The drawn bike without the parts of a motor: a shop may draw one on a bike that has none."""
    return replace(
        parts,
        parts=[part for part in parts.parts if part not in MOTOR_PARTS],
        spots=[spot for spot in parts.spots if spot.part not in MOTOR_PARTS],
    )
