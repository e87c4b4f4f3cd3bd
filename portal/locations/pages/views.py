"""Locations as the location step and the search for service points show them, and what both lists share."""

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import reflex as rx

from portal import ui
from portal.frontend.models import computed
from portal.i18n import _, distance, ngettext
from portal.kernel.address import address_lines, readable_phone, route_url, short_address
from portal.kernel.codes import Code
from portal.kernel.days import local_day, opening_state, runs
from portal.locations.api import OpenDay, ServiceLocation
from portal.locations.rules.locations import away_all_the_time
from portal.setting_groups import Hours
from portal.vocabulary.locations import LocationLabel


class LocationCard(ServiceLocation):
    """A location of the location step. `refusal` is the code of the reason why it cannot be chosen, or empty."""

    refusal: str = ""

    @computed
    def place_line(self) -> str:
        return short_address(self.address)

    @computed
    def costs(self) -> dict[str, Decimal | None]:
        return {offer.handover.value: offer.cost for offer in self.handovers}


def location_card(entry: ServiceLocation, day: date) -> LocationCard:
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

    `at`: when it closes, or when it opens on `weekday` (1 is Monday, empty for today); empty if unknown.
    """

    open: bool
    at: str
    weekday: str

    @computed
    def lines(self) -> list[str]:
        return list(address_lines(self.address))

    @computed
    def readable_phone(self) -> str:
        return readable_phone(self.phone)

    @computed
    def route(self) -> str:
        return route_url(self.name, *address_lines(self.address))

    @computed
    def hours(self) -> list[list[OpenDay]]:
        return [list(group) for group in runs(self.opening_hours)]


def service_point(entry: ServiceLocation, moment: datetime) -> ServicePoint:
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


def count_found(state: Any) -> rx.Var[str]:
    found = ngettext("{n} location found", "{n} locations found", state.total)
    return _("{found} within {distance} of {place}", found=found, distance=distance(state.distance), place=state.place)


def distance_of(item: rx.vars.ObjectVar[Any]) -> rx.Var[str]:
    """Distance in km. A postcode covers a neighbourhood, so distances below 1 km are not exact."""
    near = item.distance_km.to(str).startswith("0.")
    return rx.cond(near, _("less than 1 km"), distance(item.distance_km)).to(str)


def show_more(state: Any, class_name: str) -> rx.Component:
    shown = _("{n} of {total} shown", n=state.items.length(), total=state.total)
    return rx.el.div(
        ui.action_button(_("Show more locations"), state.more),
        ui.muted(shown, role="status", look="tabular-nums"),
        class_name=f"{class_name} flex flex-wrap items-center gap-4".lstrip(),
    )


def nothing_found(state: Any, otherwise: rx.Component | None = None) -> rx.Component:
    """A list without locations: search in a wider circle, if there are some; `otherwise` if there are none."""
    further = _("There is nothing within {distance}. Try a little further away.", distance=distance(state.distance))
    within = _("Search within {distance}", distance=distance(state.wider))
    return ui.empty_state(
        _("No location found"),
        rx.cond(state.wider > 0, further, _("Try another postcode or city.")).to(str),
        action=rx.cond(state.wider > 0, ui.action_button(within, state.widen), *([otherwise] if otherwise else [])),
    )
