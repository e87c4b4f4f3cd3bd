"""Handler of the mailed link that confirms the end of a contract or takes it back (part-2 §10)."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import wait_for_link
from portal.backend.context import Context
from portal.contract.errors import Refused
from portal.contracts.provider import ends
from portal.contracts.provider.account import end_account
from portal.contracts.provider.queries import ContractQueries
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.links.provider import LinkHandler, Subject, declaration_answer
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import DeclarationAnswer, EndStatus


async def _row(session: AsyncSession, subject: Subject) -> ContractEndRow:
    row = await ContractQueries(session, subject.customer_id).end(subject.key)
    if row is None:
        raise Refused(Code.INVALID_HASH)
    return row


async def describe(context: Context, session: AsyncSession, subject: Subject) -> dict[str, Any]:
    """What the page of the link shows: what its mail says, without the name."""
    row = await _row(session, subject)
    contract = await ContractQueries(session, subject.customer_id).get(row.contract)
    return {
        "reference": row.reference,
        "contract": row.contract,
        "ending": row.ending.value,
        "status": row.status.value,
        "account": end_account(contract, row, context.settings, named=False).model_dump(mode="json"),
    }


async def answer_link(context: Context, session: AsyncSession, subject: Subject, answer: str) -> None:
    """Confirm the end or take it back, as the customer answers."""
    chosen = declaration_answer(answer)
    row = await _row(session, subject)
    if chosen is DeclarationAnswer.TAKE_BACK:
        await ends.take_back(context, session, row)
    else:
        await ends.confirm(context, session, row)


async def renew(context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
    """Mail the receipt again, with a new link."""
    row = await _row(session, subject)
    if row.status is not EndStatus.RECEIVED:
        raise Refused(Code.LINK_USED)
    sent = await ends.send_link(context, session, row)
    await wait_for_link(session, CaseKind.CONTRACT_END, row.reference, sent.expires_at, context.clock())
    return sent


LINK_HANDLER = LinkHandler(_row, describe, answer_link, renew)
