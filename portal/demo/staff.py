"""People of the demonstration shop: five stores, the service desk, the warehouse, finance and the administrator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.demo.partners import AMSTERDAM, UTRECHT
from portal.demo.plans import Days, stable_id
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.staff import Role

ROTTERDAM, GRONINGEN, GENT = "{brand} Rotterdam", "{brand} Groningen", "gent"


class StaffPlan(NamedTuple):
    """Somebody who works at the shop. The e-mail address is the part before the @."""

    name: str
    email: str
    role: Role
    stores: tuple[str, ...] = ()
    locale: str = "nl"


_MECHANIC, _MANAGER, _DESK = Role.MECHANIC, Role.STORE_MANAGER, Role.SERVICE_DESK

STAFF = (
    StaffPlan("Femke Dijkstra", "femke", _MANAGER, (UTRECHT,)),
    StaffPlan("Tom Verhoeven", "tom", _MECHANIC, (UTRECHT,)),
    StaffPlan("Yusuf Demir", "yusuf", _MECHANIC, (UTRECHT,)),
    StaffPlan("Marloes de Graaf", "marloes", _MANAGER, (AMSTERDAM,)),
    StaffPlan("Daan Kuipers", "daan.kuipers", _MECHANIC, (AMSTERDAM,)),
    StaffPlan("Jayden Pinas", "jayden", _MECHANIC, (AMSTERDAM, UTRECHT)),
    StaffPlan("Ruben van den Berg", "ruben", _MANAGER, (ROTTERDAM,)),
    StaffPlan("Sem Hoekstra", "sem", _MECHANIC, (ROTTERDAM,)),
    StaffPlan("Anouk Smit", "anouk", _MANAGER, (GRONINGEN,)),
    StaffPlan("Klaas Wiersma", "klaas", _MECHANIC, (GRONINGEN,)),
    StaffPlan("Lien De Smet", "lien", _MANAGER, (GENT,)),
    StaffPlan("Wout Claes", "wout", _MECHANIC, (GENT,)),
    StaffPlan("Esra Yilmaz", "esra", _DESK),
    StaffPlan("Bas Timmermans", "bas", _DESK),
    StaffPlan("Grace O'Connor", "grace", _DESK, locale="en"),
    StaffPlan("Nienke Postma", "nienke", Role.WAREHOUSE),
    StaffPlan("Piotr Nowak", "piotr", Role.WAREHOUSE, locale="en"),
    StaffPlan("Hans Mulder", "hans", Role.FINANCE),
    StaffPlan("Carla Janssen", "carla", Role.ADMINISTRATOR),
)


async def complete_staff(session: AsyncSession, days: Days, workshops: Mapping[str, PartnerRow]) -> None:
    """Add people who are missing. `workshops` are those of the plan, by key."""
    names = {key: row.public_id for key, row in workshops.items()}
    known = set(await session.exec(select(StaffRow.email)))
    stores = {row.public_id: row.id for row in await session.exec(select(PartnerRow))}
    for plan in STAFF:
        email = f"{plan.email}@example.com"
        if email in known:
            continue
        person = StaffRow(
            public_id=stable_id("staff", email),
            name=plan.name,
            email=email,
            role=plan.role,
            locale=plan.locale,
            created_at=days.moment(400, 9),
        )
        session.add(person)
        await session.flush()
        for store in plan.stores:
            session.add(StaffStoreRow(staff_id=person.id, partner_id=stores[names[store]]))
    await session.flush()
