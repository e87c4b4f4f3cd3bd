"""Views and states of the list of bikes and of the bike step."""

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar

import reflex as rx

from portal.bikes.api import Bike, BikesApi, BikeSummary
from portal.bikes.flow import BIKE, BIKES, MORE_BIKES, PAGE_OF_BIKES
from portal.bikes.pages.battery_passport import BatteryPassportView, battery_passport_view
from portal.bikes.pages.identity import BikeIdentity
from portal.bikes.rules import MOTOR_PARTS
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Page
from portal.contract.operations import LONGEST_SEARCH
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.api import FlowApi, SubjectSearch
from portal.flow.pages.showing import shows_field
from portal.flow.pages.state import FlowRun
from portal.frontend.live import Loadable
from portal.frontend.load import COUNTS, Paginated, Question, page_asked, text_in
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.pictures.pages.views import PartsView, PictureView, parts_view, picture_in, picture_view

BIKE_TEXT = "bike_text"
"""Name of the search field of the bike step."""

_visits = count(1)


@dataclass(frozen=True, slots=True)
class BikeCard(BikeIdentity):
    """One bike of the list. `request` is empty if no request is open; `departure` if the customer keeps the bike."""

    warranty_until: str = ""
    warranty_expired: bool = False
    request: str = ""
    departure: str = ""


@dataclass(frozen=True, slots=True)
class BikeFact:
    """One fact of a bike: the key of its label, and the value; empty means unknown.

    `copied` says whether the page offers a button that copies the value.
    """

    key: str
    value: str
    copied: bool = False


@dataclass(frozen=True, slots=True)
class BikeView:
    """Everything the page of a bike shows. Days ISO, mileage in km as a plain number; empty means unknown.

    `departure` is empty if the customer keeps the bike.
    """

    bike_id: str = ""
    name: str = ""
    brand: str = ""
    picture: PictureView = field(default_factory=PictureView)
    order_number: str = ""
    order_day: str = ""
    warranty_until: str = ""
    warranty_expired: bool = False
    request: str = ""
    frame_known: bool = False
    basics: list[BikeFact] = field(default_factory=list)
    drive: list[BikeFact] = field(default_factory=list)
    key_facts: list[BikeFact] = field(default_factory=list)
    service_card: str = ""
    service_package: str = ""
    insurance: str = ""
    policy_number: str = ""
    insurance_start: str = ""
    mileage: str = ""
    mileage_day: str = ""
    has_pin_code: bool = False
    passport: BatteryPassportView = field(default_factory=BatteryPassportView)
    departure: str = ""


def bike_card(bike: BikeSummary) -> BikeCard:
    return BikeCard(
        bike_id=bike.bike_id,
        name=bike.name,
        picture=picture_view(bike.picture),
        color=bike.color,
        frame_number=bike.frame_number,
        order_number=bike.order_number,
        order_day=bike.order_date.isoformat(),
        warranty_until=bike.warranty_until.isoformat(),
        warranty_expired=bike.warranty_expired,
        request=bike.open_request or "",
        departure=bike.departure.value if bike.departure else "",
    )


def bike_view(bike: Bike) -> BikeView:
    return BikeView(
        bike_id=bike.bike_id,
        name=bike.name,
        brand=bike.brand,
        picture=picture_view(bike.picture),
        order_number=bike.order_number,
        order_day=bike.order_date.isoformat(),
        warranty_until=bike.warranty_until.isoformat(),
        warranty_expired=bike.warranty_expired,
        request=bike.open_request or "",
        frame_known=bool(bike.frame_number),
        basics=[
            BikeFact("brand", bike.brand),
            BikeFact("size", bike.size),
            BikeFact("color", bike.color),
            BikeFact("frame", bike.frame_number, copied=True),
        ],
        drive=[
            BikeFact("engine_brand", bike.engine_brand),
            BikeFact("engine_system", bike.engine_system),
            BikeFact("battery", bike.battery_number, copied=True),
            BikeFact("imei", bike.imei_number, copied=True),
        ]
        if bike.kind.value != "city_bike" or bike.engine_brand
        else [],
        key_facts=[
            BikeFact(f"key_{place}", number, copied=True) for place, number in enumerate(bike.key_numbers[:3], start=1)
        ],
        service_card=bike.service_card,
        service_package=bike.service_package.value if bike.service_package else "",
        insurance=bike.insurance,
        policy_number=bike.policy_number,
        insurance_start=bike.insurance_start.isoformat() if bike.insurance_start else "",
        mileage="" if bike.mileage is None else str(bike.mileage),
        mileage_day=bike.mileage_at.isoformat() if bike.mileage_at else "",
        has_pin_code=bike.has_pin_code,
        passport=battery_passport_view(bike.battery_passport),
        departure=bike.departure.value if bike.departure else "",
    )


