"""A service location as a card shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from portal.contract.locations import ServiceLocation
from portal.domain.address import short_address
from portal.domain.codes import Code
from portal.domain.locations import away_all_the_time, waiting_bucket
from portal.vocabulary.locations import Handover, LocationLabel, LocationType


@dataclass(frozen=True, slots=True)
class LocationCard:
    """A location to choose. Empty texts mean not known, or not offered.

    Attributes:
        address: street with the house number, and the city.
        distance: kilometres with one decimal.
        low, high: bounds of the waiting time in weeks.
        rating: 0 to 10 with one decimal.
        away: on vacation today; vacation_from, vacation_until: ISO days of a vacation that goes on or lies ahead.
        pick_up, call_out: euro as text; bring: whether one can bring the bike.
        offers: the ways to hand over the bike, as words of an attribute; several: whether there is a choice.
        refusal: code of the reason why it cannot be chosen.
        fresh: the first one of those that were added last.
    """

    location_id: str = ""
    name: str = ""
    kind: str = ""
    address: str = ""
    distance: str = ""
    low: int = 0
    high: int = 1
    rating: str = ""
    recommended: bool = False
    premium: bool = False
    away: bool = False
    vacation_from: str = ""
    vacation_until: str = ""
    bring: bool = False
    pick_up: str = ""
    call_out: str = ""
    offers: str = ""
    several: bool = False
    refusal: str = ""
    fresh: bool = False


def location_card(entry: ServiceLocation, day: date, *, fresh: bool = False) -> LocationCard:
    """Tell a location that was found.

    Args:
        entry: the location.
        day: today, for vacations.
        fresh: whether it is the first one that was added last.
    """
    facts = entry.model_dump(mode="json")
    away = away_all_the_time(entry.vacation_from, entry.vacation_until, entry.waiting_weeks, day)
    refusal = Code.LOCATION_ON_VACATION if away else "" if entry.handovers else Code.LOCATION_OUT_OF_REACH
    return _card(facts | {"id": entry.location_id, "refusal": refusal}, fresh=fresh)


def chosen_card(facts: Mapping[str, Any]) -> LocationCard:
    """Tell the location of the answers; empty while there is none, or it is gone."""
    return _card(facts) if facts.get("name") else LocationCard()


def _card(facts: Mapping[str, Any], *, fresh: bool = False) -> LocationCard:
    address, labels = facts["address"], facts["labels"]
    costs = {entry["handover"]: entry["cost"] or "" for entry in facts["handovers"]}
    low, high = waiting_bucket(facts["waiting_weeks"])
    return LocationCard(
        location_id=facts["id"],
        name=facts["name"],
        kind=facts["location_type"],
        address=short_address(address),
        distance=str(facts.get("distance_km") or ""),
        low=low,
        high=high,
        rating=str(facts["rating"] or ""),
        recommended=LocationLabel.RECOMMENDED in labels,
        premium=facts["location_type"] == LocationType.PREMIUM_PARTNER,
        away=LocationLabel.ON_VACATION in labels,
        vacation_from=facts["vacation_from"] or "",
        vacation_until=facts["vacation_until"] or "",
        bring=Handover.BRING in costs,
        pick_up=costs.get(Handover.PICK_UP, ""),
        call_out=costs.get(Handover.CALL_OUT, ""),
        offers=" ".join(costs),
        several=len(costs) > 1,
        refusal=str(facts["refusal"]),
        fresh=fresh,
    )
