"""A repair that was requested becomes a work order (part-1 §3 Repair request, §4)."""

from __future__ import annotations

from babel.dates import get_month_names
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.identifiers import short_id
from portal.domain.statuses import RequestKind
from portal.flows.bike import BIKE
from portal.flows.repair import KNOWN, PARTS, REPAIR, details_of
from portal.provider.confirmations.kept import Kept, details_of_request
from portal.provider.confirmations.rows import Row, lines_of, row_of
from portal.provider.confirmations.send import confirm
from portal.provider.flows.bikes import bike_facts, chosen_bike, pin_rows, right_pin
from portal.provider.flows.desk import Case, Desk, Sent
from portal.provider.tables.requests import RequestRow
from portal.texts import gettext_for

REFERENCE_LENGTH = 8
_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


async def fulfil(session: AsyncSession, case: Case) -> Sent:
    """Make the work order. The database lets one bike have one open work order only."""
    owned = await chosen_bike(session, case.owner, case.answers)
    say = gettext_for(case.owner.locale)
    parts = [part for part in PARTS if part in case.answers["parts"]]
    texts = [f"{say(PARTS[part])}: {case.answers[details_of(part)]}" for part in parts]
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=case.owner.customer_id,
        bike_id=owned.bike.id or 0,
        kind=RequestKind.REPAIR,
        title=", ".join(say(PARTS[part]) for part in parts)[:_LONGEST_TITLE],
        description="\n\n".join(texts)[:_LONGEST_DESCRIPTION],
        details=details_of_request(case.answers, words={BIKE: owned.bike.name}),
        draft_key=case.key,
        created_at=case.now,
        updated_at=case.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    summary = {"bike": owned.bike.name, "bike_id": owned.bike.public_id}
    return Sent(request.reference, summary, mailed=await confirm(session, case, request))


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


DESK = Desk(
    REPAIR,
    bike_facts,
    fulfil,
    {"pincode-step": right_pin},
    {"pincode-step": pin_rows, "step-2": parts_rows, "step-3": maintenance_rows},
)
