"""Handlers of the repair, service and claim flows, and the work orders that they make (part-1 §3, §4)."""

from collections.abc import Awaitable, Callable, Sequence

from babel.dates import get_month_names
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.flow import home
from portal.account.provider import address_facts
from portal.backend.sessions import Owner
from portal.backend.shops import term_book
from portal.bikes.flow import BIKE, PIN_STEP
from portal.bikes.provider.queries import BikeQueries, OwnedBike
from portal.bikes.provider.service import (
    FOR_WORK_ORDER,
    BikeQuestion,
    bike_entry,
    chosen_bike,
    gets_work_order,
    pin_rows,
    right_pin,
)
from portal.contract.errors import NotFound, Refused
from portal.contract.models import mapped
from portal.flow import AnswerContext, Answers, Findings, Flow
from portal.flow.provider.handler import (
    DraftSubmission,
    FlowHandler,
    LookupContext,
    StepHandler,
    StoredRequest,
    Submitted,
    SummaryLine,
    details_of_request,
    lines_of,
    row_of,
)
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import short_id
from portal.locations.flow import LOCATION, handover
from portal.locations.flow import chosen_location as flow_chosen_location
from portal.locations.provider import (
    PartnerQueries,
    address_rows,
    location_rows,
    own_store,
    reached,
    service_location,
)
from portal.locations.rules import locations, places
from portal.login.provider.queries import CustomerQueries
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.locations import HANDOVER_TEXTS, Handover
from portal.vocabulary.services import DRIVE_CONTENTS, JOB_CONTENTS, JOB_NAMES, Drive, ServiceJob
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.claim import CLAIM, HANDLINGS, ClaimBike, HolderFacts
from portal.work_orders.flow.repair import (
    ADDRESS_STEP,
    DAMAGE,
    HANDOVER_STEP,
    KNOWN,
    LOCATION_STEP,
    MAINTENANCE,
    PARTS,
    REPAIR,
    WarrantyFacts,
    details_of,
)
from portal.work_orders.flow.service import ADDRESS_STEP as SERVICE_ADDRESS_STEP
from portal.work_orders.flow.service import BIKE_STEP, JOB, JOB_STEP, SERVICE, ChosenJob, JobFacts, service_costs
from portal.work_orders.flow.service import LOCATION_STEP as SERVICE_LOCATION_STEP
from portal.work_orders.provider.account import current_request
from portal.work_orders.provider.backoffice import record_case
from portal.work_orders.provider.confirmation import confirm
from portal.work_orders.provider.queries import ServiceProductQueries, drive_of
from portal.work_orders.provider.warranty import repair_warranty

REFERENCE_LENGTH = 8

_MAX_TITLE = 120
_MAX_DESCRIPTION = 4000


async def make(
    session: AsyncSession, submission: DraftSubmission, flow: Flow, kind: RequestKind, *, title: str, description: str
) -> Submitted:
    """Store the work order and put its confirmation into the outbox."""
    owned = await chosen_bike(session, submission.owner, submission.answers.given)
    partner = await _partner(session, submission)
    costs = flow.costs(submission.answers) if flow.costs else ()
    terms = (await term_book(session, submission.owner.customer_id)).on(local_day(submission.now))
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=submission.owner.customer_id,
        bike_id=owned.bike.id,
        partner_id=partner.id if partner else None,
        kind=kind,
        title=title[:_MAX_TITLE],
        description=description[:_MAX_DESCRIPTION],
        details=details_of_request(
            submission.answers.given,
            words={BIKE: owned.bike.name_in(submission.owner.locale), **({LOCATION: partner.name} if partner else {})},
            files=submission.files,
            costs=costs,
            **_meant(submission),
        ),
        draft_key=submission.key,
        answer_days=terms.repair_answer_days,
        created_at=submission.now,
        updated_at=submission.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    await record_case(session, request, CaseEventType.OPENED, submission.now, by_customer=True)
    return Submitted(
        request.reference,
        {"bike": owned.bike.name_in(submission.owner.locale), "bike_id": owned.bike.public_id},
        mailed=await confirm(session, submission, request),
    )


def _made(
    flow: Flow, kind: RequestKind, describe: Callable[[StoredRequest], tuple[str, str]]
) -> Callable[[AsyncSession, DraftSubmission], Awaitable[Submitted]]:
    """The handler that makes the work order of a repair or claim.

    Bank account and pin code are stored in the details, for the staff who handle a claim. Customers see the account
    masked.
    """

    async def submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
        title, description = describe(StoredRequest(submission.answers.given, locale=submission.owner.locale))
        return await make(session, submission, flow, kind, title=title, description=description)

    return submit


async def _partner(session: AsyncSession, submission: DraftSubmission) -> PartnerRow | None:
    """The chosen location; None if the flow does not ask for one."""
    chosen = submission.answers.text(LOCATION)
    if not chosen:
        return None
    try:
        return await PartnerQueries(session).get(chosen)
    except NotFound:
        raise Refused(Code.LOCATION_CLOSED) from None


def _meant(submission: DraftSubmission) -> dict[str, object]:
    """What held at the time of sending: the warranty that was told, the drive, address, location and handover."""
    answers = submission.answers
    meant: dict[str, object] = {}
    if told := answers.part(WarrantyFacts).warranty:
        meant["warranty"] = told.model_dump(mode="json", include={"cost", "until"})
    if job := answers.part(JobFacts).job:
        meant["drive"] = job.drive
    location = flow_chosen_location(answers)
    if not location:
        return meant
    method = handover(answers)
    return meant | {
        "home": home(answers),
        "service_location": {
            name: location.get(name) for name in ("id", "name", "location_type", "address", "phone", "waiting_weeks")
        },
        "handed_over": method.value if method else "",
    }


