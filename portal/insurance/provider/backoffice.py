"""Moving an insurance request; finishing it puts the policy on the bike (part-2 §4)."""

from __future__ import annotations

from datetime import date
from typing import Any

from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.identifiers import is_reference
from portal.provider.backoffice.moves import Movable, Moved, OffGraph, Standing, Wish
from portal.provider.context import Context
from portal.provider.links import Links, Subject
from portal.provider.mail.insurance_mails import tell_status
from portal.provider.repositories import changes
from portal.provider.repositories.insurance_cases import locked_insurance
from portal.provider.repositories.insurances import move as move_row
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.insurances import InsuranceRequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import INSURANCE_REQUESTS, INSURING, InsuranceStatus
from portal.vocabulary.links import LinkPurpose

_S = InsuranceStatus


async def stand(context: Context, reference: str) -> Standing:
    """Where a request stands. Raises NotFound."""
    async with context.database.transaction() as session:
        found = await locked_insurance(session, _known(reference))
        return Standing(**_standing(reference, found.request.status))


async def move(context: Context, reference: str, wish: Wish, key: str = "") -> Moved:  # noqa: ARG001 - repeating is harmless
    """Move a request. Finishing one needs the policy number; it starts on the planned day, else today.

    Raises:
        NotFound: there is none.
        InvalidInput: a status that does not exist, or no policy number.
        OffGraph: `status_not_allowed`.
        Conflict: `status_changed`, or `insurance_exists`.
    """
    if wish.status not in INSURANCE.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target, now = _S(wish.status), context.clock()
    async with context.database.transaction() as session:
        found = await locked_insurance(session, _known(reference))
        row, bike = found.request, found.bike
        before = row.status
        if before == target:
            return Moved(before=before.value, changed=False, **_standing(reference, before))
        if wish.seen and wish.seen != before:
            raise Conflict(Code.STATUS_CHANGED)
        if not INSURANCE_REQUESTS.allows(before, target):
            raise OffGraph(before, target, _possible(before))
        values: dict[str, object] = {"updated_at": now, "note": wish.note, "waits_for_link": False}
        if target is _S.FINISHED and row.type in INSURING:
            values |= _take_out(bike, row, wish, local_day(now))
        if target in INSURANCE_REQUESTS.ends:
            # The insurer has it, or nobody needs it any more.
            values["iban"] = ""
        if not await move_row(session, row, target, **values):
            raise Conflict(Code.STATUS_CHANGED)
        if target is _S.CANCELLED:
            about = Subject(row.id or 0, row.customer_id)
            await Links(context).withdraw(session, LinkPurpose.INSURANCE, about)
        await session.refresh(row)
        await tell_status(context, session, found.customer, bike, row, target)
        await changes.tell(session, row.customer_id, Topic.INSURANCES, now)
    return Moved(before=before.value, changed=True, **_standing(reference, target))


def _take_out(bike: BikeRow, row: InsuranceRequestRow, wish: Wish, today: date) -> dict[str, object]:
    """Insure the bike from the planned day on, else from today; what the request keeps of it."""
    if not wish.policy_number:
        raise InvalidInput(Code.INVALID_INPUT, fields={"policy_number": Code.REQUIRED})
    if bike.insurance:
        raise Conflict(Code.INSURANCE_EXISTS)
    start = wish.planned_date or today
    bike.insurance, bike.policy_number, bike.insurance_start = row.type.value, wish.policy_number, start
    return {"policy_number": wish.policy_number, "starts_on": start}


INSURANCE = Movable("insurance", InsuranceStatus, stand, move)


def _known(reference: str) -> str:
    if not is_reference(reference):
        raise NotFound
    return reference


def _possible(status: InsuranceStatus) -> list[str]:
    return [target.value for target in INSURANCE_REQUESTS.following(status)]


def _standing(reference: str, status: InsuranceStatus) -> dict[str, Any]:
    return {"reference": reference, "status": status.value, "possible": _possible(status)}
