"""How the bike gets to the chosen service location, as the pages of a flow show it."""

from dataclasses import dataclass

import reflex as rx

from portal.flow import AnswerContext, Flow
from portal.flow.pages.views import shows_field
from portal.locations.flow import LOCATION, handover, offers
from portal.reflex_adapter.state import assign_changed


@dataclass(frozen=True, slots=True)
class MethodLine:
    """A way to hand over the bike: a value of `Handover`, and euro as text, empty where it is free."""

    method: str
    cost: str


class HandoverChoice(rx.State):
    """Follows the answers about the location.

    Attributes:
        methods: how the bike can be handed over at the chosen location; method: how it will be.
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
