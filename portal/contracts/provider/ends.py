"""The end of a contract: declared, confirmed, taken back, processed; and the job that ends it on its day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import partial

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import Departed
from portal.backend.bike_names import bike_called
from portal.backend.context import Context
from portal.backend.letter import account_values, subject_line
from portal.backend.mail import Template
from portal.backend.security import masked_email
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict
from portal.contract.models import Locale
from portal.contracts.provider.account import DEPENDENTS, end_account
from portal.contracts.provider.queries import ContractQueries, TakenOut, locked
from portal.contracts.rules import Ending, ending, ending_with_bike
from portal.declarations.provider import REFERENCE_LENGTH, Declarations, key_of
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM, end_of_day, local_day
from portal.kernel.terms import REFUND_DAYS
from portal.kernel.validation import short_id
from portal.login.provider.queries import addressee
from portal.settings import Settings
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.columns import ZERO
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import BINDING, CONTRACT_ENDS, END_STATUSES, EndKind, EndStatus
from portal.vocabulary.departures import Departure, Effect, Money, outcome
from portal.vocabulary.links import LinkPurpose

_REFUND = timedelta(days=REFUND_DAYS)


def _promised(row: ContractEndRow) -> datetime:
    """The day of the refund that the customer was told; without one the last day of the contract."""
    if not row.refund:
        return end_of_day(row.ends_on)
    first = local_day(row.received_at) if row.ending is EndKind.WITHDRAWAL else row.ends_on
    return end_of_day(first + _REFUND)


async def _details(
    context: Context,
    session: AsyncSession,
    row: ContractEndRow,
    locale: Locale,
    departure: Departure | None = None,
) -> dict[str, object]:
    contract = await ContractQueries(session, row.customer_id).get(row.contract)
    contract = replace(contract, departure=departure or contract.departure)
    called = await bike_called(session, contract.bike)
    return mail_details(end_account(contract, row, context.settings), contract, called, locale)


def mail_details(account: Account, contract: TakenOut, called: LocalizedText, locale: Locale) -> dict[str, object]:
    about = LocalizedText.each(lambda each: f"{contract.product.text(each)}, {called.text(each)}")
    values = account_values(account, locale, subject_line(account.meaning, about))
    # A note in a mail is what staff wrote.
    values["money_note"] = values.pop("note")
    return {
        **values,
        "about": about.text(locale),
        "contract": contract.reference,
        "facts": [[label, " ".join(lines)] for label, lines in values["facts"]],
        "amounts": values["costs"],
        "total": values["total"] if account.money.lines else [],
    }


def following(row: ContractEndRow) -> list[EndStatus]:
    """The statuses it can move to; once the contract has ended, it cannot be taken back."""
    return [
        status for status in CONTRACT_ENDS.following(row.status) if status is not _S.TAKEN_BACK or can_take_back(row)
    ]


async def _account(context: Context, session: AsyncSession, row: ContractEndRow, named: bool) -> Account:
    contract = await ContractQueries(session, row.customer_id).get(row.contract)
    return end_account(contract, row, context.settings, named=named)


_S = EndStatus
ENDS = Declarations(
    table=ContractEndRow,
    kind=CaseKind.CONTRACT_END,
    purpose=LinkPurpose.CONTRACT_END,
    topic=Topic.CONTRACTS,
    entries=END_STATUSES,
    final=CONTRACT_ENDS.ends,
    template=Template.CONTRACT_END_DECLARED,
    details=_details,
    account=_account,
    lock=locked,
    following=following,
    about=lambda row: {"contract": row.contract, "ending": row.ending},
    promised=lambda row: _promised(row) if row.status is _S.CONFIRMED else None,
)

JOB = "contract_end"
"""Kind of the job that ends a contract; its reference is the primary key of the end."""

_TRIES = timedelta(days=30)


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
    key = key_of(customer_id, reference, declared.key)
    waiting = next((row for row in contract.ends if row.status is _S.RECEIVED), None)
    if before := await ENDS.of_key(session, customer_id, key) or (waiting if declared.guest else None):
        return before
    now = context.clock()
    found = ending_of(contract, now, context.settings)
    if contract.is_ending or found.kind is not declared.seen:
        raise Conflict(Code.STATUS_CHANGED)
    to = await addressee(session, customer_id)
    row = ContractEndRow(
        reference=short_id(REFERENCE_LENGTH),
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
        await ENDS.receive(context, session, row)
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
    await ENDS.changed(context, session, row, now, Template.CONTRACT_END, by_customer=by_customer)


async def take_back(context: Context, session: AsyncSession, row: ContractEndRow, *, by_customer: bool = True) -> None:
    """Take back an end that the transaction has locked, as long as the contract has not ended."""
    if row.status is _S.TAKEN_BACK:
        return
    if not can_take_back(row):
        raise Conflict(Code.STATUS_CHANGED)
    row.status = _S.TAKEN_BACK
    await ENDS.changed(context, session, row, context.clock(), Template.CONTRACT_END, by_customer=by_customer)


def can_take_back(row: ContractEndRow) -> bool:
    """Whether an end can be taken back: it was not processed, and the contract has not ended."""
    return CONTRACT_ENDS.allows(row.status, _S.TAKEN_BACK) and row.ended_at is None


async def process(context: Context, session: AsyncSession, row: ContractEndRow, *, by_customer: bool = False) -> None:
    now = context.clock()
    row.status, row.processed_at = _S.PROCESSED, now
    await ENDS.changed(context, session, row, now, Template.CONTRACT_END, by_customer=by_customer)


def refund_due(row: ContractEndRow) -> bool:
    """Whether finance has to pay something back: `REFUND_DUE` of one row."""
    return row.status in BINDING and row.ended_at is not None and row.refund > ZERO and row.refunded_at is None


async def record_refunded(context: Context, session: AsyncSession, row: ContractEndRow) -> None:
    """Record that the refund of an end that the transaction has locked was paid, and mail it. Nothing is left to do."""
    row.refunded_at = context.clock()
    if row.status is _S.CONFIRMED:
        await process(context, session, row)
    else:
        await ENDS.changed(context, session, row, row.refunded_at, Template.CONTRACT_END, by_customer=False)


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
            reference=short_id(REFERENCE_LENGTH),
            customer_id=departed.customer_id,
            contract=contract.reference,
            kind=contract.kind,
            ending=found.kind,
            name="",
            email=masked_email(to.email),
            key=key_of(departed.customer_id, contract.reference, departed.departure),
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
    details = partial(_details, departure=departed.final)
    await ENDS.changed(context, session, row, now, Template.CONTRACT_END, by_customer=False, details=details)


async def _end(session: AsyncSession, row: ContractEndRow, now: datetime) -> None:
    """Take the package or insurance from the bike, unless the bike has another one meanwhile."""
    contract = await ContractQueries(session, row.customer_id).get(row.contract)
    own = select(BikeRow).where(col(BikeRow.id) == contract.bike.id, col(BikeRow.customer_id) == row.customer_id)
    locked_bike = own.with_for_update().execution_options(populate_existing=True)
    for bike in await session.exec(locked_bike):
        if isinstance(contract.row, PackageOrderRow):
            if bike.service_package == contract.row.package:
                bike.service_package = None
        elif bike.policy_number == contract.row.policy_number:
            bike.insurance, bike.policy_number, bike.insurance_start = "", "", None
    row.ended_at = row.updated_at = now
    await session.flush()


async def end_contracts(context: Context, session: AsyncSession, departed: Departed) -> None:
    contracts = ContractQueries(session, departed.customer_id)
    for bike_id in departed.bike_ids:
        for contract in await contracts.all(bike_id):
            dependent = DEPENDENTS[contract.kind]
            if outcome(departed.final, dependent).effect is Effect.ENDS:
                money = outcome(departed.departure, dependent).money
                await end_with_bike(context, session, contract, departed, money)
