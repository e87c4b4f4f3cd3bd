"""A repair that was requested becomes a work order (part-1 §3 Repair request, §4)."""

from __future__ import annotations

from typing import Any

from babel.dates import get_month_names
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.flows.bike import BIKES, PIN_STEP
from portal.flows.repair import (
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
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.confirmations.rows import Row, lines_of, row_of
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, pin_rows, repairable, right_pin
from portal.provider.flows.desk import FlowHandler, StepHandler, Submission, Submitted
from portal.provider.flows.lookups import chosen_location
from portal.provider.flows.place_rows import address_rows, handover_rows, location_rows
from portal.provider.sessions import Owner
from portal.texts import gettext_for
from portal.vocabulary.work_orders import RequestKind


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes to choose from, and the address we know."""
    bikes = (await bike_facts(session, owner))[BIKES]
    return {BIKES: await repairable(session, owner, bikes), **await address_facts(session, owner)}


async def submit(session: AsyncSession, submission: Submission) -> Submitted:
    """Make the work order."""
    title, description = describe(StoredRequest(submission.answers.given, locale=submission.owner.locale))
    return await work_orders.make(session, submission, REPAIR, RequestKind.REPAIR, title=title, description=description)


def describe(stored: StoredRequest) -> tuple[str, str]:
    """The parts, and what the customer wrote about each."""
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    texts = [f"{say(PARTS[part])}: {stored.text(details_of(part))}" for part in parts]
    return ", ".join(say(PARTS[part]) for part in parts), "\n\n".join(texts)


def damage_rows(stored: StoredRequest) -> list[Row]:
    """Each part with what is wrong with it."""
    say = gettext_for(stored.locale)
    parts = [part for part in PARTS if part in stored.several("parts")]
    return [Row(say(PARTS[part]), lines_of(stored.text(details_of(part)))) for part in parts]


def maintenance_rows(stored: StoredRequest) -> list[Row]:
    """The month of the last maintenance, or that there is none."""
    entry = MAINTENANCE.field("maintenance")
    if stored.text("maintenance") != KNOWN:
        return [row_of(entry, stored)]
    month = get_month_names("wide", locale=stored.locale)[int(stored.text("maintenance_month"))]
    return [Row(gettext_for(stored.locale)(entry.label), (f"{month} {stored.text('maintenance_year')}",))]


REPAIR_HANDLER = FlowHandler(
    REPAIR,
    facts=facts,
    submit=submit,
    describe=describe,
    steps=(
        StepHandler(PIN_STEP, check=right_pin, rows=pin_rows),
        StepHandler(DAMAGE, rows=damage_rows),
        StepHandler(MAINTENANCE, rows=maintenance_rows),
        StepHandler(ADDRESS_STEP, rows=address_rows),
        StepHandler(LOCATION_STEP, lookup=chosen_location, rows=location_rows),
        StepHandler(HANDOVER_STEP, rows=handover_rows),
    ),
)
