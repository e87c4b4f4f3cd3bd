"""Status changes by staff: one mechanism for every kind of case."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from portal.backend.context import Context
from portal.backend.limits import HOUR, Limit, network, subject, take
from portal.backend.security import SecurityEvent, note
from portal.contract.errors import Conflict, NotAuthenticated, NotFound, TooMany
from portal.contract.models import Amount, Model
from portal.kernel.codes import Code
from portal.tables.work_orders import LONGEST_NOTE


class TransitionRequest(Model):
    """What the back office wants.

    Attributes:
        status: where to; the one it has already changes nothing by itself.
        note: told to the customer, as it is.
        partner: public id or exact name of a service location; name of the carrier of a delivery.
        planned_date: the day the work or delivery is planned for, or on which an insurance starts; local.
        received: of a return, what arrived, such as '900000001-3*2'; empty means all of it.
        amount: of a return, what is refunded in euro; none means as was agreed.
        battery_collected: of a return with an unsafe battery, that a specialist has it: the rest may travel.
        policy_number: of an insurance that is finished.
        seen: the status that the mover saw; another one meanwhile, and nothing is moved.
    """

    status: str = Field(min_length=1, max_length=40)
    note: str = Field(default="", max_length=LONGEST_NOTE)
    partner: str = Field(default="", max_length=120)
    planned_date: date | None = None
    received: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=100)
    amount: Amount | None = None
    battery_collected: bool = False
    policy_number: str = Field(default="", max_length=40)
    seen: str = Field(default="", max_length=40)


class CurrentStatus(Model):
    """Where something stands, and where it may go from there."""

    reference: str
    status: str
    possible: list[str]


class Transition(CurrentStatus):
    """What became of a wish. `changed` is false when everything was as wished already."""

    before: str
    changed: bool


class NotAllowed(Conflict):
    """The graph has no such move."""

    def __init__(self, status: StrEnum, target: StrEnum, possible: list[str]) -> None:
        super().__init__(Code.STATUS_NOT_ALLOWED)
        self.present, self.target, self.possible = status.value, target.value, possible


@dataclass(frozen=True, slots=True)
class BackOfficeCase:
    """A kind of thing that the back office moves.

    Attributes:
        name: as in the command line, singular; in the API with an 's'.
        statuses: every status it can be sent to.
        current_status: tells where it stands.
        move: does what is wished, once for each key; an empty key is none.
    """

    name: str
    statuses: type[StrEnum]
    current_status: Callable[[Context, str], Awaitable[CurrentStatus]]
    move: Callable[[Context, str, TransitionRequest, str], Awaitable[Transition]]

    @property
    def targets(self) -> list[str]:
        """The statuses, as texts."""
        return [status.value for status in self.statuses if status.name != "UNKNOWN"]


WRONG_KEYS = 20
"""So many wrong keys from one network address in an hour, and it is told to wait."""

CALLS, CALLS_WINDOW = 100, timedelta(seconds=10)
"""So many calls with a key in such a time."""


class BackOffice:
    """What the back office may do. The command line is inside the house and needs no key."""

    def __init__(self, context: Context, cases: Iterable[BackOfficeCase]) -> None:
        """Work with the parts of the house.

        Args:
            context: the parts.
            cases: every kind of thing that can be moved.
        """
        self._context = context
        self._cases = {case.name: case for case in cases}

    async def admit(self, shown: str, address: str) -> None:
        """Let somebody in who shows a right key.

        Args:
            shown: the key.
            address: network address of whoever shows it.

        Raises:
            NotAuthenticated: it is not one of ours.
            TooMany: too many wrong keys, or too many calls.
        """
        settings = self._context.settings
        right = False
        for key in settings.backoffice_keys:
            # All are compared, so that the time tells nothing.
            right |= secrets.compare_digest(key.encode(), shown.encode("utf-8", "replace"))
        if right:
            limit = Limit(subject(settings, "back office", shown), CALLS, CALLS_WINDOW)
        else:
            limit = Limit(subject(settings, "back office refused", network(address)), WRONG_KEYS, HOUR)
            note(settings, SecurityEvent.BACK_OFFICE_REFUSED, address=address)
        async with self._context.database.transaction() as session:
            retry_at = await take(session, [limit], self._context.clock())
        if retry_at:
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        if not right:
            raise NotAuthenticated(Code.SESSION_ENDED)

    async def current_status(self, kind: str, reference: str) -> CurrentStatus:
        """Where something stands."""
        return await self._case(kind).current_status(self._context, _without_spaces(reference))

    async def move(self, kind: str, reference: str, request: TransitionRequest, key: str = "") -> Transition:
        """Move something."""
        return await self._case(kind).move(self._context, _without_spaces(reference), request, key)

    def _case(self, kind: str) -> BackOfficeCase:
        if kind not in self._cases:
            raise NotFound
        return self._cases[kind]


def _without_spaces(reference: str) -> str:
    """Without the spaces between its groups, with which it stands in mails and on papers."""
    return reference.replace(" ", "")
