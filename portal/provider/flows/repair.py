"""A repair that was requested becomes a work order (part-1 §3 Repair request, §4)."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.identifiers import short_id
from portal.domain.statuses import RequestKind
from portal.flows.repair import PARTS, PHOTOS, REPAIR, details_of
from portal.provider.flows.bikes import bike_facts, chosen_bike, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.tables.requests import RequestRow
from portal.settings import Settings
from portal.texts import gettext_for

REFERENCE_LENGTH = 8
_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order. The database lets one bike have one open work order only."""
    owned = await chosen_bike(session, case.owner, case.answers)
    say = gettext_for(case.owner.locale)
    parts = [part for part in PARTS if part in case.answers["parts"]]
    texts = [f"{say(PARTS[part])}: {case.answers[details_of(part)]}" for part in parts]
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=case.owner.customer_id,
        bike_id=owned.bike.id or 0,
        kind=RequestKind.REPAIR,
        title=", ".join(say(PARTS[part]) for part in parts)[:_LONGEST_TITLE],
        description="\n\n".join(texts)[:_LONGEST_DESCRIPTION],
        details=dict(case.answers),
        draft_key=case.key,
        created_at=case.now,
        updated_at=case.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    return Sent(request.reference, {"bike": owned.bike.name, "bike_id": owned.bike.public_id})


def _optional(settings: Settings) -> list[str]:
    return [] if settings.repair_uploads_required else [PHOTOS]


DESK = Desk(REPAIR, bike_facts, fulfil, {"pincode-step": right_pin}, _optional)
