"""The address of a request, as its pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.domain.address import address_lines
from portal.domain.flow import AnswerContext, Flow
from portal.domain.phones import readable
from portal.flows.address import ADDRESS, home, known_address
from portal.reflex_adapter.state import assign_changed
from portal.states.flow_views import shows_field


@dataclass(frozen=True, slots=True)
class AddressView:
    """An address in lines; `street` is empty while it is not known."""

    street: str = ""
    city: str = ""
    country_code: str = ""


class AddressChoice(rx.State):
    """Follows the answers to the question for the address.

    Attributes:
        known: the address we know; phone: our number of the customer, readable.
        home: the address that was answered; called: the number that was answered, readable.
    """

    known: rx.Field[AddressView] = rx.field(default_factory=AddressView)
    phone: rx.Field[str] = rx.field("")
    home: rx.Field[AddressView] = rx.field(default_factory=AddressView)
    called: rx.Field[str] = rx.field("")

    def _look(self, answers: AnswerContext) -> None:
        where = home(answers)
        assign_changed(
            self,
            {
                "known": _view(known_address(answers)),
                "phone": readable(str(answers.facts.get("phone", ""))),
                "home": _view(where),
                "called": readable(where.get("phone", "")),
            },
        )


def _view(address: Mapping[str, Any]) -> AddressView:
    return AddressView(*address_lines(address), str(address.get("country_code", "")))


@shows_field(ADDRESS)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    (await state.get_state(AddressChoice))._look(answers)
