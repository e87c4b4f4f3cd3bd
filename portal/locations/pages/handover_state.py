"""State of the handover methods of the chosen location."""

from dataclasses import dataclass

import reflex as rx

from portal.flow import AnswerContext, Flow
from portal.flow.pages.views import shows_field
from portal.locations.flow import LOCATION, handover, offers
from portal.reflex_adapter.state import assign_changed


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

    def _look(self, answers: AnswerContext) -> None:
        offered = offers(answers).items()
        chosen = handover(answers)
        assign_changed(
            self,
            {
                "methods": [MethodLine(name.value, "" if cost is None else f"{cost:.2f}") for name, cost in offered],
                "method": chosen.value if chosen else "",
            },
        )


@shows_field(LOCATION)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    (await state.get_state(HandoverChoice))._look(answers)
