"""Creation of a work order from the answers, and the lookup of the chosen location and job."""

from __future__ import annotations

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.flow import home
from portal.backend.terms import term_book
from portal.bikes.flow import BIKE
from portal.bikes.provider.bike_question import chosen_bike
from portal.bikes.provider.queries import BikeQueries
from portal.contract.errors import NotFound, Refused
from portal.flow import AnswerContext, Flow
from portal.flow.provider.handler import DraftSubmission, LookupContext, Submitted, details_of_request
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.locations.flow import LOCATION, handover
from portal.locations.flow import chosen_location as flow_chosen_location
from portal.locations.provider.service import PartnerQueries, reached, service_location
from portal.locations.rules import locations, places
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.repair import WARRANTY
from portal.work_orders.flow.service import JOB
from portal.work_orders.provider.case_facts import record_case
from portal.work_orders.provider.confirmation_mail import confirm
from portal.work_orders.provider.jobs import ServiceProductQueries, drive_of

REFERENCE_LENGTH = 8

_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


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
        title=title[:_LONGEST_TITLE],
        description=description[:_LONGEST_DESCRIPTION],
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


async def _partner(session: AsyncSession, submission: DraftSubmission) -> PartnerRow | None:
    """The chosen location; None if the flow does not ask for one."""
    chosen = submission.answers.text(LOCATION)
    if not chosen:
        return None
    try:
        return await PartnerQueries(session).get(chosen)
    except NotFound:
        raise Refused(Code.LOCATION_CLOSED) from None


def _meant(submission: DraftSubmission) -> dict[str, Any]:
    """What held at the time of sending: the warranty that was told, the drive, address, location and handover."""
    facts = submission.answers.facts
    meant: dict[str, Any] = {}
    if told := facts.get(WARRANTY):
        meant[WARRANTY] = {"cost": told["cost"], "until": told["until"]}
    if job := facts.get(JOB):
        meant["drive"] = job["drive"]
    location = flow_chosen_location(submission.answers)
    if not location:
        return meant
    method = handover(submission.answers)
    return meant | {
        "home": home(submission.answers),
        "service_location": {
            name: location.get(name) for name in ("id", "name", "location_type", "address", "phone", "waiting_weeks")
        },
        "handed_over": method.value if method else "",
    }


async def chosen_location(context: LookupContext) -> dict[str, Any]:
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


async def chosen_job(context: LookupContext) -> dict[str, Any]:
    """Look up the chosen job and its price for the chosen bike."""
    job = context.answers.text(JOB)
    if not job:
        return {}
    products = ServiceProductQueries(context.session, context.owner.customer_id)
    try:
        owned = await BikeQueries(context.session, context.owner.customer_id).get(context.answers.text(BIKE))
    except NotFound:
        return {JOB: {"id": job, "refusal": Code.SERVICE_REQUEST_NOT_VALID.value}}
    drive = drive_of(owned.bike)
    offers = await products.offers(drive, owned.package, context.answers.day)
    found = next((offer for offer in offers if offer.job == job), None)
    if found is None:
        return {JOB: {"id": job, "refusal": Code.SERVICE_REQUEST_NOT_VALID.value}}
    reduced = f"{found.reduced:.2f}" if found.reduced is not None else ""
    return {JOB: {"id": job, "refusal": "", "price": f"{found.price:.2f}", "reduced": reduced, "drive": drive.value}}


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