class Bikes(Loadable, Paginated, rx.State):
    """A page of the list of bikes, newest order first."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("cards", *COUNTS)
    cards: rx.Field[list[BikeCard]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[BikeSummary]]:
        page = page_asked(self)
        return lambda token: ask(BikesApi).bikes(token, page)

    def _show(self, part: Page[BikeSummary]) -> None:
        self.cards = [bike_card(bike) for bike in part.items]
        self._count(part)


@dataclass(frozen=True, slots=True)
class BikeOption(BikeIdentity):
    """A bike of the bike step.

    Attributes:
        refusal: the code of the reason why it cannot be chosen; empty if it can.
        open_request, open_kind: reference and kind of its open request; empty without one.
    """

    refusal: str = ""
    open_request: str = ""
    open_kind: str = ""


class BikeChoice(rx.State):
    """The bikes of the current flow.

    With more bikes than one page has, the customer searches them and turns pages.

    Attributes:
        bikes: the bikes of the page, newest order first. Before the first page comes the chosen one if it is not on it.
        chosen: the chosen bike; its id is empty while none is chosen.
        text: what was searched for; empty for all bikes.
        begun: number of searches that were begun anew; the search field is then empty.
    """

    bikes: rx.Field[list[BikeOption]] = rx.field(default_factory=list)
    chosen: rx.Field[BikeOption] = rx.field(default_factory=BikeOption)
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
                self.bikes = with_chosen([option(entry) for entry in part.items], self.chosen)
                self.page, self.pages, self.total, self.text = part.page, part.pages, part.total, text
                self.failed, self.answered = False, self.answered + 1


def with_chosen(bikes: list[BikeOption], chosen: BikeOption) -> list[BikeOption]:
    """The bikes of a page, after the chosen one if it is not among them: what was chosen is always shown."""
    known = not chosen.bike_id or any(bike.bike_id == chosen.bike_id for bike in bikes)
    return bikes if known else [chosen, *bikes]


_TEXTS = ("name", "color", "frame_number", "order_number", "order_day", "refusal", "open_request", "open_kind")


def option(entry: dict[str, object]) -> BikeOption:
    """Map one entry of the fact `BIKES` to a bike option."""
    known = {name: str(entry.get(name) or "") for name in _TEXTS if name in entry}
    return BikeOption(bike_id=str(entry["id"]), picture=picture_view(picture_in(entry)), **known)


@shows_field(BikeChoice, BIKE)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    entries = answers.facts.get(BIKES, ())
    bikes = [option(entry) for entry in entries]
    chosen = next((bike for bike in bikes if bike.bike_id == answers.text(BIKE)), BikeOption())
    more = answers.facts.get(MORE_BIKES)
    known = next((entry for entry in entries if entry["id"] == chosen.bike_id), {})
    motor, parts = bool(known.get("motor", True)), parts_view(picture_in(known))
    # A search that is running is outdated: none has the number 0.
    shown: dict[str, Any] = {"bikes": bikes, "chosen": chosen, "_visit": 0}
    shown |= {"motor": motor, "parts": parts if motor else without_motor(parts)}
    shown |= {"many": bool(more), "text": "", "failed": False}
    if more:
        pages = -(-more["total"] // PAGE_OF_BIKES)
        shown |= {"page": 1, "pages": pages, "total": more["total"]}
        shown["bikes"] = with_chosen(bikes[:PAGE_OF_BIKES], chosen)
    return shown


def without_motor(parts: PartsView) -> PartsView:
    """The drawn bike without the parts of a motor: a shop may draw one on a bike that has none."""
    return replace(
        parts,
        parts=[part for part in parts.parts if part not in MOTOR_PARTS],
        spots=[spot for spot in parts.spots if spot.part not in MOTOR_PARTS],
    )
