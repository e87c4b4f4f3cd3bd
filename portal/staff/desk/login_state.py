"""The state of the login of staff: how they can log in here."""

from dataclasses import dataclass

import reflex as rx

from portal.contract.errors import ProviderError
from portal.contract.registry import ask
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.policies import public
from portal.settings import settings
from portal.staff.api import LoginPerson, StaffApi


@dataclass(frozen=True)
class PersonChoice:
    """Somebody of the list: the identifier, the name, the role and the stores."""

    person_id: str
    name: str
    role: str
    stores: str


class StaffLogin(rx.State):
    """How staff can log in here.

    Attributes:
        people: everybody who can log in; only in the demonstration.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    sign_on: rx.Field[bool] = rx.field(False)
    people: rx.Field[list[PersonChoice]] = rx.field(default_factory=list)
    customers: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    @public
    async def load(self) -> None:
        """Ask how staff can log in."""
        try:
            ways = await ask(StaffApi).staff_login_ways()
        except ProviderError:
            async with self:
                self.view_state = FAILED
            return
        async with self:
            self.sign_on = ways.sign_on
            self.people = [_choice_of(person) for person in ways.people]
            self.customers = settings().address
            self.view_state = READY


def _choice_of(person: LoginPerson) -> PersonChoice:
    return PersonChoice(person.person_id, person.name, person.role.value, ", ".join(person.stores))
