"""Withdrawals declared without a login (part-2 §11), and the case of staff. They take no units until confirmed."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import BackOfficeCase, CurrentStatus, Transition, TransitionRequest
from portal.backend.cases import CaseContent, CaseLine, CaseSubject
from portal.backend.context import Context
from portal.backend.letter import account_values, clock, day, localized_moment
from portal.backend.mail import Template
from portal.backend.security import masked_email, shown_email
from portal.contract.account import Account, AccountFact, LocalizedText
from portal.contract.errors import Conflict
from portal.contract.models import Locale
from portal.declarations.provider import REFERENCE_LENGTH, Declarations
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups, short_id
from portal.login.provider.queries import addressee
from portal.returns.provider.backoffice import RETURN
from portal.returns.provider.cases import RETURN_CASES
from portal.tables.returns import ReturnRow, WithdrawalDeclarationRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import DECLARATION_STATUSES, DECLARATIONS, DeclarationStatus
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import Declaration
from portal.withdrawals.provider.receiving import (
    Declared,
    chosen_units,
    free_units,
    lines_of,
    lock_order,
    receive,
    stock_of,
)

_T = LocalizedText.of

_NEXT: dict[DeclarationStatus, tuple[str, ...]] = {
    DeclarationStatus.RECEIVED: (
        N_("Confirm it with the link in the email, or log in and confirm it at your order."),
        N_("Until then, your order stays as it is. What counts is the moment of your declaration."),
        N_("Then we’ll tell you what you get back, and how and where to send it."),
    ),
    DeclarationStatus.CONFIRMED: (
        N_(
            "Your email says what you get back, and how and where to send the items. You’ll also see "
            "it under your returns."
        ),
    ),
    DeclarationStatus.TAKEN_BACK: (
        N_("Your order stays as it was. You can withdraw again within the withdrawal period."),
    ),
}


def declaration_account(row: WithdrawalDeclarationRow, *, named: bool = True) -> Account:
    entry = DECLARATION_STATUSES[row.status]
    return Account(
        reference=in_groups(row.reference),
        title=_T(N_("Withdrawal: order {number}"), number=row.order_number),
        status=_T(entry.label),
        meaning=_T(entry.meaning),
        facts=[
            AccountFact.of(N_("Order number"), LocalizedText.same(row.order_number)),
            AccountFact.of(N_("Items"), *map(LocalizedText.same, row.lines)),
            *([AccountFact.of(N_("Declared by"), LocalizedText.same(row.name))] if named else []),
            AccountFact.of(N_("Received on"), localized_moment(row.received_at)),
        ],
        next_steps=[_T(text) for text in _NEXT.get(row.status, ())],
    )


async def _account(_context: Context, _session: AsyncSession, row: WithdrawalDeclarationRow, named: bool) -> Account:
    return declaration_account(row, named=named)


async def _details(
    _context: Context, _session: AsyncSession, row: WithdrawalDeclarationRow, locale: Locale
) -> dict[str, object]:
    return {
        **account_values(declaration_account(row), locale),
        "order_number": row.order_number,
        "day": day(local_day(row.received_at), locale),
        "time": clock(row.received_at),
    }


async def _locked(session: AsyncSession, row: WithdrawalDeclarationRow) -> WithdrawalDeclarationRow:
    await session.refresh(row, with_for_update=True)
    return row


_S = DeclarationStatus
DECLARED = Declarations(
    table=WithdrawalDeclarationRow,
    kind=CaseKind.WITHDRAWAL,
    purpose=LinkPurpose.WITHDRAWAL,
    topic=Topic.RETURNS,
    entries=DECLARATION_STATUSES,
    # What is confirmed becomes a return.
    final=frozenset({_S.TAKEN_BACK}),
    template=Template.WITHDRAWAL_DECLARED,
    details=_details,
    account=_account,
    lock=_locked,
    following=lambda row: DECLARATIONS.following(row.status),
    order_numbers=lambda row: [row.order_number],
)


async def open_declarations(
    session: AsyncSession, customer_id: int, order_number: str
) -> list[WithdrawalDeclarationRow]:
    """The declarations for an order that wait for a confirmation, oldest first."""
    query = select(WithdrawalDeclarationRow).filter_by(
        customer_id=customer_id, order_number=order_number, status=_S.RECEIVED
    )
    return list(await session.exec(query.order_by(col(WithdrawalDeclarationRow.id))))


async def declare(context: Context, session: AsyncSession, declared: Declared) -> WithdrawalDeclarationRow:
    """Store a declaration and mail its receipt; the same key or items return the open declaration."""
    await lock_order(session, declared.customer_id, declared.order_number)
    items = [list(entry) for entry in declared.counts.items()]
    known = [
        row
        for row in await open_declarations(session, declared.customer_id, declared.order_number)
        if row.items == items
    ]
    if before := await DECLARED.of_key(session, declared.customer_id, declared.key) or next(iter(known), None):
        return before
    order = await stock_of(session, declared.customer_id, declared.order_number, declared.received_at)
    taken = chosen_units(order, free_units(order, declared.received_at), declared.counts)
    to = await addressee(session, declared.customer_id)
    row = WithdrawalDeclarationRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=declared.customer_id,
        order_number=declared.order_number,
        items=items,
        name=declared.name,
        lines=lines_of(taken, to.locale),
        email=masked_email(to.email),
        key=declared.key,
        status=_S.RECEIVED,
        received_at=declared.received_at,
        updated_at=declared.received_at,
    )
    session.add(row)
    await session.flush()
    await DECLARED.receive(context, session, row)
    return row


async def confirm(
    context: Context, session: AsyncSession, row: WithdrawalDeclarationRow, *, by_customer: bool = True
) -> ReturnRow:
    """Confirm a declaration that the transaction has locked: it becomes a return with the same reference."""
    if row.status not in (_S.RECEIVED, _S.CONFIRMED):
        raise Conflict(Code.STATUS_CHANGED)
    found = await receive(
        context,
        session,
        Declared(
            customer_id=row.customer_id,
            order_number=row.order_number,
            name=row.name,
            counts={str(item): int(count) for item, count in row.items},
            key=row.key,
            received_at=row.received_at,
            reference=row.reference,
        ),
        by_customer=by_customer,
    )
    if row.status is _S.RECEIVED:
        row.status, row.return_id, row.updated_at = _S.CONFIRMED, found.id, context.clock()
        await DECLARED.settle(context, session, row)
    return found


async def take_back(
    context: Context, session: AsyncSession, row: WithdrawalDeclarationRow, *, by_customer: bool = True
) -> None:
    """Take back a declaration that the transaction has locked, and mail that nothing changed."""
    if row.status is _S.TAKEN_BACK:
        return
    if not DECLARATIONS.allows(row.status, _S.TAKEN_BACK):
        raise Conflict(Code.STATUS_CHANGED)
    row.status = _S.TAKEN_BACK
    template, now = Template.WITHDRAWAL_TAKEN_BACK, context.clock()
    await DECLARED.changed(context, session, row, now, template, by_customer=by_customer)


def declaration(row: WithdrawalDeclarationRow) -> Declaration:
    return Declaration(
        reference=row.reference,
        received_at=row.received_at,
        account=declaration_account(row),
        email=shown_email(row.email),
        status=row.status,
    )


LINK_HANDLER = DECLARED.link_handler(confirm, take_back)
WITHDRAWAL = DECLARED.back_office("withdrawal", {_S.CONFIRMED: confirm, _S.TAKEN_BACK: take_back})


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


async def _described(_session: AsyncSession, rows: Sequence[WithdrawalDeclarationRow]) -> dict[str, dict[str, Any]]:
    what = _T(N_("Declared without logging in"))
    return {row.reference: {"what": what, "item": ", ".join(row.lines[:2])} for row in rows}


_CASES = DECLARED.cases(WITHDRAWAL, _described, None, col(WithdrawalDeclarationRow.return_id).is_(None))


async def _lines(session: AsyncSession, references: Sequence[str]) -> dict[str, CaseLine]:
    return await _CASES.lines(session, references) | await RETURN_CASES.lines(session, references)


async def _content(context: Context, session: AsyncSession, reference: str) -> CaseContent | None:
    cases = RETURN_CASES if await _is_return(session, reference) else _CASES
    return await cases.content(context, session, reference)


WITHDRAWAL_CASES = CaseSubject(
    BackOfficeCase("withdrawal", ReturnStatus, current_status, move),
    _lines,
    _content,
    _CASES.facts,
    RETURN_CASES.of_bike,
)
