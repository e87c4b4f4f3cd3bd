"""State of the handover methods of the chosen location."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.flow import AnswerContext, Flow
from portal.flow.pages.showing import shows_field
from portal.locations.flow import LOCATION, handover, offers


@dataclass(frozen=True, slots=True)
class MethodLine:
    """A handover method (a value of `Handover`) and its cost: euro as text, empty if free."""

    method: str
    cost: str


class HandoverChoice(rx.State):
    """Handover methods of the chosen location.

    Attributes:
        methods: the methods that the location offers.
        method: the chosen one; empty while none is chosen.
    """

    methods: rx.Field[list[MethodLine]] = rx.field(default_factory=list)
    method: rx.Field[str] = rx.field("")


@shows_field(HandoverChoice, LOCATION)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    offered = offers(answers).items()
    chosen = handover(answers)
    return {
        "methods": [MethodLine(name.value, "" if cost is None else f"{cost:.2f}") for name, cost in offered],
        "method": chosen.value if chosen else "",
    }
