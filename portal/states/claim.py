"""What the pages of a claim show beside the answers: what is known already, and figures in groups for reading."""

import reflex as rx

from portal.domain.flow import Answers, Facts
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
async def _show(state: rx.State, facts: Facts, answers: Answers) -> None:
    display = await state.get_state(ClaimDisplay)
    bike = next((entry for entry in facts.get(BIKES, ()) if entry["id"] == answers.get(BIKE)), {})
    iban = str(answers.get("iban", ""))
    shown = {
        "policy_number": str(bike.get("policy_number", "")),
        "holder": str(facts.get(HOLDER, "")),
        "iban": in_fours(iban),
    }
    for name, value in shown.items():
        if getattr(display, name) != value:
            setattr(display, name, value)
