"""Handlers of the repair, service and claim flows (part-1 §3, §4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from babel.dates import get_month_names
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.provider import address_facts
from portal.backend.sessions import Owner
from portal.bikes.flow import BIKE, PIN_STEP
from portal.bikes.provider.bike_question import (
    FOR_WORK_ORDER,
    BikeQuestion,
    bike_entry,
    chosen_bike,
    gets_work_order,
    pin_rows,
    right_pin,
)
from portal.bikes.provider.queries import OwnedBike
from portal.contract.errors import Refused
from portal.flow import Answers, Findings
from portal.flow.provider.handler import (
    DraftSubmission,
    FlowHandler,
    StepHandler,
    StoredRequest,
    Submitted,
    SummaryLine,
    lines_of,
    row_of,
)
from portal.kernel.codes import Code
from portal.kernel.texts import gettext_for
from portal.locations.flow import handover
from portal.locations.provider.service import address_rows, location_rows, own_store
from portal.login.provider.queries import CustomerQueries
from portal.vocabulary.locations import HANDOVER_TEXTS, Handover
from portal.vocabulary.services import DRIVE_CONTENTS, JOB_CONTENTS, JOB_NAMES, Drive, ServiceJob
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.claim import CLAIM, HANDLINGS, HOLDER
from portal.work_orders.flow.repair import (
    ADDRESS_STEP,
    DAMAGE,
    HANDOVER_STEP,
    KNOWN,
    LOCATION_STEP,
    MAINTENANCE,
    PARTS,
    REPAIR,
    details_of,
)
from portal.work_orders.flow.service import ADDRESS_STEP as SERVICE_ADDRESS_STEP
from portal.work_orders.flow.service import BIKE_STEP, JOB, JOB_STEP, SERVICE, service_costs
from portal.work_orders.flow.service import LOCATION_STEP as SERVICE_LOCATION_STEP
from portal.work_orders.provider import making as work_orders
from portal.work_orders.provider.account import current_request
from portal.work_orders.provider.jobs import ServiceProductQueries
from portal.work_orders.provider.making import chosen_job, chosen_location
from portal.work_orders.provider.warranty import repair_warranty


async def repair_submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    title, description = repair_describe(StoredRequest(submission.answers.given, locale=submission.owner.locale))
    return await work_orders.make(session, submission, REPAIR, RequestKind.REPAIR, title=title, description=description)


def repair_describe(stored: StoredRequest) -> tuple[str, str]:
    """Return the damaged parts as title, and the customer's text about each part as description."""
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    texts = [f"{say(PARTS[part])}: {stored.text(details_of(part))}" for part in parts]
    return ", ".join(say(PARTS[part]) for part in parts), "\n\n".join(texts)


def damage_rows(stored: StoredRequest) -> list[SummaryLine]:
    """Return one row per damaged part, with the customer's description."""
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    return [SummaryLine(say(PARTS[part]), lines_of(stored.text(details_of(part)))) for part in parts]


def no_rows(stored: StoredRequest) -> list[SummaryLine]:  # noqa: ARG001 - a function of the rows
    """Return no row: the account tells the handover with its place, day and price."""
    return []


def maintenance_rows(stored: StoredRequest) -> list[SummaryLine]:
    """Return the month of the last maintenance, or the answer that was given instead; nothing for a new bike."""
    entry = MAINTENANCE.field("maintenance")
    if not stored.text("maintenance"):
        return []
    if stored.text("maintenance") != KNOWN:
        return [row_of(entry, stored)]
    month = get_month_names("wide", locale=stored.locale)[int(stored.text("maintenance_month"))]
    return [SummaryLine(gettext_for(stored.locale)(entry.label), (f"{month} {stored.text('maintenance_year')}",))]


REPAIR_HANDLER = FlowHandler(
    REPAIR,
    facts=address_facts,
    subjects=FOR_WORK_ORDER,
    submit=repair_submit,
    describe=repair_describe,
    at_counter=own_store,
    current=current_request,
    steps=(
        StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),
        StepHandler(DAMAGE, lookup=repair_warranty, rows=damage_rows),
        StepHandler(MAINTENANCE, rows=maintenance_rows),
        StepHandler(ADDRESS_STEP, rows=address_rows),
        StepHandler(LOCATION_STEP, lookup=chosen_location, rows=location_rows),
        StepHandler(HANDOVER_STEP, rows=no_rows),
    ),
)


