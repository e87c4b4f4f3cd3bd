"""What the customer's answers mean: the address, the location and the costs, as the pages of a flow show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import reflex as rx

from portal.domain.address import address_lines
from portal.domain.costs import CostKind, total
from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts
from portal.domain.phones import readable
from portal.flows.address import home, known_address
from portal.flows.costs import costs_of
from portal.flows.location import handover, offers
from portal.flows.settlements import SETTLED
from portal.reflex_adapter.state import assign_changed
from portal.states.flow_views import shows


@dataclass(frozen=True, slots=True)
class AddressView:
    """An address in lines; `street` is empty while it is not known."""

    street: str = ""
    city: str = ""
    country_code: str = ""


@dataclass(frozen=True, slots=True)
class CostLine:
    """A line of the costs: a value of `CostKind`, and euro as text; a discount is negative."""

    kind: str
    amount: str


@dataclass(frozen=True, slots=True)
class WayLine:
    """A way to hand over the bike: a value of `Handover`, and euro as text, empty where it is free."""

    way: str
    cost: str


class Choices(rx.State):
    """Follows the answers of a request.

    Attributes:
        known: the address we know; phone: our number of the customer, readable.
        home: the address that was answered; called: the number that was answered, readable.
        ways: how the bike can be handed over at the chosen location; way: how it will be.
        costs: the lines; total: their sum, empty without any; by_mail: part of it is asked for by e-mail.
    """

    known: rx.Field[AddressView] = rx.field(default_factory=AddressView)
    phone: rx.Field[str] = rx.field("")
    home: rx.Field[AddressView] = rx.field(default_factory=AddressView)
    called: rx.Field[str] = rx.field("")
    ways: rx.Field[list[WayLine]] = rx.field(default_factory=list)
    way: rx.Field[str] = rx.field("")
    costs: rx.Field[list[CostLine]] = rx.field(default_factory=list)
    total: rx.Field[str] = rx.field("")
    by_mail: rx.Field[bool] = rx.field(False)

    def _look(self, flow: str, asked: Asked) -> None:
        where = home(asked)
        costs = costs_of(flow, asked)
        way = handover(asked)
        seen = {
            "known": _view(known_address(asked)),
            "phone": readable(str(asked.facts.get("phone", ""))),
            "home": _view(where),
            "called": readable(where.get("phone", "")),
            "ways": [
                WayLine(name.value, "" if cost is None else f"{cost:.2f}") for name, cost in offers(asked).items()
            ],
            "way": way.value if way else "",
            "costs": [CostLine(cost.kind.value, f"{cost.amount:.2f}") for cost in costs],
            "total": f"{total(costs):.2f}" if costs else "",
            "by_mail": any(cost.kind is CostKind.CALL_OUT for cost in costs),
        }
        assign_changed(self, seen)


def _view(address: Mapping[str, Any]) -> AddressView:
    return AddressView(*address_lines(address), str(address.get("country_code", "")))


async def _show(flow: str, state: rx.State, facts: Facts, answers: Answers) -> None:
    (await state.get_state(Choices))._look(flow, Asked(answers, facts, today()))


for _flow in ("repair-request", "service-request", *sorted(SETTLED)):
    shows(_flow)(partial(_show, _flow))
