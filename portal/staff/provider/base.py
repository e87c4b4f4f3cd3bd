"""What the services for staff share: their sessions, and how people and stores are read."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import StaffMember, StaffSessions
from portal.contract.errors import InvalidInput
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.staff.api import LONGEST_REASON, Store
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffStoreRow
from portal.vocabulary.locations import LocationType
from portal.vocabulary.staff import Right


class StaffBase(Service):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)


async def stores_of(session: AsyncSession, staff_ids: Iterable[int]) -> dict[int, list[Store]]:
    """The stores of people by their primary key, by name."""
    query = (
        select(StaffStoreRow.staff_id, PartnerRow.public_id, PartnerRow.name)
        .join(PartnerRow, col(PartnerRow.id) == col(StaffStoreRow.partner_id))
        .where(col(StaffStoreRow.staff_id).in_(list(staff_ids)))
        .order_by(col(PartnerRow.name))
    )
    found: dict[int, list[Store]] = {}
    for staff_id, public_id, name in await session.exec(query):
        found.setdefault(staff_id, []).append(Store(store_id=public_id, name=name))
    return found


async def all_stores(session: AsyncSession) -> list[PartnerRow]:
    query = select(PartnerRow).where(PartnerRow.location_type == LocationType.OWN_STORE).order_by(col(PartnerRow.name))
    return list(await session.exec(query))


def given_reason(text: str, *, needed: bool) -> str:
    try:
        return validation.required(text, LONGEST_REASON) if needed else validation.optional(text, LONGEST_REASON)
    except InvalidValue as refusal:
        raise InvalidInput(refusal.code, fields={"reason": refusal.code}) from None


def reason_for(member: StaffMember, right: Right, text: str) -> str:
    """The reason for using a right; required where the role has to give one."""
    return given_reason(text, needed=member.needs_reason(right))


def refuse_field(field: str, code: Code) -> InvalidInput:
    return InvalidInput(code, fields={field: code})
