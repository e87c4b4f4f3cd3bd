"""A service that was requested becomes a work order at the chosen location (part-1 §2, §3, §4)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.flow import Answers, Asked, Findings
from portal.domain.locations import HANDOVER_NAMES
from portal.domain.service_jobs import JOB_CONTENTS, JOB_NAMES, ServiceJob
from portal.domain.statuses import RequestKind
from portal.flows.bike import BIKE
from portal.flows.costs import costs_of
from portal.flows.location import handover
from portal.flows.service import JOB, SERVICE
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, chosen_bike, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.flows.lookups import chosen_job, chosen_location
from portal.provider.repositories.service_products import ServiceProductRepository
from portal.provider.sessions import Owner
from portal.texts import gettext_for


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes to choose from, and the address we know."""
    return {**await bike_facts(session, owner), **await address_facts(session, owner)}


async def same_bike(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Compare the frame number with the order line that the bike was bought with."""
    owned = await chosen_bike(session, owner, answers)
    holds = await ServiceProductRepository(session, owner.customer_id).combination_holds(owned.bike)
    return {} if holds else {BIKE: Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID}


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order, at the price that the customer saw."""
    if findings := await same_bike(session, case.owner, case.answers):
        raise Refused(findings[BIKE])
    seen = Asked(case.answers, case.seen, case.asked.day)
    if costs_of(SERVICE.name, seen) != costs_of(SERVICE.name, case.asked):
        raise Refused(Code.SERVICE_REQUEST_NOT_VALID)
    say = gettext_for(case.owner.locale)
    job, way = ServiceJob(case.asked.text(JOB)), handover(case.asked)
    lines = [say(JOB_CONTENTS[job]), *([f"{say(HANDOVER_NAMES[way])}."] if way else [])]
    sent = await work_orders.make(
        session,
        case,
        SERVICE.name,
        RequestKind.SERVICE,
        title=say(JOB_NAMES[job]),
        description="\n".join(lines),
    )
    return Sent(sent.reference, {**sent.summary, "job": job.value}, sent.mailed)


DESK = Desk(
    SERVICE,
    facts,
    fulfil,
    {"step-1": same_bike, "pincode-step": right_pin},
    {"step-2": chosen_job, "step-4": chosen_location},
)
