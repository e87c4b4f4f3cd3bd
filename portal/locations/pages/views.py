"""Locations as the location step and the search for service points show them."""

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from pydantic import computed_field

from portal.kernel.address import address_lines, readable_phone, route_url, short_address
from portal.kernel.codes import Code
from portal.kernel.days import local_day, opening_state, runs
from portal.locations.api import OpenDay, ServiceLocation
from portal.locations.rules.locations import away_all_the_time
from portal.settings import Hours
from portal.vocabulary.locations import LocationLabel


class LocationCard(ServiceLocation):
    """A location of the location step. `refusal` is the code of the reason why it cannot be chosen, or empty."""

    refusal: str = ""

    @computed_field
    @property
    def place_line(self) -> str:
        """Street, house number and city."""
        return short_address(self.address)

    @computed_field
    @property
    def costs(self) -> dict[str, Decimal | None]:
        """The offered handovers with their cost in euro."""
        return {offer.handover.value: offer.cost for offer in self.handovers}


def location_card(entry: ServiceLocation, day: date) -> LocationCard:
    """Map a location to its card; `day` is today, for vacations."""
    away = away_all_the_time(entry.vacation_from, entry.vacation_until, entry.waiting_weeks, day)
    refusal = Code.LOCATION_ON_VACATION.value if away else "" if entry.handovers else Code.LOCATION_OUT_OF_REACH.value
    return LocationCard.model_validate({**dict(entry), "refusal": refusal})


def chosen_card(facts: Mapping[str, Any]) -> LocationCard | None:
    if not facts.get("name"):
        return None
    handovers = [{**offer, "cost": offer["cost"] or None} for offer in facts["handovers"]]
    return LocationCard.model_validate({**facts, "location_id": facts["id"], "handovers": handovers})


class ServicePoint(ServiceLocation):
    """A service point.

    Attributes:
        at: when it closes, or when it opens on `weekday` (1 is Monday, empty for today); empty if unknown.
    """

    open: bool
    at: str
    weekday: str

    @computed_field
    @property
    def lines(self) -> list[str]:
        """Both lines of the address."""
        return list(address_lines(self.address))

    @computed_field
    @property
    def readable_phone(self) -> str:
        return readable_phone(self.phone)

    @computed_field
    @property
    def route(self) -> str:
        return route_url(self.name, *address_lines(self.address))

    @computed_field
    @property
    def hours(self) -> list[list[OpenDay]]:
        """The first and the last of consecutive days with the same hours."""
        return [list(group) for group in runs(self.opening_hours)]


def service_point(entry: ServiceLocation, moment: datetime) -> ServicePoint:
    """Map a location to a service point; `moment` is now, for opening hours."""
    away = LocationLabel.ON_VACATION in entry.labels
    found = opening_state([_times(day) for day in entry.opening_hours if day.closes < "24:00"], moment)
    opens_today = found.day is None or found.day == local_day(moment)
    state = {
        "open": found.open and not away,
        "at": "" if away or found.at is None else f"{found.at:%H:%M}",
        "weekday": "" if opens_today or found.day is None else str(found.day.isoweekday()),
    }
    return ServicePoint.model_validate({**dict(entry), **state})


def _times(day: OpenDay) -> Hours:
    opens, closes = time.fromisoformat(day.opens), time.fromisoformat(day.closes)
    return Hours(first_day=day.weekday, last_day=day.weekday, opens=opens, closes=closes)
