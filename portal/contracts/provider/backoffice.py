"""The back office case of withdrawals from and cancellations of contracts: staff confirm, process or take back."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, NotAllowed, Transition, TransitionRequest
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contracts.provider import ends
from portal.contracts.provider.queries import end_by_reference
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.tables.contracts import ContractEndRow
from portal.vocabulary.contracts import CONTRACT_ENDS, EndStatus

_MOVES = {EndStatus.CONFIRMED: ends.confirm, EndStatus.PROCESSED: ends.process, EndStatus.TAKEN_BACK: ends.take_back}


async def current_status(context: Context, reference: str) -> CurrentStatus:
    """The status of an end, and the statuses it can move to.

    Raises:
        NotFound: there is none.
    """
    async with context.database.session() as session:
        return _current_status(await end_by_reference(session, _known(reference)))


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Change the status of an end. A request for its current status changes nothing.

    Raises:
        NotFound: there is none.
        InvalidInput: the status is unknown.
        NotAllowed: `status_not_allowed`.
        Conflict: `status_changed`, its status is not the one that staff saw, or another end counts.
    """
    if request.status not in CONTRACT_END.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target = EndStatus(request.status)
    row = await end_by_reference(session, _known(reference), lock=True)
    before = row.status
    if request.seen and request.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    if before is target:
        return Transition(before=before.value, changed=False, **_current_status(row).model_dump())
    if target not in following(row):
        raise NotAllowed(before, target, _current_status(row).possible)
    await _MOVES[target](context, session, row, by_customer=False)
    return Transition(before=before.value, changed=True, **_current_status(row).model_dump())


CONTRACT_END = BackOfficeCase("contract-end", EndStatus, current_status, move)


def _known(reference: str) -> str:
    if not is_reference(reference):
        raise NotFound
    return reference


def following(row: ContractEndRow) -> list[EndStatus]:
    """The statuses it can move to; once the contract has ended, it cannot be taken back."""
    return [
        status
        for status in CONTRACT_ENDS.following(row.status)
        if status is not EndStatus.TAKEN_BACK or ends.can_take_back(row)
    ]


def _current_status(row: ContractEndRow) -> CurrentStatus:
    possible = [status.value for status in following(row)]
    return CurrentStatus(reference=row.reference, status=row.status.value, possible=possible)
