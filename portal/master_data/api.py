"""Operations and models of the changes that the retailer makes itself."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Protocol, Self

from pydantic import Field, model_validator

from portal.contract.errors import InvalidInput
from portal.contract.models import Model
from portal.contract.operations import DeclaredRefusal, StaffToken, operation
from portal.kernel import days
from portal.kernel.codes import Code
from portal.locations.api import OpenDay
from portal.staff.api.people import StoreName
from portal.vocabulary.prices import PriceKind
from portal.vocabulary.staff import Right

MAX_WAITING_WEEKS = 104
"""Weeks."""

_TYPED = Annotated[str, Field(max_length=1000)]


class Period(StrEnum):
    EARLIER = "earlier"
    NOW = "now"
    LATER = "later"


class Entry(Model):
    """A price or number.

    `key`: what it is about and from when, such as '1~bike~false~2027-01-01'.
    `values`: the fields of a record of its kind (docs/connect.md), without `external_id`.
    """

    key: str
    period: Period
    values: dict[str, Any]


class PriceState(Model):
    """A price or number and the first day on which it holds. `values` are the fields of `rules.PRICE_FIELDS`."""

    valid_from: date
    values: dict[str, Any]


class PriceHistory(Model):
    """What something costs, has cost and will cost.

    `key`: what it is about, such as '1~bike~false'.
    `about`: the same by name of the field, such as the insurer of a tariff.
    `now`: what holds today; None if nothing does. Of a delivery day, what holds for today itself.
    `announced`: what will hold, by day; earlier: what held, the last first.
    """

    key: str
    about: dict[str, Any]
    now: PriceState | None = None
    announced: list[PriceState] = Field(default_factory=list)
    earlier: list[PriceState] = Field(default_factory=list)


class PriceList(Model):
    """All prices or numbers of a kind, also of what has no price.

    `shop`: the further shop whose own prices these are; empty for the common ones.
    `shops`: the further shops that can have prices of their own.
    `today`: local day of the answer.
    """

    kind: PriceKind
    prices: list[PriceHistory]
    shop: str = ""
    shops: list[str] = Field(default_factory=list)
    today: date


class PriceEntry(Model):
    """A price or number as typed. Not yet validated.

    `values`: what was typed, by name of the field.
    `valid_from`: first day on which it holds (ISO 8601); of a delivery day, the day.
    """

    values: Annotated[dict[str, Annotated[list[_TYPED], Field(max_length=50)]], Field(max_length=20)] = Field(
        default_factory=dict
    )
    valid_from: _TYPED = ""


class LocationChange(Model):
    """A change of a service location from a day on. What is not sent does not change; None empties a value.

    `waiting_weeks`: lower bound of the waiting time: 0 means 0-1.
    `opening_hours`: such as 'Mo-Fr 09:00-18:00, Sa 10:00-17:00'.
    `vacation_from`, `vacation_until`: first and last day of the vacation.
    """

    valid_from: date
    waiting_weeks: Annotated[int, Field(ge=0, le=MAX_WAITING_WEEKS)] = 0
    opening_hours: Annotated[str | None, Field(max_length=200)] = None
    vacation_from: date | None = None
    vacation_until: date | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.opening_hours:
            days.read(self.opening_hours)
        sent = self.model_fields_set & {"vacation_from", "vacation_until"}
        if len(sent) == 1 or (self.vacation_from is None) is not (self.vacation_until is None):
            raise ValueError("a vacation has a first and a last day")
        if self.vacation_from and self.vacation_until and self.vacation_until < self.vacation_from:
            raise ValueError("a vacation ends after it begins")
        if self.model_fields_set == {"valid_from"}:
            raise ValueError("nothing is changed")
        return self

    @property
    def values(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_unset=True, exclude={"valid_from"})


class AnnouncedChange(Model):
    """A change of a service location that was announced or made. `values` is as in `LocationChange`."""

    valid_from: date
    applied: bool
    values: dict[str, Any]


class StoreHours(Model):
    """Waiting time, opening hours and vacation of a store as they are today, and their changes.

    `waiting_weeks`: as in `LocationChange`.
    `opening_hours`: Monday first; the store is closed on missing days. Empty when they are unknown.
    `changes`: made and announced, by day.
    `today`: local day of the answer.
    """

    store: StoreName
    waiting_weeks: int
    opening_hours: list[OpenDay] = Field(default_factory=list)
    vacation_from: date | None = None
    vacation_until: date | None = None
    changes: list[AnnouncedChange] = Field(default_factory=list)
    today: date


class WaitingEntry(Model):
    """Another waiting time as typed, and the first day on which it holds (ISO 8601). Not yet validated."""

    waiting_weeks: _TYPED = ""
    valid_from: _TYPED = ""


class HoursEntry(Model):
    """Other opening hours as typed. Not yet validated.

    `opens`, `closes`: local times from Monday to Sunday; both are empty on a day on which the store is closed.
    `valid_from`: first day on which they hold (ISO 8601).
    """

    opens: Annotated[list[_TYPED], Field(max_length=7)] = Field(default_factory=list)
    closes: Annotated[list[_TYPED], Field(max_length=7)] = Field(default_factory=list)
    valid_from: _TYPED = ""


class VacationEntry(Model):
    """Another vacation as typed: days are ISO 8601; without first and last day there is none. Not yet validated.

    `valid_from`: day from which customers see it.
    """

    vacation_from: _TYPED = ""
    vacation_until: _TYPED = ""
    valid_from: _TYPED = ""


class StoreHoursApi(Protocol):
    """Waiting time, opening hours and vacation of stores. For the manager of a store, other stores do not exist."""

    @operation("GET", "/staff/managed-stores", right=Right.MANAGE_STORE)
    async def managed_stores(self, token: StaffToken) -> list[StoreName]:
        """The stores that the person manages, by name."""

    @operation("GET", "/staff/managed-stores/{store_id}", right=Right.MANAGE_STORE)
    async def store_hours(self, token: StaffToken, store_id: str) -> StoreHours:
        """Waiting time, opening hours and vacation of a store."""

    @operation(
        "POST",
        "/staff/managed-stores/{store_id}/waiting-time",
        right=Right.MANAGE_STORE,
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER, Code.INVALID_CHOICE),),
    )
    async def change_waiting_time(self, token: StaffToken, store_id: str, entry: WaitingEntry) -> StoreHours:
        """Change the waiting time from a day on."""

    @operation(
        "POST",
        "/staff/managed-stores/{store_id}/opening-hours",
        right=Right.MANAGE_STORE,
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE),),
    )
    async def change_opening_hours(self, token: StaffToken, store_id: str, entry: HoursEntry) -> StoreHours:
        """Change the opening hours from a day on."""

    @operation(
        "POST",
        "/staff/managed-stores/{store_id}/vacation",
        right=Right.MANAGE_STORE,
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE),),
    )
    async def change_vacation(self, token: StaffToken, store_id: str, entry: VacationEntry) -> StoreHours:
        """Change the vacation from a day on."""

    @operation("DELETE", "/staff/managed-stores/{store_id}/changes/{valid_from}", right=Right.MANAGE_STORE)
    async def withdraw_store_change(self, token: StaffToken, store_id: str, valid_from: str) -> StoreHours:
        """Take back what was announced for a day (ISO 8601)."""


ALL_SHOPS = "-"
"""Stands in a path for the common prices, which hold for every shop that has none of its own."""


class PricesApi(Protocol):
    """Prices, tariffs and places for deliveries, each from a day on."""

    @operation("GET", "/staff/prices/{shop}/{kind}", right=Right.MANAGE_SHOP)
    async def prices(self, token: StaffToken, shop: str, kind: str) -> PriceList:
        """All prices of a kind."""

    @operation("GET", "/staff/prices/{shop}/{kind}/{key}", right=Right.MANAGE_SHOP)
    async def price(self, token: StaffToken, shop: str, kind: str, key: str) -> PriceList:
        """One of them."""

    @operation(
        "POST",
        "/staff/prices/{shop}/{kind}/{key}",
        right=Right.MANAGE_SHOP,
        refuses=(
            DeclaredRefusal(
                InvalidInput,
                Code.REQUIRED,
                Code.INVALID_NUMBER,
                Code.INVALID_CHOICE,
                Code.TOO_LONG,
                Code.DELIVERY_DAY_TAKEN,
            ),
        ),
    )
    async def change_price(self, token: StaffToken, shop: str, kind: str, key: str, entry: PriceEntry) -> PriceList:
        """Change it from a day on, or replace what was announced for that day."""

    @operation("DELETE", "/staff/prices/{shop}/{kind}/{key}/{valid_from}", right=Right.MANAGE_SHOP)
    async def withdraw_price(self, token: StaffToken, shop: str, kind: str, key: str, valid_from: str) -> PriceList:
        """Take back what was announced for a day (ISO 8601)."""
