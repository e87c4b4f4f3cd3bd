"""What the chosen bike means for its insurance: the premiums, and the key number that we know."""

import reflex as rx

from portal.domain.flow import AnswerContext, Flow
from portal.domain.identifiers import in_fours
from portal.domain.insurances import BIKE_NOT_INSURED
from portal.flows.bike import BIKE, BIKES
from portal.flows.insurance import IBAN, PREMIUMS, premium_of
from portal.reflex_adapter.state import assign_changed
from portal.states.bike_choice import BikeChoice
from portal.states.flow_views import Failure, fails, shows

FLOW = "insurance-request"


class InsuranceChoice(rx.State):
    """Follows the answers of a request.

    Attributes:
        premiums: euro a month as text, by key of the package (`kettingzeker-theft`), for the chosen bike.
        premium: of the package that was chosen; empty while none is.
        key_number: what we know to stand on the key of the chosen bike; empty when nothing.
        iban: the account that was given, in groups of four.
    """

    premiums: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    premium: rx.Field[str] = rx.field("")
    key_number: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")

    def _look(self, answers: AnswerContext) -> None:
        bike = answers.entry(BIKES, BIKE)
        seen = {
            "premiums": {str(key): str(value) for key, value in bike.get(PREMIUMS, {}).items()},
            "premium": premium_of(answers),
            "key_number": str(bike.get("key_number") or ""),
            "iban": in_fours(answers.text(IBAN)),
        }
        assign_changed(self, seen)


@shows(FLOW)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    (await state.get_state(InsuranceChoice))._look(answers)


@fails(FLOW)
async def _failure(state: rx.State) -> Failure | None:
    name = (await state.get_state(BikeChoice)).chosen.name
    return (BIKE_NOT_INSURED, {"bike": name}) if name else None
