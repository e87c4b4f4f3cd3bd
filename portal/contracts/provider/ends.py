"""The end of a contract: declared, confirmed, taken back, processed; and the job that ends it on its day.

A guest's reference number and e-mail address are no proof that the customer declares. So what a guest declares is
received and mailed with its date, changes nothing, and counts from that date once it is confirmed (decision 0059).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import Departed
from portal.backend.bike_names import bike_called
from portal.backend.cases import CaseFacts, record
from portal.backend.context import Context
from portal.backend.letter import money, subject_line
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import masked_email
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict
from portal.contract.models import Locale
from portal.contracts.provider.account import DEPENDENTS, end_account
from portal.contracts.provider.queries import ContractQueries, TakenOut, locked
from portal.contracts.rules import Ending, ending, ending_with_bike
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, end_of_day, local_day
from portal.kernel.terms import REFUND_DAYS
from portal.kernel.validation import short_id
from portal.links.api import LinkSent
from portal.links.provider import Links, Subject
from portal.login.provider.queries import addressee
from portal.settings import Settings
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.columns import ZERO
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import BINDING, CONTRACT_ENDS, EndKind, EndStatus
from portal.vocabulary.departures import Departure, Effect, Money, outcome
from portal.vocabulary.links import LinkPurpose, lifetime

_REFUND = timedelta(days=REFUND_DAYS)


def facts_of(row: ContractEndRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.CONTRACT_END,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in CONTRACT_ENDS.ends,
        waiting=row.status is EndStatus.RECEIVED,
        waiting_until=row.received_at + lifetime(LinkPurpose.CONTRACT_END),
        promised_at=_promised(row) if row.status is EndStatus.CONFIRMED else None,
    )


async def record_case(session: AsyncSession, row: ContractEndRow, now: datetime, *, by_customer: bool = False) -> None:
    """Bring the case of an end up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


def _promised(row: ContractEndRow) -> datetime:
    """The day of the refund that the customer was told; without one the last day of the contract."""
    if not row.refund:
        return end_of_day(row.ends_on)
    first = local_day(row.received_at) if row.ending is EndKind.WITHDRAWAL else row.ends_on
    return end_of_day(first + _REFUND)


JOB = "contract_end"
"""Kind of the job that ends a contract; its reference is the primary key of the end."""

_REFERENCE_LENGTH = 8
_TRIES = timedelta(days=30)
_S = EndStatus


@dataclass(frozen=True, slots=True)
class EndDeclared:
    """What somebody declares. `guest`: whether it is declared without a login."""

    name: str
    seen: EndKind
    key: str
    guest: bool


def ending_of(contract: TakenOut, moment: datetime, settings: Settings) -> Ending:
    return ending(
        concluded_on=contract.concluded_on,
        starts_on=contract.starts_on,
        monthly=contract.monthly,
        declared_on=local_day(moment),
        notice_months=settings.contract_notice_months,
        withdrawal_days=contract.withdrawal_days,
    )


async def declare(
    context: Context, session: AsyncSession, customer_id: int, reference: str, declared: EndDeclared
) -> ContractEndRow:
    """Store the end of a contract and mail its receipt; a customer's counts at once, a guest's waits.

    The same key, or a guest's open declaration, is not repeated.
    """
    contracts = ContractQueries(session, customer_id)
    contract = await contracts.get(reference, lock=True)
    key = hashlib.sha256(f"{customer_id}/{reference}/{declared.key}".encode()).hexdigest()
    waiting = next((row for row in contract.ends if row.status is _S.RECEIVED), None)
    if before := await contracts.end_of_key(key) or (waiting if declared.guest else None):
        return before
    now = context.clock()
    found = ending_of(contract, now, context.settings)
    if contract.is_ending or found.kind is not declared.seen:
        raise Conflict(Code.STATUS_CHANGED)
    to = await addressee(session, customer_id)
    row = ContractEndRow(
        reference=short_id(_REFERENCE_LENGTH),
        customer_id=customer_id,
        contract=contract.reference,
        kind=contract.kind,
        ending=found.kind,
        name=declared.name,
        email=masked_email(to.email),
        key=key,
        status=_S.RECEIVED,
        ends_on=found.ends_on,
        refund=found.refund,
        last_payment=found.last_payment,
        last_from=found.last_from,
        received_at=now,
        updated_at=now,
    )
    session.add(row)
    await session.flush()
    if declared.guest:
        await send_link(context, session, row)
        await live.publish(session, customer_id, Topic.CONTRACTS, now)
        await record_case(session, row, now, by_customer=True)
    else:
        await confirm(context, session, row)
    return row


