"""What the pages of a claim show beside the answers: what is known already, and figures in groups for reading."""

import reflex as rx

from portal.domain.flow import AnswerContext, Flow
from portal.domain.identifiers import in_fours
from portal.flows.bike import BIKE, BIKES
from portal.flows.claim import HOLDER
from portal.states.flow_views import shows


class ClaimDisplay(rx.State):
    """Shown by the claim.

    Attributes:
        policy_number: of the chosen bike when it is insured through the retailer; empty when it is not.
        holder: name of the customer, proposed as the holder of the account.
        iban: the account that was given, in groups of four.
    """

    policy_number: rx.Field[str] = rx.field("")
    holder: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")


@shows("claim-request")
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    display = await state.get_state(ClaimDisplay)
    bike = answers.entry(BIKES, BIKE)
    shown = {
        "policy_number": str(bike.get("policy_number", "")),
        "holder": str(answers.facts.get(HOLDER, "")),
        "iban": in_fours(answers.text("iban")),
    }
    for name, value in shown.items():
        if getattr(display, name) != value:
            setattr(display, name, value)