async def same_bike(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Check that the frame number of the bike belongs to its order line."""
    owned = await chosen_bike(session, owner, answers)
    holds = await ServiceProductQueries(session, owner.customer_id).combination_holds(owned.bike)
    return {} if holds else {BIKE: Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID}


async def service_submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Create the work order of a service, at the price that the customer saw."""
    if findings := await same_bike(session, submission.owner, submission.answers.given):
        raise Refused(findings[BIKE])
    if service_costs(submission.seen) != service_costs(submission.answers):
        raise Refused(Code.SERVICE_REQUEST_NOT_VALID)
    method = handover(submission.answers)
    stored = StoredRequest(
        submission.answers.given,
        locale=submission.owner.locale,
        further={
            "handed_over": method.value if method else "",
            "drive": submission.answers.facts[JOB]["drive"],
        },
    )
    title, description = service_describe(stored)
    return await work_orders.make(
        session, submission, SERVICE, RequestKind.SERVICE, title=title, description=description
    )


def service_describe(stored: StoredRequest) -> tuple[str, str]:
    """Return the job as title; its contents and the handover as description. Both are empty without a job."""
    if not stored.text(JOB):
        return "", ""
    say, job = gettext_for(stored.locale), ServiceJob(stored.text(JOB))
    method = stored.further.get("handed_over")
    handed_over = [f"{say(HANDOVER_TEXTS[Handover(method)])}."] if method else []
    return say(JOB_NAMES[job]), "\n".join([_contents(stored), *handed_over])


def _contents(stored: StoredRequest) -> str:
    """What is done in the chosen job; for an electric bike with the electric half."""
    say, drive = gettext_for(stored.locale), Drive(stored.further.get("drive") or Drive.BIKE)
    texts = (JOB_CONTENTS[ServiceJob(stored.text(JOB))], DRIVE_CONTENTS[drive])
    return " ".join(say(text) for text in texts if text)


def job_rows(stored: StoredRequest) -> list[SummaryLine]:
    _, job = gettext_for(stored.locale), ServiceJob(stored.text(JOB))
    return [SummaryLine(_("Service"), (_(JOB_NAMES[job]), _contents(stored)))]


SERVICE_HANDLER = FlowHandler(
    SERVICE,
    facts=address_facts,
    subjects=FOR_WORK_ORDER,
    submit=service_submit,
    describe=service_describe,
    at_counter=own_store,
    current=current_request,
    steps=(
        StepHandler(BIKE_STEP, check=same_bike),
        StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),
        StepHandler(JOB_STEP, lookup=chosen_job, rows=job_rows),
        StepHandler(SERVICE_ADDRESS_STEP, rows=address_rows),
        StepHandler(SERVICE_LOCATION_STEP, lookup=chosen_location, rows=location_rows),
    ),
)


async def claim_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    customer = await CustomerQueries(session, owner.customer_id).get()
    return {HOLDER: customer.full_name}


async def claim_entries(_session: AsyncSession, _owner: Owner, bikes: Sequence[OwnedBike]) -> list[dict[str, Any]]:
    """Return the entries of bikes, with the policies of those that are insured through the retailer."""
    return [
        {**bike_entry(owned), "policy_number": owned.bike.policy_number if owned.insurance else ""} for owned in bikes
    ]


async def claim_submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Create the work order of a claim.

    Bank account and pin code are stored in the details, for the staff who handle the claim. Customers see the account
    masked.
    """
    answers = submission.answers.given
    title, description = claim_describe(StoredRequest(answers, locale=submission.owner.locale))
    return await work_orders.make(session, submission, CLAIM, RequestKind.CLAIM, title=title, description=description)


def claim_describe(stored: StoredRequest) -> tuple[str, str]:
    """Return the damaged parts as title; the cause and the way to handle the claim as description."""
    say = gettext_for(stored.locale)
    parts = [say(text) for part, text in PARTS.items() if part in stored.several("parts")]
    handling = HANDLINGS.get(stored.text("handling"), "")
    return ", ".join(parts), "\n\n".join([stored.text("cause"), *([say(handling)] if handling else [])])


CLAIM_HANDLER = FlowHandler(
    CLAIM,
    facts=claim_facts,
    subjects=BikeQuestion(claim_entries, lambda _: gets_work_order()),
    submit=claim_submit,
    describe=claim_describe,
    current=current_request,
    steps=(StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),),
)
