"""A request that was sent becomes a work order, with the partner it goes to and the costs the customer saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound, Refused
from portal.domain.address import address_lines
from portal.domain.codes import Code
from portal.domain.costs import Cost, snapshot
from portal.domain.flow import Flow
from portal.domain.identifiers import short_id
from portal.domain.locations import waiting_bucket
from portal.domain.phones import readable
from portal.flows.address import home
from portal.flows.bike import BIKE
from portal.flows.location import LOCATION, chosen_location, handover
from portal.provider.confirmations.kept import details_of_request
from portal.provider.confirmations.send import confirm
from portal.provider.flows.bikes import chosen_bike
from portal.provider.flows.desk import Submission, Submitted
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.requests import RequestRow
from portal.vocabulary.work_orders import RequestKind

REFERENCE_LENGTH = 8
_LONGEST_TITLE = 120
_LONGEST_DESCRIPTION = 4000


async def make(
    session: AsyncSession, submission: Submission, flow: Flow, kind: RequestKind, *, title: str, description: str
) -> Submitted:
    """Make the work order. The database lets one bike have one open work order only.

    Args:
        session: of the transaction that marks the draft as sent.
        submission: the request.
        flow: its flow.
        kind: what it asks for.
        title: a few words, in the customer's language.
        description: all of it, in the customer's language.

    Raises:
        Refused: `open_work_order_exists`, `location_closed`, or the code of a bike that is gone.
    """
    owned = await chosen_bike(session, submission.owner, submission.answers.given)
    partner = await _partner(session, submission)
    costs = flow.costs(submission.answers) if flow.costs else ()
    summary = _summary(submission, costs)
    request = RequestRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=submission.owner.customer_id,
        bike_id=owned.bike.id or 0,
        partner_id=partner.id if partner else None,
        kind=kind,
        title=title[:_LONGEST_TITLE],
        description=description[:_LONGEST_DESCRIPTION],
        details=details_of_request(
            submission.answers.given,
            words={BIKE: owned.bike.name, **({LOCATION: partner.name} if partner else {})},
            files=submission.files,
            costs=costs,
            **_meant(submission),
        ),
        draft_key=submission.key,
        created_at=submission.now,
        updated_at=submission.now,
    )
    session.add(request)
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.OPEN_WORK_ORDER_EXISTS) from None
    told = {"bike": owned.bike.name, "bike_id": owned.bike.public_id, **summary}
    return Submitted(request.reference, told, mailed=await confirm(session, submission, request))


async def _partner(session: AsyncSession, submission: Submission) -> PartnerRow | None:
    """The location that was chosen; none for a flow that asks for none."""
    chosen = submission.answers.text(LOCATION)
    if not chosen:
        return None
    try:
        return await PartnerRepository(session).get(chosen)
    except NotFound:
        raise Refused(Code.LOCATION_CLOSED) from None


def _meant(submission: Submission) -> dict[str, Any]:
    """What the answers meant when the request was sent: a location may change later, the request tells what was."""
    location = chosen_location(submission.answers)
    if not location:
        return {}
    way = handover(submission.answers)
    return {
        "home": home(submission.answers),
        "service_location": {
            name: location.get(name) for name in ("id", "name", "location_type", "address", "phone", "waiting_weeks")
        },
        "handed_over": way.value if way else "",
    }


def _summary(submission: Submission, costs: Sequence[Cost]) -> dict[str, Any]:
    """What the confirmation page tells beside the reference, all of it text."""
    location = chosen_location(submission.answers)
    if not location:
        return {}
    street, city = address_lines(location.get("address", {}))
    way = handover(submission.answers)
    told = snapshot(costs)
    low, high = waiting_bucket(location.get("waiting_weeks", 0))
    return {
        "location": location.get("name", ""),
        "location_street": street,
        "location_city": city,
        "location_phone": readable(location.get("phone", "")),
        "waiting_from": low,
        "waiting_to": high,
        "handover": way.value if way else "",
        **{f"cost_{line['kind']}": line["amount"] for line in told["lines"]},
        "total": told["total"] if told["lines"] else "",
    }
