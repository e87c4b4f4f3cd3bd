"""Stores to which something can be brought: the nearest ones, with their hours."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain import opening_hours, places
from portal.domain.address import address_parts
from portal.domain.countries import Country
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.partners import PartnerRow
from portal.vocabulary.locations import LocationType

NEAREST = 8
"""Stores that are offered."""


async def store_entries(session: AsyncSession, customer: CustomerRow, day: date) -> list[dict[str, Any]]:
    """Our own stores, the nearest to the customer's address first. Those on vacation or closed are left out."""
    query = select(PartnerRow).where(
        col(PartnerRow.location_type) == LocationType.OWN_STORE, col(PartnerRow.closed).is_(False)
    )
    home = places.at(customer.post_code, Country(customer.country_code)) or places.find(
        customer.city, Country(customer.country_code)
    )
    found = []
    for row in await session.exec(query):
        away = row.vacation_from and row.vacation_until and row.vacation_from <= day <= row.vacation_until
        if away or row.latitude is None or row.longitude is None:
            continue
        distance = places.distance_km(home.point, (row.latitude, row.longitude)) if home else None
        found.append((distance if distance is not None else 0.0, row.name, _entry(row, distance)))
    return [entry for _, _, entry in sorted(found, key=lambda store: store[:2])[:NEAREST]]


def _entry(row: PartnerRow, distance: float | None) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "refusal": "",
        "name": row.name,
        **address_parts(row),
        "country_code": row.country_code.value,
        "phone": row.phone,
        "distance_km": "" if distance is None else f"{distance:.1f}",
        "hours": [
            {"weekday": entry.weekday, "opens": entry.opens, "closes": entry.closes}
            for entry in opening_hours.read(row.opening_hours or "")
        ],
    }