async def chosen_location(context: LookupContext) -> dict[str, object]:
    """Look up the chosen location, and the handover methods it offers for the customer's address."""
    name = context.answers.text(LOCATION)
    if not name:
        return {}
    try:
        row = await PartnerQueries(context.session).get(name)
    except NotFound:
        return {LOCATION: {"id": name, "refusal": Code.LOCATION_CLOSED.value, "handovers": []}}
    offered = locations.handovers(
        row.location_type,
        row.travel_cost,
        context.settings.pick_up_cost,
        reached=reached(row, _home(context.answers), context.settings.reach_km),
    )
    offer = service_location(row, day=context.answers.day, pick_up_cost=context.settings.pick_up_cost)
    described = offer.model_dump(mode="json", exclude={"handovers", "opening_hours", "distance_km", "location_id"})
    return {
        LOCATION: {
            **described,
            "id": name,
            "refusal": _refusal(row, context, offered=bool(offered)),
            "handovers": [
                {"handover": method.value, "cost": f"{cost:.2f}" if cost is not None else ""}
                for method, cost in offered.items()
            ],
        }
    }


async def chosen_job(context: LookupContext) -> JobFacts:
    """Look up the chosen job and its price for the chosen bike."""
    job = context.answers.text(JOB)
    if not job:
        return JobFacts()
    refused = JobFacts(job=ChosenJob(id=job, refusal=Code.SERVICE_REQUEST_NOT_VALID))
    products = ServiceProductQueries(context.session, context.owner.customer_id)
    try:
        owned = await BikeQueries(context.session, context.owner.customer_id).get(context.answers.text(BIKE))
    except NotFound:
        return refused
    drive = drive_of(owned.bike)
    offers = await products.offers(drive, owned.package, context.answers.day)
    found = next((offer for offer in offers if offer.job == job), None)
    if found is None:
        return refused
    return JobFacts(job=ChosenJob(id=job, price=found.price, reduced=found.reduced, drive=drive))


def _home(answers: AnswerContext) -> places.MapPlace | None:
    address = home(answers)
    if not address:
        return None
    country = Country(address["country_code"])
    return places.at(address["post_code"], country) or places.find(address["city"], country)


def _refusal(row: PartnerRow, context: LookupContext, *, offered: bool) -> str:
    away = locations.away_all_the_time(row.vacation_from, row.vacation_until, row.waiting_weeks, context.answers.day)
    for code, holds in (
        (Code.LOCATION_CLOSED, row.closed),
        (Code.LOCATION_ON_VACATION, away),
        (Code.LOCATION_OUT_OF_REACH, not offered),
    ):
        if holds:
            return code.value
    return ""


def repair_describe(stored: StoredRequest) -> tuple[str, str]:
    """The damaged parts as title, and the customer's text about each part as description."""
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    texts = [f"{say(PARTS[part])}: {stored.text(details_of(part))}" for part in parts]
    return ", ".join(say(PARTS[part]) for part in parts), "\n\n".join(texts)


def damage_rows(stored: StoredRequest) -> list[SummaryLine]:
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    return [SummaryLine(say(PARTS[part]), lines_of(stored.text(details_of(part)))) for part in parts]


def maintenance_rows(stored: StoredRequest) -> list[SummaryLine]:
    """The month of the last maintenance, or the answer that was given instead; nothing for a new bike."""
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
    submit=_made(REPAIR, RequestKind.REPAIR, repair_describe),
    describe=repair_describe,
    at_counter=own_store,
    current=current_request,
    steps=(
        StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),
        StepHandler(DAMAGE, lookup=repair_warranty, rows=damage_rows),
        StepHandler(MAINTENANCE, rows=maintenance_rows),
        StepHandler(ADDRESS_STEP, rows=address_rows),
        StepHandler(LOCATION_STEP, lookup=chosen_location, rows=location_rows),
        StepHandler(HANDOVER_STEP, rows=lambda _stored: []),
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
    stored = StoredRequest(submission.answers.given, locale=submission.owner.locale, further=_meant(submission))
    title, description = service_describe(stored)
    return await make(session, submission, SERVICE, RequestKind.SERVICE, title=title, description=description)


def service_describe(stored: StoredRequest) -> tuple[str, str]:
    """The job as title; its contents and the handover as description. Both are empty without a job."""
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


async def claim_facts(session: AsyncSession, owner: Owner) -> HolderFacts:
    customer = await CustomerQueries(session, owner.customer_id).get()
    return HolderFacts(holder=customer.full_name)


async def claim_entries(_session: AsyncSession, _owner: Owner, bikes: Sequence[OwnedBike]) -> list[ClaimBike]:
    """The entries of bikes, with the policies of those that are insured through the retailer."""
    return [
        mapped(ClaimBike, bike_entry(owned), policy_number=owned.bike.policy_number if owned.insurance else "")
        for owned in bikes
    ]


def claim_describe(stored: StoredRequest) -> tuple[str, str]:
    """The damaged parts as title; the cause and the way to handle the claim as description."""
    say = gettext_for(stored.locale)
    parts = [say(text) for part, text in PARTS.items() if part in stored.several("parts")]
    handling = HANDLINGS.get(stored.text("handling"), "")
    return ", ".join(parts), "\n\n".join([stored.text("cause"), *([say(handling)] if handling else [])])


CLAIM_HANDLER = FlowHandler(
    CLAIM,
    facts=claim_facts,
    subjects=BikeQuestion(claim_entries, lambda _: gets_work_order()),
    submit=_made(CLAIM, RequestKind.CLAIM, claim_describe),
    describe=claim_describe,
    current=current_request,
    steps=(StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),),
)
