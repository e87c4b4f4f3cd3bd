"""Views and states of the list of bikes and of the bike step."""

from dataclasses import dataclass, field
from typing import ClassVar

import reflex as rx

from portal.bikes.api import Bike, BikesApi, BikeSummary
from portal.bikes.flow import BIKE, BIKES
from portal.bikes.pages.battery_passport import BatteryPassportView, battery_passport_view
from portal.contract.models import Picture
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.pages.views import shows_field
from portal.frontend.load import Question
from portal.frontend.state import Loadable
from portal.pictures.pages.views import PartsView, PictureView, parts_view, picture_in, picture_view
from portal.reflex_adapter.state import assign_changed


@dataclass(frozen=True, slots=True)
class BikeCard:
    """One bike of the list. `frame_number` is empty when unknown, `request` if no request is open."""

    bike_id: str
    name: str
    brand: str
    picture: PictureView
    color: str
    frame_number: str
    order_number: str
    order_day: str
    warranty_until: str
    warranty_expired: bool
    request: str


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
    """Everything the page of a bike shows. Days ISO, mileage in km as a plain number; empty means unknown."""

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


def bike_card(bike: BikeSummary) -> BikeCard:
    """Map a bike to its card."""
    return BikeCard(
        bike_id=bike.bike_id,
        name=bike.name,
        brand=bike.brand,
        picture=picture_view(bike.picture),
        color=bike.color,
        frame_number=bike.frame_number,
        order_number=bike.order_number,
        order_day=bike.order_date.isoformat(),
        warranty_until=bike.warranty_until.isoformat(),
        warranty_expired=bike.warranty_expired,
        request=bike.open_request or "",
    )


def bike_view(bike: Bike) -> BikeView:
    """Map a bike to the view of its page."""
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
    )


class Bikes(Loadable, rx.State):
    """All bikes, newest order first."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("cards",)
    cards: rx.Field[list[BikeCard]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[BikeSummary]]:
        return lambda token: ask(BikesApi).bikes(token)

    def _show(self, bikes: list[BikeSummary]) -> None:
        self.cards = [bike_card(bike) for bike in bikes]


@dataclass(frozen=True, slots=True)
class BikeOption:
    """A bike of the bike step. `refusal` is the code of the reason why it cannot be chosen, else empty."""

    bike_id: str = ""
    name: str = ""
    picture: PictureView = field(default_factory=PictureView)
    color: str = ""
    frame_number: str = ""
    order_number: str = ""
    order_day: str = ""
    refusal: str = ""


class BikeChoice(rx.State):
    """The bikes of the current flow.

    Attributes:
        bikes: all bikes of the customer, newest order first.
        chosen: the chosen bike; its id is empty while none is chosen.
        parts: the drawing of the chosen bike, of which parts can be pressed.
    """

    bikes: rx.Field[list[BikeOption]] = rx.field(default_factory=list)
    chosen: rx.Field[BikeOption] = rx.field(default_factory=BikeOption)
    parts: rx.Field[PartsView] = rx.field(default_factory=PartsView)


_TEXTS = ("name", "color", "frame_number", "order_number", "order_day", "refusal")


def option(entry: dict[str, object]) -> BikeOption:
    """Map one entry of the fact `BIKES` to a bike option."""
    known = {name: str(entry.get(name) or "") for name in _TEXTS if name in entry}
    return BikeOption(bike_id=str(entry["id"]), picture=picture_view(picture_in(entry)), **known)


@shows_field(BIKE)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    choice = await state.get_state(BikeChoice)
    entries = answers.facts.get(BIKES, ())
    bikes = [option(entry) for entry in entries]
    chosen = next((bike for bike in bikes if bike.bike_id == answers.text(BIKE)), BikeOption())
    drawn = next((picture_in(entry) for entry in entries if entry["id"] == chosen.bike_id), Picture())
    assign_changed(choice, {"bikes": bikes, "chosen": chosen, "parts": parts_view(drawn)})