async def confirm(context: Context, session: AsyncSession, row: ContractEndRow, *, by_customer: bool = True) -> None:
    """Confirm an end that the transaction has locked, and mail the receipt with its amounts."""
    if row.status in (_S.CONFIRMED, _S.PROCESSED):
        return
    contract = await ContractQueries(session, row.customer_id).get(row.contract, lock=True)
    if contract.is_ending or not CONTRACT_ENDS.allows(row.status, _S.CONFIRMED):
        raise Conflict(Code.STATUS_CHANGED)
    now = context.clock()
    row.status, row.confirmed_at = _S.CONFIRMED, now
    await session.flush()
    if row.ending is EndKind.WITHDRAWAL or row.ends_on < local_day(now):
        await _end(session, row, now)
    else:
        midnight = datetime.combine(row.ends_on + timedelta(days=1), time(), AMSTERDAM).astimezone(UTC)
        await context.jobs.enqueue(session, JOB, row.id, give_up_at=midnight + _TRIES, due_at=midnight)
    await _changed(context, session, row, now, by_customer=by_customer)


async def take_back(context: Context, session: AsyncSession, row: ContractEndRow, *, by_customer: bool = True) -> None:
    """Take back an end that the transaction has locked, as long as the contract has not ended."""
    if row.status is _S.TAKEN_BACK:
        return
    if not can_take_back(row):
        raise Conflict(Code.STATUS_CHANGED)
    row.status = _S.TAKEN_BACK
    await _changed(context, session, row, context.clock(), by_customer=by_customer)


def can_take_back(row: ContractEndRow) -> bool:
    """Whether an end can be taken back: it was not processed, and the contract has not ended."""
    return CONTRACT_ENDS.allows(row.status, _S.TAKEN_BACK) and row.ended_at is None


async def process(context: Context, session: AsyncSession, row: ContractEndRow, *, by_customer: bool = False) -> None:
    now = context.clock()
    row.status, row.processed_at = _S.PROCESSED, now
    await _changed(context, session, row, now, by_customer=by_customer)


def refund_due(row: ContractEndRow) -> bool:
    """Whether finance has to pay something back: `REFUND_DUE` of one row."""
    return row.status in BINDING and row.ended_at is not None and row.refund > ZERO and row.refunded_at is None


async def record_refunded(context: Context, session: AsyncSession, row: ContractEndRow) -> None:
    """Record that the refund of an end that the transaction has locked was paid, and mail it. Nothing is left to do."""
    row.refunded_at = context.clock()
    if row.status is _S.CONFIRMED:
        await process(context, session, row)
    else:
        await _changed(context, session, row, row.refunded_at, by_customer=False)


async def end_on_its_day(context: Context, number: int) -> None:
    """The job: end a contract whose last day is over. An end that was taken back changes nothing."""
    async with context.database.transaction() as session:
        query = select(ContractEndRow).where(ContractEndRow.id == number)
        row = (await session.exec(query)).one_or_none()
        if row is None:
            return
        await locked(session, row)
        if row.ended_at is not None or row.status not in (_S.CONFIRMED, _S.PROCESSED):
            return
        now = context.clock()
        await _end(session, row, now)
        await live.publish(session, row.customer_id, Topic.CONTRACTS, now)


async def end_with_bike(
    context: Context, session: AsyncSession, contract: TakenOut, departed: Departed, paid_back: Money
) -> None:
    """End a contract on the day on which its bike left, and mail the receipt. An earlier end stays as it is."""
    now = context.clock()
    found = ending_with_bike(
        starts_on=contract.starts_on,
        monthly=contract.monthly,
        day=departed.day,
        collected_until=local_day(now),
        money=paid_back,
    )
    row = next((row for row in contract.ends if row.status in BINDING), None)
    if row is not None and (row.ended_at is not None or row.ends_on <= departed.day):
        return
    if row is None:
        to = await addressee(session, departed.customer_id)
        row = ContractEndRow(
            reference=short_id(_REFERENCE_LENGTH),
            customer_id=departed.customer_id,
            contract=contract.reference,
            kind=contract.kind,
            ending=found.kind,
            name="",
            email=masked_email(to.email),
            key=hashlib.sha256(
                f"{departed.customer_id}/{contract.reference}/{departed.departure}".encode()
            ).hexdigest(),
            status=_S.CONFIRMED,
            ends_on=found.ends_on,
            received_at=now,
            confirmed_at=now,
            updated_at=now,
        )
        session.add(row)
    row.ending, row.ends_on, row.refund = found.kind, found.ends_on, found.refund
    row.last_payment, row.last_from = found.last_payment, None
    await session.flush()
    await _end(session, row, now)
    await _changed(context, session, row, now, by_customer=False, departure=departed.final)


