"""The address of a request, as its pages show it."""

from dataclasses import dataclass

import reflex as rx

from portal.domain.flow import AnswerContext, Flow
from portal.domain.phones import readable
from portal.flows.address import ADDRESS, home, known_address
from portal.states.change import change
from portal.states.flow_views import shows_field


@dataclass(frozen=True, slots=True)
class AddressLines:
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

    known: rx.Field[AddressLines] = rx.field(default_factory=AddressLines)
    phone: rx.Field[str] = rx.field("")
    home: rx.Field[AddressLines] = rx.field(default_factory=AddressLines)
    called: rx.Field[str] = rx.field("")

    def _look(self, answers: AnswerContext) -> None:
        where = home(answers)
        change(
            self,
            {
                "known": _lines({str(key): str(value) for key, value in known_address(answers).items()}),
                "phone": readable(str(answers.facts.get("phone", ""))),
                "home": _lines(where),
                "called": readable(where.get("phone", "")),
            },
        )


def _lines(address: dict[str, str]) -> AddressLines:
    if not address:
        return AddressLines()
    addition = address["house_number_addon"]
    # 'A' stands right behind the number, 'bus 3' does not.
    number = address["house_number"] + (f" {addition}" if len(addition) > 1 else addition)
    return AddressLines(
        f"{address['street']} {number}", f"{address['post_code']} {address['city']}", address["country_code"]
    )


@shows_field(ADDRESS)
async def _show(state: rx.State, _flow: Flow, answers: AnswerContext) -> None:
    (await state.get_state(AddressChoice))._look(answers)
