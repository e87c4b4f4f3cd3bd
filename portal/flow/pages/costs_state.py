"""What a request costs, as the pages of its flow show it."""

from collections.abc import Sequence
from dataclasses import dataclass

import reflex as rx

from portal.flow.model import Flow
from portal.flow.pages.views import shows_where
from portal.flow.rules import AnswerContext
from portal.kernel.money import Cost, CostKind, total
from portal.reflex_adapter.state import assign_changed


@dataclass(frozen=True, slots=True)
class CostLine:
    """A line of the costs: a value of `CostKind`, and euro as text; a discount is negative."""

    kind: str
    amount: str


class FlowCosts(rx.State):
    """The costs as far as they are known.

    Attributes:
        lines: one a cost; total: their sum, empty without any; by_mail: part of it is asked for by e-mail.
    """

    lines: rx.Field[list[CostLine]] = rx.field(default_factory=list)
    total: rx.Field[str] = rx.field("")
    by_mail: rx.Field[bool] = rx.field(False)

    def _look(self, costs: Sequence[Cost]) -> None:
        assign_changed(
            self,
            {
                "lines": [CostLine(cost.kind.value, f"{cost.amount:.2f}") for cost in costs],
                "total": f"{total(costs):.2f}" if costs else "",
                "by_mail": any(cost.kind is CostKind.CALL_OUT for cost in costs),
            },
        )


@shows_where(lambda flow: flow.costs is not None)
async def _show(state: rx.State, flow: Flow, answers: AnswerContext) -> None:
    if flow.costs:
        (await state.get_state(FlowCosts))._look(flow.costs(answers))
