"""What a request costs, as the pages of its flow show it while it is being answered."""

from dataclasses import dataclass
from functools import partial

import reflex as rx

from portal.domain.costs import CostKind, total
from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts, Flow
from portal.flows.costs import costs_of
from portal.states.change import change
from portal.states.flow_views import Look, shows_where


@dataclass(frozen=True, slots=True)
class CostLine:
    """A line of the costs: a value of `CostKind`, and euro as text; a discount is negative."""

    kind: str
    amount: str


class RequestCosts(rx.State):
    """Follows the answers of a request.

    Attributes:
        lines: what costs how much; total: their sum, empty without any; by_mail: part of it is asked for by e-mail.
    """

    lines: rx.Field[list[CostLine]] = rx.field(default_factory=list)
    total: rx.Field[str] = rx.field("")
    by_mail: rx.Field[bool] = rx.field(False)

    def _look(self, flow: str, asked: Asked) -> None:
        costs = costs_of(flow, asked)
        seen = {
            "lines": [CostLine(cost.kind.value, f"{cost.amount:.2f}") for cost in costs],
            "total": f"{total(costs):.2f}" if costs else "",
            "by_mail": any(cost.kind is CostKind.CALL_OUT for cost in costs),
        }
        change(self, seen)


async def _show(flow: str, state: rx.State, facts: Facts, answers: Answers) -> None:
    (await state.get_state(RequestCosts))._look(flow, Asked(answers, facts, today()))


@shows_where
def _everywhere(flow: Flow) -> Look | None:
    return partial(_show, flow.name)
