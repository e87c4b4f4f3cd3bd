"""Facts, checks and summary lines of the bike step and the pin code step."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.sessions import Owner
from portal.bikes.flow import BIKE, BIKES, PIN_KNOWN, PIN_STEP
from portal.bikes.provider.queries import BikeRepository, OwnedBike
from portal.contract.errors import NotFound, Refused
from portal.flow import Answers, Findings
from portal.flow.provider.handler import StoredRequest, SummaryLine, row_of
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for


async def bike_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Look up the customer's bikes, newest order first, each with the reason why it cannot be chosen."""
    return {BIKES: [bike_entry(owned) for owned in await BikeRepository(session, owner.customer_id).all()]}


async def right_pin(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Check the entered pin code against the stored one, which never leaves the provider."""
    if answers.get("pin_known") != PIN_KNOWN:
        return {}
    bike = await chosen_bike(session, owner, answers)
    return {} if answers.get("pin_code") == bike.bike.pin_code else {"pin_code": Code.WRONG_PIN_CODE}


async def chosen_bike(session: AsyncSession, owner: Owner, answers: Answers) -> OwnedBike:
    """Load the chosen bike.

    Raises:
        Refused: `repair_request_line_not_found`: the customer no longer has it.
    """
    try:
        return await BikeRepository(session, owner.customer_id).get(str(answers[BIKE]))
    except NotFound:
        raise Refused(Code.REPAIR_REQUEST_LINE_NOT_FOUND) from None


def pin_rows(stored: StoredRequest) -> list[SummaryLine]:
    """Summarise whether a pin code was given. The code itself appears in no mail and no document."""
    known, entry = stored.text("pin_known"), PIN_STEP.fields[0]
    if known != PIN_KNOWN:
        return [row_of(entry, stored)] if known else []
    _ = gettext_for(stored.locale)
    return [SummaryLine(_(entry.label), (_("Passed on to the mechanic"),))]


def work_order_refusal(owned: OwnedBike) -> Code | None:
    """Why a bike gets no repair, no service and no claim; None if it does. A bike that is gone gets nothing."""
    if owned.gone:
        return Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE
    if owned.open_request:
        return Code.OPEN_WORK_ORDER_EXISTS
    return None if owned.bike.frame_number else Code.FRAME_NUMBER_UNKNOWN


def bike_entry(owned: OwnedBike) -> dict[str, Any]:
    """Map a bike to its entry in the fact `BIKES`."""
    bike, refusal = owned.bike, work_order_refusal(owned)
    return {
        "id": bike.public_id,
        "refusal": refusal.value if refusal else "",
        "pin": bool(bike.pin_code),
        "name": bike.name,
        "kind": bike.kind.value,
        "color": bike.color,
        "color_code": bike.color_code,
        "picture": owned.picture.model_dump(),
        "frame_number": bike.frame_number or "",
        "order_number": owned.order.order_number,
        "order_day": local_day(owned.order.ordered_at).isoformat(),
    }
