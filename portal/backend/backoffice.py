"""A move of the back office, whatever it is that moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from portal.contract.base import Amount, Shape
from portal.contract.errors import Conflict
from portal.domain.codes import Code
from portal.provider.context import Context
from portal.provider.tables.work_orders import LONGEST_NOTE


class Wish(Shape):
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


class Standing(Shape):
    """Where something stands, and where it may go from there."""

    reference: str
    status: str
    possible: list[str]


class Moved(Standing):
    """What became of a wish. `changed` is false when everything was as wished already."""

    before: str
    changed: bool


class OffGraph(Conflict):
    """The graph has no such move."""

    def __init__(self, status: StrEnum, target: StrEnum, possible: list[str]) -> None:
        super().__init__(Code.STATUS_NOT_ALLOWED)
        self.present, self.target, self.possible = status.value, target.value, possible


@dataclass(frozen=True, slots=True)
class Movable:
    """A kind of thing that the back office moves.

    Attributes:
        name: as in the command line, singular; in the API with an 's'.
        statuses: every status it can be sent to.
        stand: tells where it stands.
        move: does what is wished, once for each key; an empty key is none.
    """

    name: str
    statuses: type[StrEnum]
    stand: Callable[[Context, str], Awaitable[Standing]]
    move: Callable[[Context, str, Wish, str], Awaitable[Moved]]

    @property
    def targets(self) -> list[str]:
        """The statuses, as texts."""
        return [status.value for status in self.statuses if status.name != "UNKNOWN"]
