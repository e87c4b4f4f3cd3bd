"""A partner's row as the service location that travels."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from portal.contract.account import Address
from portal.contract.locations import HandoverOffer, OpenDay, ServiceLocation
from portal.domain import handovers, locations, opening_hours
from portal.domain.address import address_parts
from portal.domain.locations import Workshop
from portal.domain.places import Place, distance_km
from portal.provider.tables.partners import PartnerRow


def workshop(row: PartnerRow) -> Workshop:
    """What decides about a location."""
    return Workshop(
        key=row.id or 0,
        name=row.name,
        location_type=row.location_type,
        point=(row.latitude or 0.0, row.longitude or 0.0),
        recommended=row.recommended,
        waiting_weeks=row.waiting_weeks,
        rating=row.customer_rating,
        vacation_from=row.vacation_from,
        vacation_until=row.vacation_until,
        travel_cost=row.travel_cost,
    )


def reached(row: PartnerRow, home: Place | None, kilometres: float) -> bool:
    """Whether a customer lives near enough to be visited, in the country of the location."""
    if home is None or row.latitude is None or row.longitude is None or home.country != row.country_code:
        return False
    return distance_km(home.point, (row.latitude, row.longitude)) <= kilometres


def service_location(
    row: PartnerRow, *, day: date, pick_up_cost: Decimal, distance: Decimal | None = None, visited: bool = True
) -> ServiceLocation:
    """A location.

    Args:
        row: of the partner.
        day: today, for vacations.
        pick_up_cost: of picking a bike up and delivering it.
        distance: kilometres from what was searched, one decimal.
        visited: whether the customer lives near enough to be visited.
    """
    facts = workshop(row)
    ahead = locations.vacation_ahead(facts, day)
    offered = handovers.handovers(row.location_type, row.travel_cost, pick_up_cost, reached=visited)
    return ServiceLocation(
        location_id=row.public_id,
        name=row.name,
        location_type=row.location_type,
        labels=locations.labels(facts, day),
        address=Address(**address_parts(row), country_code=row.country_code),
        phone=row.phone,
        latitude=facts.point[0],
        longitude=facts.point[1],
        distance_km=distance,
        waiting_weeks=locations.waiting_bucket(row.waiting_weeks)[0],
        rating=row.customer_rating,
        travel_cost=row.travel_cost,
        handovers=[HandoverOffer(handover=handover, cost=cost) for handover, cost in offered.items()],
        vacation_from=row.vacation_from if ahead else None,
        vacation_until=row.vacation_until if ahead else None,
        opening_hours=[
            OpenDay(weekday=entry.weekday, opens=entry.opens, closes=entry.closes)
            for entry in opening_hours.read(row.opening_hours or "")
        ],
    )
