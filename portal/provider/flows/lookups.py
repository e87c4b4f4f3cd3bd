"""What is looked up once a customer has chosen it: a service location, a job with its price (part-1 §3, §9).

It becomes a part of the facts: the rules of the flow judge by it, and the page shows it.
"""

from __future__ import annotations

from typing import Any

from portal.contract.errors import NotFound
from portal.domain import handovers, locations, places
from portal.domain.codes import Code
from portal.domain.countries import Country
from portal.domain.flow import AnswerContext
from portal.flows.address import home
from portal.flows.bike import BIKE
from portal.flows.location import LOCATION
from portal.flows.service import JOB
from portal.provider.flows.desk import LookupContext
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.repositories.service_products import ServiceProductRepository, drive_of
from portal.provider.services.location_shapes import reached, service_location
from portal.provider.tables.partners import PartnerRow


async def chosen_location(context: LookupContext) -> dict[str, Any]:
    """The location of the answers, with the ways to hand over the bike that it offers at the customer's address."""
    name = context.answers.text(LOCATION)
    if not name:
        return {}
    try:
        row = await PartnerRepository(context.session).get(name)
    except NotFound:
        return {LOCATION: {"id": name, "refusal": Code.LOCATION_CLOSED.value, "handovers": []}}
    offered = handovers.handovers(
        row.location_type,
        row.travel_cost,
        context.settings.pick_up_cost,
        reached=reached(row, _home(context.answers), context.settings.reach_km),
    )
    shape = service_location(row, day=context.answers.day, pick_up_cost=context.settings.pick_up_cost)
    described = shape.model_dump(mode="json", exclude={"handovers", "opening_hours", "distance_km", "location_id"})
    return {
        LOCATION: {
            **described,
            "id": name,
            "refusal": _refusal(row, context, offered=bool(offered)),
            "handovers": [
                {"handover": way.value, "cost": f"{cost:.2f}" if cost is not None else ""}
                for way, cost in offered.items()
            ],
        }
    }


async def chosen_job(context: LookupContext) -> dict[str, Any]:
    """The job of the answers, with its price for the chosen bike."""
    job = context.answers.text(JOB)
    if not job:
        return {}
    products = ServiceProductRepository(context.session, context.owner.customer_id)
    try:
        bike = (await BikeRepository(context.session, context.owner.customer_id).get(context.answers.text(BIKE))).bike
        offers = await products.offers(drive_of(bike), bike.service_package)
    except NotFound:
        offers = []
    found = next((offer for offer in offers if offer.job == job), None)
    if found is None:
        return {JOB: {"id": job, "refusal": Code.SERVICE_REQUEST_NOT_VALID.value}}
    reduced = f"{found.reduced:.2f}" if found.reduced is not None else ""
    return {JOB: {"id": job, "refusal": "", "price": f"{found.price:.2f}", "reduced": reduced}}


def _home(answers: AnswerContext) -> places.Place | None:
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