async def send_link(context: Context, session: AsyncSession, row: ContractEndRow) -> LinkSent:
    """Mail the receipt of a guest's declaration, with the link that confirms it or takes it back."""
    to = await addressee(session, row.customer_id)
    return await Links(context).send(
        session,
        LinkPurpose.CONTRACT_END,
        _subject(row),
        to,
        Template.CONTRACT_END_DECLARED,
        await _details(context, session, row, to.locale),
    )


async def _end(session: AsyncSession, row: ContractEndRow, now: datetime) -> None:
    """Take the package or insurance from the bike, unless the bike has another one meanwhile."""
    contract = await ContractQueries(session, row.customer_id).get(row.contract)
    own = update(BikeRow).where(col(BikeRow.id) == contract.bike.id, col(BikeRow.customer_id) == row.customer_id)
    if isinstance(contract.row, PackageOrderRow):
        own = own.where(col(BikeRow.service_package) == contract.row.package).values(service_package=None)
    else:
        own = own.where(col(BikeRow.policy_number) == contract.row.policy_number).values(
            insurance="", policy_number="", insurance_start=None
        )
    await session.exec(own)
    row.ended_at = row.updated_at = now
    await session.flush()


async def _changed(
    context: Context,
    session: AsyncSession,
    row: ContractEndRow,
    now: datetime,
    *,
    by_customer: bool,
    departure: Departure | None = None,
) -> None:
    """Settle the links, notify open pages and staff, and mail the new status, or why it ended with its bike."""
    row.updated_at = now
    await Links(context).settle(session, LinkPurpose.CONTRACT_END, _subject(row))
    await session.flush()
    await live.publish(session, row.customer_id, Topic.CONTRACTS, now)
    await record_case(session, row, now, by_customer=by_customer)
    to = await addressee(session, row.customer_id)
    await Outbox(context).post(
        session,
        Template.CONTRACT_END,
        recipient=to.email,
        locale=to.locale,
        customer_id=row.customer_id,
        details=await _details(context, session, row, to.locale, departure),
    )


async def _details(
    context: Context,
    session: AsyncSession,
    row: ContractEndRow,
    locale: Locale,
    departure: Departure | None = None,
) -> dict[str, Any]:
    contract = await ContractQueries(session, row.customer_id).get(row.contract)
    contract = replace(contract, departure=departure or contract.departure)
    called = await bike_called(session, contract.bike)
    return mail_details(end_account(contract, row, context.settings), contract, called, locale)


def mail_details(account: Account, contract: TakenOut, called: LocalizedText, locale: Locale) -> dict[str, Any]:
    paid = account.money
    about = LocalizedText.each(lambda each: f"{contract.product.text(each)}, {called.text(each)}")
    return {
        "subject": subject_line(account.meaning, about).text(locale),
        "about": about.text(locale),
        "title": account.title.text(locale),
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "reference": account.reference,
        "contract": contract.reference,
        "facts": [
            [fact.label.text(locale), " ".join(line.text(locale) for line in fact.lines)] for fact in account.facts
        ],
        "amounts": [[line.label.text(locale), money(line.amount, locale)] for line in paid.lines],
        "total": [paid.label.text(locale), money(paid.total, locale)] if paid.lines else [],
        "money_note": paid.note.text(locale),
        "next_steps": [text.text(locale) for text in account.next_steps],
    }


def _subject(row: ContractEndRow) -> Subject:
    return Subject(row.id, row.customer_id)


async def end_contracts(context: Context, session: AsyncSession, departed: Departed) -> None:
    contracts = ContractQueries(session, departed.customer_id)
    for bike_id in departed.bike_ids:
        for contract in await contracts.all(bike_id):
            dependent = DEPENDENTS[contract.kind]
            if outcome(departed.final, dependent).effect is Effect.ENDS:
                money = outcome(departed.departure, dependent).money
                await end_with_bike(context, session, contract, departed, money)
