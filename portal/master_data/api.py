"""Models of the changes that the retailer makes itself."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, model_validator

from portal.contract.models import Model
from portal.kernel import days


class Period(StrEnum):
    """Whether a price held earlier, holds today, or was announced."""

    EARLIER = "earlier"
    NOW = "now"
    LATER = "later"


class Entry(Model):
    """A price or number.

    Attributes:
        key: what it is about and from when, such as '1~bike~false~2027-01-01'.
        values: the fields of a record of its kind (docs/connect.md), without `external_id`.
    """

    key: str
    period: Period
    values: dict[str, Any]


class LocationChange(Model):
    """A change of a service location from a day on. What is not sent does not change; None empties a value.

    Attributes:
        waiting_weeks: lower bound of the waiting time: 0 means 0-1.
        opening_hours: such as 'Mo-Fr 09:00-18:00, Sa 10:00-17:00'.
        vacation_from, vacation_until: first and last day of the vacation.
    """

    valid_from: date
    waiting_weeks: Annotated[int, Field(ge=0, le=104)] = 0
    opening_hours: Annotated[str | None, Field(max_length=200)] = None
    vacation_from: date | None = None
    vacation_until: date | None = None

    @model_validator(mode="after")
    def _whole(self) -> LocationChange:
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
        """What changes, as JSON."""
        return self.model_dump(mode="json", exclude_unset=True, exclude={"valid_from"})


class AnnouncedChange(Model):
    """A change of a service location that was announced or made. `values` is as in `LocationChange`."""

    valid_from: date
    applied: bool
    values: dict[str, Any]
