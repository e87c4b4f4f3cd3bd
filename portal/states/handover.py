"""How the bike gets to the chosen location, as the pages of a flow show it."""

from dataclasses import dataclass

import reflex as rx

from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts, Flow
from portal.flows.location import HANDOVER, handover, offers
from portal.states.change import change
from portal.states.flow_views import Look, shows_where


@dataclass(frozen=True, slots=True)
class HandoverOption:
    """A way to hand over the bike: a value of `Handover`, and euro as text, empty where it is free."""

    method: str
    cost: str


class ChosenHandover(rx.State):
    """Follows the handover among the answers of a request.

    Attributes:
        options: how the bike can be handed over at the chosen location; method: how it will be.
    """

    options: rx.Field[list[HandoverOption]] = rx.field(default_factory=list)
    method: rx.Field[str] = rx.field("")

    def _look(self, asked: Asked) -> None:
        method = handover(asked)
        options = [
            HandoverOption(name.value, "" if cost is None else f"{cost:.2f}") for name, cost in offers(asked).items()
        ]
        change(self, {"options": options, "method": method.value if method else ""})


async def _show(state: rx.State, facts: Facts, answers: Answers) -> None:
    (await state.get_state(ChosenHandover))._look(Asked(answers, facts, today()))


@shows_where
def _where_it_is_asked(flow: Flow) -> Look | None:
    return _show if any(entry.name == HANDOVER for entry in flow.fields) else None
