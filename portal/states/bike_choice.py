"""The bikes that a flow offers, and the one that was chosen."""

from dataclasses import dataclass

import reflex as rx

from portal.domain.flow import AnswerContext, Flow
from portal.flows.bike import BIKE, BIKES
from portal.reflex_adapter.state import assign_changed
from portal.states.flow_views import shows_field
from portal.states.views.bikes import safe_color


@dataclass(frozen=True, slots=True)
class BikeOption:
    """A bike to choose. `refusal` is the code of the reason why it cannot be chosen, empty when it can."""

    bike_id: str = ""
    name: str = ""
    kind: str = "city_bike"
    color: str = ""
    color_code: str = "#475c54"
    frame_number: str = ""
    order_number: str = ""
    order_day: str = ""
    refusal: str = ""


class BikeChoice(rx.State):
    """Shown by every flow about a bike.

    Attributes:
        bikes: what is offered, newest order first.
        chosen: the bike of the request; without an id while none is chosen.
    """

    bikes: rx.Field[list[BikeOption]] = rx.field(default_factory=list)
    chosen: rx.Field[BikeOption] = rx.field(default_factory=BikeOption)


def option(entry: dict[str, object]) -> BikeOption:
    """Tell a bike among the facts."""
    known = {name: str(entry.get(name) or "") for name in BikeOption.__dataclass_fields__ if name in entry}
    return BikeOption(**{**known, "bike_id": str(entry["id"]), "color_code": safe_color(known.get("color_code", ""))})


@shows_field(BIKE)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    choice = await state.get_state(BikeChoice)
    bikes = [option(entry) for entry in answers.facts.get(BIKES, ())]
    chosen = next((bike for bike in bikes if bike.bike_id == answers.text(BIKE)), BikeOption())
    assign_changed(choice, {"bikes": bikes, "chosen": chosen})
