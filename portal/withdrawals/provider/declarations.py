"""Withdrawals declared without a login: received, confirmed or taken back (part-2 §11), and the case of staff.

An order number and an e-mail address are no proof that the customer declares. So the declaration is stored and mailed
with its date, takes no units, and counts from that date once the customer or staff confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import BackOfficeCase, CurrentStatus, Transition, TransitionRequest, declared_case
from portal.backend.cases import CaseContent, CaseFacts, CaseLine, CaseSubject, StatusStep, record
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.letter import account_values, clock, day, localized_moment
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import masked_email, shown_email
from portal.contract.account import Account, AccountFact, LocalizedText
from portal.contract.errors import Conflict
from portal.contract.models import Locale
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups, short_id
from portal.links.api import LinkSent
from portal.links.provider import Links, Subject
from portal.login.provider.queries import addressee
from portal.returns.provider.backoffice import RETURN
from portal.returns.provider.cases import RETURN_CASES
from portal.tables.returns import ReturnRow, WithdrawalDeclarationRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import DECLARATION_DESK_LABELS, DECLARATION_STATUSES, DECLARATIONS, DeclarationStatus
from portal.vocabulary.links import LinkPurpose, lifetime
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import Declaration
from portal.withdrawals.provider.receiving import (
    REFERENCE_LENGTH,
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
            _fact(N_("Order number"), LocalizedText.same(row.order_number)),
            _fact(N_("Items"), *map(LocalizedText.same, row.lines)),
            *([_fact(N_("Declared by"), LocalizedText.same(row.name))] if named else []),
            _fact(N_("Received on"), localized_moment(row.received_at)),
        ],
        next_steps=[_T(text) for text in _NEXT.get(row.status, ())],
    )


def _fact(label: str, *lines: LocalizedText) -> AccountFact:
    return AccountFact(label=_T(label), lines=list(lines))


def facts_of(row: WithdrawalDeclarationRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.WITHDRAWAL,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status is DeclarationStatus.TAKEN_BACK,
        waiting=row.status is DeclarationStatus.RECEIVED,
        waiting_until=row.received_at + lifetime(LinkPurpose.WITHDRAWAL),
    )


async def record_case(
    session: AsyncSession, row: WithdrawalDeclarationRow, now: datetime, *, by_customer: bool = True
) -> None:
    """Bring the case of a declaration up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


_S = DeclarationStatus


class DeclarationQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._own = select(WithdrawalDeclarationRow).where(WithdrawalDeclarationRow.customer_id == customer_id)

    async def open(self, order_number: str) -> list[WithdrawalDeclarationRow]:
        """The declarations for an order that wait for a confirmation, oldest first."""
        query = self._own.where(
            WithdrawalDeclarationRow.order_number == order_number,
            WithdrawalDeclarationRow.status == _S.RECEIVED,
        ).order_by(col(WithdrawalDeclarationRow.id))
        return list(await self._session.exec(query))

    async def of_key(self, key: str) -> WithdrawalDeclarationRow | None:
        return (await self._session.exec(self._own.where(WithdrawalDeclarationRow.key == key))).one_or_none()

    async def get(self, *, reference: str = "", number: int = 0) -> WithdrawalDeclarationRow:
        """One declaration, by its reference or primary key, locked until the end of the transaction."""
        one = WithdrawalDeclarationRow.id == number if number else WithdrawalDeclarationRow.reference == reference
        return await find_one(self._session, self._own.where(one), lock=True)


async def by_reference(session: AsyncSession, reference: str, *, lock: bool = False) -> WithdrawalDeclarationRow:
    query = select(WithdrawalDeclarationRow).where(WithdrawalDeclarationRow.reference == reference)
    return await find_one(session, query, lock=lock)


async def declare(context: Context, session: AsyncSession, declared: Declared) -> WithdrawalDeclarationRow:
    """Store a declaration and mail its receipt; the same key or items return the open declaration."""
    await lock_order(session, declared.customer_id, declared.order_number)
    declarations = DeclarationQueries(session, declared.customer_id)
    items = [list(entry) for entry in declared.counts.items()]
    known = [row for row in await declarations.open(declared.order_number) if row.items == items]
    if before := await declarations.of_key(declared.key) or next(iter(known), None):
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
    await live.publish(session, row.customer_id, Topic.RETURNS, declared.received_at)
    await record_case(session, row, declared.received_at)
    await send_link(context, session, row)
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
        await Links(context).settle(session, LinkPurpose.WITHDRAWAL, _subject(row))
        await session.flush()
    return found


async def take_back(
    context: Context, session: AsyncSession, row: WithdrawalDeclarationRow, *, by_customer: bool = True
) -> None:
    """Take back a declaration that the transaction has locked, and mail that nothing changed."""
    if row.status is _S.TAKEN_BACK:
        return
    if not DECLARATIONS.allows(row.status, _S.TAKEN_BACK):
        raise Conflict(Code.STATUS_CHANGED)
    row.status, row.updated_at = _S.TAKEN_BACK, context.clock()
    await Links(context).settle(session, LinkPurpose.WITHDRAWAL, _subject(row))
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, row.updated_at)
    await record_case(session, row, row.updated_at, by_customer=by_customer)
    to = await addressee(session, row.customer_id)
    await Outbox(context).post(
        session,
        Template.WITHDRAWAL_TAKEN_BACK,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=_details(row, to.locale),
    )


async def send_link(context: Context, session: AsyncSession, row: WithdrawalDeclarationRow) -> LinkSent:
    """Mail the receipt of a declaration, with the link that confirms it or takes it back."""
    to = await addressee(session, row.customer_id)
    return await Links(context).send(
        session,
        LinkPurpose.WITHDRAWAL,
        _subject(row),
        to,
        Template.WITHDRAWAL_DECLARED,
        _details(row, to.locale),
    )


def declaration(row: WithdrawalDeclarationRow) -> Declaration:
    return Declaration(
        reference=row.reference,
        received_at=row.received_at,
        account=declaration_account(row),
        email=shown_email(row.email),
        status=row.status,
    )


def _details(row: WithdrawalDeclarationRow, locale: Locale) -> dict[str, object]:
    return {
        **account_values(declaration_account(row), locale),
        "order_number": row.order_number,
        "day": day(local_day(row.received_at), locale),
        "time": clock(row.received_at),
    }


def _subject(row: WithdrawalDeclarationRow) -> Subject:
    return Subject(row.id, row.customer_id)


WITHDRAWAL = declared_case(
    "withdrawal",
    DeclarationStatus,
    by_reference,
    lambda row: DECLARATIONS.following(row.status),
    {DeclarationStatus.CONFIRMED: confirm, DeclarationStatus.TAKEN_BACK: take_back},
)


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
                asks_note=False,
                ends=status is DeclarationStatus.TAKEN_BACK,
            )
            for status in DECLARATIONS.following(row.status)
        ],
        order_numbers=[row.order_number],
    )


async def facts(session: AsyncSession) -> list[tuple[CaseFacts, datetime, datetime]]:
    query = select(WithdrawalDeclarationRow).where(col(WithdrawalDeclarationRow.return_id).is_(None))
    rows = await session.exec(query.order_by(col(WithdrawalDeclarationRow.id)))
    return [(facts_of(row), row.received_at, row.updated_at) for row in rows]


WITHDRAWAL_CASES = CaseSubject(
    BackOfficeCase("withdrawal", ReturnStatus, current_status, move), lines, content, facts, RETURN_CASES.of_bike
)
