"""Handler of the mailed link that confirms a withdrawal or takes it back (part-2 §10, §11)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import wait_for_link
from portal.backend.context import Context
from portal.contract.errors import NotFound, Refused
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.links.provider import LinkHandler, Subject, declaration_answer
from portal.tables.returns import WithdrawalDeclarationRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import DeclarationAnswer, DeclarationStatus
from portal.withdrawals.provider import declarations
from portal.withdrawals.provider.account import declaration_account
from portal.withdrawals.provider.declarations import DeclarationQueries


async def _row(session: AsyncSession, subject: Subject) -> WithdrawalDeclarationRow:
    try:
        return await DeclarationQueries(session, subject.customer_id).get(number=subject.key)
    except NotFound:
        raise Refused(Code.INVALID_HASH) from None


async def describe(_context: Context, session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What the page of the link shows: what its mail says, without the name."""
    row = await _row(session, subject)
    return {
        "reference": row.reference,
        "status": row.status.value,
        "account": declaration_account(row, named=False).model_dump(mode="json"),
    }


async def answer_link(context: Context, session: AsyncSession, subject: Subject, answer: str) -> None:
    """Confirm the declaration or take it back, as the customer answers."""
    chosen = declaration_answer(answer)
    row = await _row(session, subject)
    if chosen is DeclarationAnswer.TAKE_BACK:
        await declarations.take_back(context, session, row)
    else:
        await declarations.confirm(context, session, row)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail the receipt again, with a new link."""
    row = await _row(session, subject)
    if row.status is not DeclarationStatus.RECEIVED:
        raise Refused(Code.LINK_USED)
    sent = await declarations.send_link(context, session, row)
    await wait_for_link(session, CaseKind.WITHDRAWAL, row.reference, sent.expires_at, context.clock())
    return sent


LINK_HANDLER = LinkHandler(_row, describe, answer_link, renew)
