"""A repair that was requested becomes a work order (part-1 §3 Repair request, §4)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.statuses import RequestKind
from portal.flows.repair import PARTS, REPAIR, details_of
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.flows.lookups import chosen_location
from portal.provider.sessions import Owner
from portal.texts import gettext_for


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes to choose from, and the address we know."""
    return {**await bike_facts(session, owner), **await address_facts(session, owner)}


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order."""
    say = gettext_for(case.owner.locale)
    parts = [part for part in PARTS if part in case.answers["parts"]]
    texts = [f"{say(PARTS[part])}: {case.answers[details_of(part)]}" for part in parts]
    title = ", ".join(say(PARTS[part]) for part in parts)
    return await work_orders.make(
        session, case, REPAIR.name, RequestKind.REPAIR, title=title, description="\n\n".join(texts)
    )


DESK = Desk(REPAIR, facts, fulfil, {"pincode-step": right_pin}, {"step-6": chosen_location})
