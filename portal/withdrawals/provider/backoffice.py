"""The back office case of withdrawals declared without a login: staff confirm them or take them back (part-2 §11)."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, NotAllowed, Transition, TransitionRequest
from portal.backend.context import Context
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.kernel.codes import Code
from portal.kernel.validation import is_reference
from portal.tables.withdrawals import WithdrawalDeclarationRow
from portal.vocabulary.withdrawals import DECLARATIONS, DeclarationStatus
from portal.withdrawals.provider import declarations


async def current_status(context: Context, reference: str) -> CurrentStatus:
    """The status of a declaration, and the statuses it can move to.

    Raises:
        NotFound: there is none.
    """
    async with context.database.session() as session:
        return _current_status(await declarations.by_reference(session, _known(reference)))


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Confirm a declaration or take it back, for the customer. A request for its current status changes nothing.

    Raises:
        NotFound: there is none.
        InvalidInput: the status is unknown.
        NotAllowed: `status_not_allowed`.
        Conflict: `status_changed`, its status is not the one that staff saw.
        Refused: its items are in another return.
    """
    if request.status not in WITHDRAWAL.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    target = DeclarationStatus(request.status)
    row = await declarations.by_reference(session, _known(reference), lock=True)
    before = row.status
    if request.seen and request.seen != before:
        raise Conflict(Code.STATUS_CHANGED)
    if before is target:
        return Transition(before=before.value, changed=False, **_current_status(row).model_dump())
    if not DECLARATIONS.allows(before, target):
        raise NotAllowed(before, target, _current_status(row).possible)
    if target is DeclarationStatus.CONFIRMED:
        await declarations.confirm(context, session, row, by_customer=False)
    else:
        await declarations.take_back(context, session, row, by_customer=False)
    return Transition(before=before.value, changed=True, **_current_status(row).model_dump())


WITHDRAWAL = BackOfficeCase("withdrawal", DeclarationStatus, current_status, move)


def _known(reference: str) -> str:
    if not is_reference(reference):
        raise NotFound
    return reference


def _current_status(row: WithdrawalDeclarationRow) -> CurrentStatus:
    possible = [status.value for status in DECLARATIONS.following(row.status)]
    return CurrentStatus(reference=row.reference, status=row.status.value, possible=possible)
