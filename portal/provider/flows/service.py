"""A service that was requested becomes a work order at the chosen location (part-1 §2, §3, §4)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.flow import Answers, Asked, Findings
from portal.flows.bike import BIKE
from portal.flows.costs import costs_of
from portal.flows.location import handover
from portal.flows.service import JOB, SERVICE
from portal.provider.confirmations.kept import Kept
from portal.provider.confirmations.rows import Row
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, chosen_bike, pin_rows, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.flows.lookups import chosen_job, chosen_location
from portal.provider.flows.place_rows import address_rows, handover_rows, location_rows
from portal.provider.repositories.service_products import ServiceProductRepository
from portal.provider.sessions import Owner
from portal.texts import gettext_for
from portal.vocabulary.locations import HANDOVER_NAMES, Handover
from portal.vocabulary.services import JOB_CONTENTS, JOB_NAMES, ServiceJob
from portal.vocabulary.work_orders import RequestKind


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
    way = handover(case.asked)
    kept = Kept(case.answers, locale=case.owner.locale, further={"handed_over": way.value if way else ""})
    title, description = told(kept)
    sent = await work_orders.make(
        session, case, SERVICE.name, RequestKind.SERVICE, title=title, description=description
    )
    return Sent(sent.reference, {**sent.summary, "job": kept.text(JOB)}, sent.mailed)


def told(kept: Kept) -> tuple[str, str]:
    """The job, what belongs to it, and how the bike gets there."""
    if not kept.text(JOB):
        return "", ""
    say, job = gettext_for(kept.locale), ServiceJob(kept.text(JOB))
    way = kept.further.get("handed_over")
    lines = [say(JOB_CONTENTS[job]), *([f"{say(HANDOVER_NAMES[Handover(way)])}."] if way else [])]
    return say(JOB_NAMES[job]), "\n".join(lines)


def job_rows(kept: Kept) -> list[Row]:
    """The job with what belongs to it."""
    _, job = gettext_for(kept.locale), ServiceJob(kept.text(JOB))
    return [Row(_("Service"), (_(JOB_NAMES[job]), _(JOB_CONTENTS[job])))]


DESK = Desk(
    SERVICE,
    facts,
    fulfil,
    examinations={"step-1": same_bike, "pincode-step": right_pin},
    lookups={"step-2": chosen_job, "step-4": chosen_location},
    rows={
        "pincode-step": pin_rows,
        "step-2": job_rows,
        "step-3": address_rows,
        "step-4": lambda kept: [*location_rows(kept), *handover_rows(kept)],
    },
    told=told,
)
