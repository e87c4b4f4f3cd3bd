"""A request that was sent becomes a work order, with the partner it goes to and the costs the customer saw."""

from __future__ import annotations

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound, Refused
from portal.domain.address import address_lines
from portal.domain.codes import Code
from portal.domain.costs import snapshot
from portal.domain.identifiers import short_id
from portal.domain.locations import waiting_bucket
from portal.domain.phones import readable
from portal.flows.address import home
from portal.flows.bike import BIKE
from portal.flows.costs import costs_of
from portal.flows.location import LOCATION, chosen_location, handover
from portal.provider.confirmations.kept import details_of_request
from portal.provider.confirmations.send import confirm
from portal.provider.flows.bikes import chosen_bike
from portal.provider.flows.desk import Case, Sent
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.vocabulary.work_orders import RequestKind

REFERENCE_LENGTH = 8
_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


async def make(
    session: AsyncSession, case: Case, flow: str, kind: RequestKind, *, title: str, description: str
) -> Sent:
    """Make the work order. The database lets one bike have one open work order only.

    Args:
        session: of the transaction that marks the draft as sent.
        case: the request.
        flow: name of its flow.
        kind: what it asks for.
        title: a few words, in the customer's language.
        description: all of it, in the customer's language.

    Raises:
        Refused: `open_work_order_exists`, `location_closed`, or the code of a bike that is gone.
    """
    owned = await chosen_bike(session, case.owner, case.answers)
    partner = await _partner(session, case)
    summary = _summary(case, flow)
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=case.owner.customer_id,
        bike_id=owned.bike.id or 0,
        partner_id=partner.id if partner else None,
        kind=kind,
        title=title[:_LONGEST_TITLE],
        description=description[:_LONGEST_DESCRIPTION],
        details=details_of_request(
            case.answers,
            words={BIKE: owned.bike.name, **({LOCATION: partner.name} if partner else {})},
            files=case.files,
            costs=costs_of(flow, case.asked),
            **_meant(case),
        ),
        draft_key=case.key,
        created_at=case.now,
        updated_at=case.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    told = {"bike": owned.bike.name, "bike_id": owned.bike.public_id, **summary}
    return Sent(request.reference, told, mailed=await confirm(session, case, request))


async def _partner(session: AsyncSession, case: Case) -> PartnerRow | None:
    """The location that was chosen; none for a flow that asks for none."""
    chosen = case.asked.text(LOCATION)
    if not chosen:
        return None
    try:
        return await PartnerRepository(session).get(chosen)
    except NotFound:
        raise Refused(Code.LOCATION_CLOSED) from None


def _meant(case: Case) -> dict[str, Any]:
    """What the answers meant when the request was sent: a location may change later, the request tells what was."""
    location = chosen_location(case.asked)
    if not location:
        return {}
    way = handover(case.asked)
    return {
        "home": home(case.asked),
        "service_location": {
            name: location.get(name) for name in ("id", "name", "location_type", "address", "phone", "waiting_weeks")
        },
        "handed_over": way.value if way else "",
    }


def _summary(case: Case, flow: str) -> dict[str, Any]:
    """What the confirmation page tells beside the reference, all of it text."""
    location = chosen_location(case.asked)
    if not location:
        return {}
    street, city = address_lines(location.get("address", {}))
    way = handover(case.asked)
    costs = snapshot(costs_of(flow, case.asked))
    low, high = waiting_bucket(location.get("waiting_weeks", 0))
    return {
        "location": location.get("name", ""),
        "location_street": street,
        "location_city": city,
        "location_phone": readable(location.get("phone", "")),
        "waiting_from": low,
        "waiting_to": high,
        "handover": way.value if way else "",
        **{f"cost_{line['kind']}": line["amount"] for line in costs["lines"]},
        "total": costs["total"] if costs["lines"] else "",
    }
