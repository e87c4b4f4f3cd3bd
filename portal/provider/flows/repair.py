"""A repair that was requested becomes a work order (part-1 §3 Repair request, §4)."""

from __future__ import annotations

from typing import Any

from babel.dates import get_month_names
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.flows.bike import BIKES
from portal.flows.repair import KNOWN, PARTS, PHOTOS, REPAIR, details_of
from portal.provider.confirmations.kept import Kept
from portal.provider.confirmations.rows import Row, lines_of, row_of
from portal.provider.flows import work_orders
from portal.provider.flows.addresses import address_facts
from portal.provider.flows.bikes import bike_facts, pin_rows, repairable, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.flows.lookups import chosen_location
from portal.provider.flows.place_rows import address_rows, handover_rows, location_rows
from portal.provider.sessions import Owner
from portal.settings import Settings
from portal.texts import gettext_for
from portal.vocabulary.work_orders import RequestKind


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Bikes to choose from, and the address we know."""
    bikes = (await bike_facts(session, owner))[BIKES]
    return {BIKES: await repairable(session, owner, bikes), **await address_facts(session, owner)}


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order."""
    title, description = told(Kept(case.answers, locale=case.owner.locale))
    return await work_orders.make(session, case, REPAIR.name, RequestKind.REPAIR, title=title, description=description)


def told(kept: Kept) -> tuple[str, str]:
    """The parts, and what the customer wrote about each."""
    say = gettext_for(kept.locale)
    parts = [part for part in PARTS if part in kept.several("parts")]
    texts = [f"{say(PARTS[part])}: {kept.text(details_of(part))}" for part in parts]
    return ", ".join(say(PARTS[part]) for part in parts), "\n\n".join(texts)


def parts_rows(kept: Kept) -> list[Row]:
    """Each part with what is wrong with it."""
    say = gettext_for(kept.locale)
    parts = [part for part in PARTS if part in kept.several("parts")]
    return [Row(say(PARTS[part]), lines_of(kept.text(details_of(part)))) for part in parts]


def maintenance_rows(kept: Kept) -> list[Row]:
    """The month of the last maintenance, or that there is none."""
    entry = next(entry for entry in REPAIR.fields if entry.name == "maintenance")
    if kept.text("maintenance") != KNOWN:
        return [row_of(entry, kept)]
    month = get_month_names("wide", locale=kept.locale)[int(kept.text("maintenance_month"))]
    return [Row(gettext_for(kept.locale)(entry.label), (f"{month} {kept.text('maintenance_year')}",))]


def _optional(settings: Settings) -> list[str]:
    return [] if settings.repair_uploads_required else [PHOTOS]


DESK = Desk(
    REPAIR,
    facts,
    fulfil,
    examinations={"pincode-step": right_pin},
    lookups={"step-6": chosen_location},
    rows={
        "pincode-step": pin_rows,
        "step-2": parts_rows,
        "step-3": maintenance_rows,
        "step-5": address_rows,
        "step-6": location_rows,
        "step-7": handover_rows,
    },
    optional=_optional,
    told=told,
)
