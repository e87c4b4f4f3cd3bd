"""Where the customer is, as the pages of a flow show it."""

from dataclasses import dataclass

import reflex as rx

from portal.domain.dates import today
from portal.domain.flow import Answers, Asked, Facts, Flow
from portal.domain.phones import readable
from portal.flows.address import ADDRESS, home, known_address
from portal.states.change import change
from portal.states.flow_views import Look, shows_where


@dataclass(frozen=True, slots=True)
class AddressLines:
    """An address in lines; `street` is empty while it is not known."""

    street: str = ""
    city: str = ""
    country_code: str = ""


class ChosenAddress(rx.State):
    """Follows the address among the answers of a request.

    Attributes:
        known: the address we know; phone: our number of the customer, readable.
        home: the address that was answered; called: the number that was answered, readable.
    """

    known: rx.Field[AddressLines] = rx.field(default_factory=AddressLines)
    phone: rx.Field[str] = rx.field("")
    home: rx.Field[AddressLines] = rx.field(default_factory=AddressLines)
    called: rx.Field[str] = rx.field("")

    def _look(self, asked: Asked) -> None:
        where = home(asked)
        seen = {
            "known": _lines({str(key): str(value) for key, value in known_address(asked).items()}),
            "phone": readable(str(asked.facts.get("phone", ""))),
            "home": _lines(where),
            "called": readable(where.get("phone", "")),
        }
        change(self, seen)


def _lines(address: dict[str, str]) -> AddressLines:
    if not address:
        return AddressLines()
    addition = address["house_number_addon"]
    # 'A' stands right behind the number, 'bus 3' does not.
    number = address["house_number"] + (f" {addition}" if len(addition) > 1 else addition)
    return AddressLines(
        f"{address['street']} {number}", f"{address['post_code']} {address['city']}", address["country_code"]
    )


async def _show(state: rx.State, facts: Facts, answers: Answers) -> None:
    (await state.get_state(ChosenAddress))._look(Asked(answers, facts, today()))


@shows_where
def _where_it_is_asked(flow: Flow) -> Look | None:
    return _show if any(entry.name == ADDRESS for entry in flow.fields) else None
