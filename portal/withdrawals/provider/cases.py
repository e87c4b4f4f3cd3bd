"""What staff see of a withdrawal: the declaration until it is confirmed, then the return with its reference."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, Transition, TransitionRequest, declared_case
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep
from portal.backend.context import Context
from portal.contract.account import LocalizedText
from portal.kernel.texts import N_
from portal.returns.provider.backoffice import RETURN
from portal.returns.provider.cases import RETURN_CASES
from portal.tables.returns import ReturnRow, WithdrawalDeclarationRow
from portal.vocabulary.contracts import DECLARATION_DESK_LABELS, DECLARATION_STATUSES, DECLARATIONS, DeclarationStatus
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.provider import declarations
from portal.withdrawals.provider.declarations import declaration_account, facts_of

WITHDRAWAL = declared_case(
    "withdrawal",
    DeclarationStatus,
    declarations.by_reference,
    lambda row: DECLARATIONS.following(row.status),
    {DeclarationStatus.CONFIRMED: declarations.confirm, DeclarationStatus.TAKEN_BACK: declarations.take_back},
)


_T = LocalizedText.of


async def current_status(context: Context, reference: str) -> CurrentStatus:
    """The status of the return, or of the declaration that did not become one. Raises NotFound."""
    async with context.database.session() as session:
        returned = await _is_return(session, reference)
    return await (RETURN if returned else WITHDRAWAL).current_status(context, reference)


async def move(context: Context, session: AsyncSession, reference: str, request: TransitionRequest) -> Transition:
    """Change the status of the return, or of the declaration that did not become one. Raises as these do."""
    case = RETURN if await _is_return(session, reference) else WITHDRAWAL
    return await case.move(context, session, reference, request)


async def _is_return(session: AsyncSession, reference: str) -> bool:
    query = select(ReturnRow.id).where(ReturnRow.reference == reference)
    return (await session.exec(query)).first() is not None


async def lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    query = select(WithdrawalDeclarationRow).where(col(WithdrawalDeclarationRow.reference).in_(references))
    declared = {row.reference: _line(row) for row in await session.exec(query)}
    return declared | await RETURN_CASES.lines(session, references)


def _line(row: WithdrawalDeclarationRow) -> CaseLine:
    entry = DECLARATION_STATUSES[row.status]
    return CaseLine(
        label=_T(DECLARATION_DESK_LABELS[row.status]),
        tone=entry.tone,
        what=_T(N_("Declared without logging in")),
        item=", ".join(row.lines[:2]),
    )


async def content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    if await _is_return(session, reference):
        return await RETURN_CASES.content(context, session, reference)
    query = select(WithdrawalDeclarationRow).where(WithdrawalDeclarationRow.reference == reference)
    row = (await session.exec(query)).one_or_none()
    if row is None:
        return None
    return CaseContent(
        account=declaration_account(row),
        line=_line(row),
        steps=[
            StatusStep(
                status=status.value,
                label=_T(DECLARATION_DESK_LABELS[status]),
                sentence=_T(DECLARATION_STATUSES[status].meaning),
                ends=status is DeclarationStatus.TAKEN_BACK,
            )
            for status in DECLARATIONS.following(row.status)
        ],
        order_numbers=[row.order_number],
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    """The facts of declarations that did not become a return."""
    query = select(WithdrawalDeclarationRow).where(col(WithdrawalDeclarationRow.return_id).is_(None))
    rows = await session.exec(query.order_by(col(WithdrawalDeclarationRow.id)))
    return [(facts_of(row), row.received_at, row.updated_at) for row in rows]


WITHDRAWAL_CASES = CaseSubject(
    BackOfficeCase("withdrawal", ReturnStatus, current_status, move), lines, content, facts, RETURN_CASES.of_bike
)
