"""A service that was requested becomes a work order at the chosen location (part-1 §2, §3, §4)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.flow import Answers, Findings
from portal.flows.bike import BIKE, PIN_STEP
from portal.flows.location import handover
from portal.flows.service import ADDRESS_STEP, BIKE_STEP, JOB, JOB_STEP, LOCATION_STEP, SERVICE, service_costs
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.confirmations.rows import Row
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, chosen_bike, pin_rows, right_pin
from portal.provider.flows.desk import FlowHandler, StepHandler, Submission, Submitted
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


async def submit(session: AsyncSession, submission: Submission) -> Submitted:
    """Make the work order, at the price that the customer saw."""
    if findings := await same_bike(session, submission.owner, submission.answers.given):
        raise Refused(findings[BIKE])
    if service_costs(submission.seen) != service_costs(submission.answers):
        raise Refused(Code.SERVICE_REQUEST_NOT_VALID)
    way = handover(submission.answers)
    stored = StoredRequest(
        submission.answers.given, locale=submission.owner.locale, further={"handed_over": way.value if way else ""}
    )
    title, description = describe(stored)
    sent = await work_orders.make(
        session, submission, SERVICE, RequestKind.SERVICE, title=title, description=description
    )
    return Submitted(sent.reference, {**sent.summary, "job": stored.text(JOB)}, sent.mailed)


def describe(stored: StoredRequest) -> tuple[str, str]:
    """The job, what belongs to it, and how the bike gets there."""
    if not stored.text(JOB):
        return "", ""
    say, job = gettext_for(stored.locale), ServiceJob(stored.text(JOB))
    way = stored.further.get("handed_over")
    lines = [say(JOB_CONTENTS[job]), *([f"{say(HANDOVER_NAMES[Handover(way)])}."] if way else [])]
    return say(JOB_NAMES[job]), "\n".join(lines)


def job_rows(stored: StoredRequest) -> list[Row]:
    """The job with what belongs to it."""
    _, job = gettext_for(stored.locale), ServiceJob(stored.text(JOB))
    return [Row(_("Service"), (_(JOB_NAMES[job]), _(JOB_CONTENTS[job])))]


def _location_rows(stored: StoredRequest) -> list[Row]:
    return [*location_rows(stored), *handover_rows(stored)]


SERVICE_HANDLER = FlowHandler(
    SERVICE,
    facts=facts,
    submit=submit,
    describe=describe,
    steps=(
        StepHandler(BIKE_STEP, check=same_bike),
        StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),
        StepHandler(JOB_STEP, lookup=chosen_job, rows=job_rows),
        StepHandler(ADDRESS_STEP, rows=address_rows),
        StepHandler(LOCATION_STEP, lookup=chosen_location, rows=_location_rows),
    ),
)
