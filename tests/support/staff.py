"""People of the demonstration shop, and cases as subjects record them."""

from sqlmodel import select

from portal.backend.cases import CaseFacts, record
from portal.backend.staff import StaffSessions
from portal.demo.partners import STAFF
from portal.tables.cases import CaseRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.staff import Role
from tests.support.furnished import Furnished

FEMKE, TOM, MARLOES, DAAN = (f"{name}@example.com" for name in ("femke", "tom", "marloes", "daan.kuipers"))
"""Manager and mechanic of Utrecht, manager and mechanic of Amsterdam."""

KLAAS = "klaas@example.com"
"""Mechanic of Groningen."""

ESRA, NIENKE, HANS, CARLA = (f"{name}@example.com" for name in ("esra", "nienke", "hans", "carla"))
"""Service desk, warehouse, finance, administrator."""

OF_ROLE: dict[Role, str] = {plan.role: plan.email for plan in reversed(STAFF)}
"""Somebody of each role: the first one in the list of the demonstration."""


async def staff_token(shop: Furnished, email: str) -> str:
    """Open a session of a member of staff, as entering the right code does."""
    async with shop.context.database.transaction() as session:
        person = (await session.exec(select(StaffRow).where(StaffRow.email == email))).one()
        return await StaffSessions(shop.context).open(session, person.id)


async def with_case(
    shop: Furnished, kind: CaseKind, reference: str, customer_id: int, status: str, partner_id: int | None = None
) -> CaseRow:
    """Record a case as its subject does."""
    facts = CaseFacts(kind, reference, customer_id, status, partner_id=partner_id)
    async with shop.context.database.transaction() as session:
        return await record(session, facts, CaseEventType.OPENED, shop.context.clock(), by_customer=True)
