"""Workshops of the demonstration (part-1 §2, §3), and the people who work there, at the service desk and elsewhere.

Names are invented; streets and postcodes are real. The postcode gives the position on the map.
"""

import csv
from collections.abc import Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.demo.plans import DATA, Days, stable_id
from portal.kernel.address import Country
from portal.locations.rules import places
from portal.locations.rules.place_tables import folded
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.locations import LocationType
from portal.vocabulary.staff import Role


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def partners(days: Days) -> dict[str, PartnerRow]:
    return {entry["key"] or entry["name"]: _partner(entry, days) for entry in _rows("partners.csv")}


async def complete_partners(session: AsyncSession, rows: Iterable[PartnerRow]) -> None:
    stored = {row.public_id: row for row in await session.exec(select(PartnerRow))}
    for fresh in rows:
        known = stored.get(fresh.public_id)
        if known is None:
            session.add(fresh)
        elif known.latitude is None:
            known.latitude, known.longitude = fresh.latitude, fresh.longitude
            known.opening_hours = fresh.opening_hours


def _partner(entry: dict[str, str], days: Days) -> PartnerRow:
    country = Country(entry["country_code"])
    place = places.at(entry["post_code"], country)
    first = days.ago(-int(entry["vacation_in"])) if entry["vacation_in"] else None
    name = entry["name"].format(brand=days.settings.brand.name)
    return PartnerRow(
        public_id=stable_id("partner", entry["name"]),
        name=name,
        location_type=LocationType(entry["location_type"]),
        phone=entry["phone"],
        email=f"werkplaats-{folded(name)}@example.com",
        street=entry["street"],
        house_number=entry["house_number"],
        post_code=entry["post_code"],
        city=entry["city"],
        country_code=country,
        latitude=place.latitude if place else None,
        longitude=place.longitude if place else None,
        opening_hours=entry["opening_hours"],
        travel_cost=_number(entry["travel_cost"]),
        vacation_from=first,
        vacation_until=first + timedelta(days=int(entry["vacation_days"])) if first else None,
        recommended=entry["recommended"] == "1",
        takes_batteries=entry["takes_batteries"] == "1",
        waiting_weeks=int(entry["waiting_weeks"]),
        customer_rating=_number(entry["customer_rating"]),
    )


def _number(text: str) -> Decimal | None:
    return Decimal(text) if text else None


class StaffPlan(NamedTuple):
    name: str
    email: str
    role: Role
    stores: tuple[str, ...]
    locale: str


STAFF = [
    StaffPlan(
        entry["name"],
        f"{entry['email']}@example.com",
        Role(entry["role"]),
        tuple(filter(None, entry["stores"].split("|"))),
        entry["locale"],
    )
    for entry in _rows("staff.csv")
]


async def complete_staff(session: AsyncSession, days: Days, workshops: Mapping[str, PartnerRow]) -> None:
    names = {key: row.public_id for key, row in workshops.items()}
    known = set(await session.exec(select(StaffRow.email)))
    stores = {row.public_id: row.id for row in await session.exec(select(PartnerRow))}
    for plan in STAFF:
        if plan.email in known:
            continue
        person = StaffRow(
            public_id=stable_id("staff", plan.email),
            name=plan.name,
            email=plan.email,
            role=plan.role,
            locale=plan.locale,
            created_at=days.moment(400, 9),
        )
        session.add(person)
        await session.flush()
        for store in plan.stores:
            session.add(StaffStoreRow(staff_id=person.id, partner_id=stores[names[store]]))
    await session.flush()
