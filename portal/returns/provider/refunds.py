"""The money of a return: how much may be refunded, to which account, and who agreed (decision 0152)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.cases import add_event, case_of
from portal.backend.context import Context
from portal.backend.staff import StaffMember, acting
from portal.contract.errors import Conflict, InvalidInput
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue, sepa_iban
from portal.orders.provider.money import UNCLEAR
from portal.returns.api import RefundAccount
from portal.returns.provider.documents import notify_of_account
from portal.returns.provider.return_case import ending
from portal.settings import Settings
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.columns import ZERO
from portal.tables.customers import CustomerRow
from portal.tables.exchange import RefundAccountRow, RefundConfirmationRow, RefundPaymentRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.staff import AuditRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.returns import GIVES_BACK, NEVER_REQUESTED, ReturnKind, ReturnStatus


def kind_of_case(row: ReturnRow) -> CaseKind:
    return CaseKind.WITHDRAWAL if row.kind is ReturnKind.WITHDRAWAL else CaseKind.RETURN


def takes_account(row: ReturnRow, *, exported: bool) -> bool:
    """Whether an account can be entered: money is to come back, and is not on its way."""
    if exported or row.status in GIVES_BACK | NEVER_REQUESTED or row.status is ReturnStatus.REFUND_PROCESSED:
        return False
    refund = row.settlement.get("refund") if row.refund_amount is None else row.refund_amount
    return Decimal(refund or ZERO) > 0


async def is_exported(session: AsyncSession, row: ReturnRow) -> bool:
    query = select(RefundPaymentRow.return_id).where(RefundPaymentRow.return_id == row.id)
    return (await session.exec(query)).first() is not None


async def enter_account(
    context: Context, session: AsyncSession, row: ReturnRow, account: RefundAccount, member: StaffMember | None
) -> str:
    """Enter or replace the account to which a return is refunded, and mail its last digits to the customer."""
    exported = await is_exported(session, row)
    if not takes_account(row, exported=exported):
        raise Conflict(Code.REFUND_EXPORTED if exported else Code.STATUS_NOT_ALLOWED)
    if member and member.id == (await deciders(session, [row.reference])).get(row.reference):
        raise Conflict(Code.SECOND_PERSON_REQUIRED)
    try:
        iban = sepa_iban(account.iban)
    except InvalidValue:
        raise InvalidInput(Code.INVALID_INPUT, fields={"iban": Code.INVALID_IBAN}) from None
    holder = " ".join(account.holder.split())
    if not holder:
        raise InvalidInput(Code.INVALID_INPUT, fields={"holder": Code.REQUIRED})
    now, person = context.clock(), member.id if member else None
    stored = await session.get(RefundAccountRow, row.id)
    if stored is None:
        session.add(RefundAccountRow(return_id=row.id, holder=holder, iban=iban, entered_by=person, entered_at=now))
    else:
        stored.holder, stored.iban, stored.entered_by, stored.entered_at = holder, iban, person, now
    await session.exec(delete(RefundConfirmationRow).where(col(RefundConfirmationRow.return_id) == row.id))
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, now)
    await tell(
        session,
        kind_of_case(row),
        row.reference,
        CaseEventType.REFUND_ACCOUNT,
        now,
        by_customer=member is None,
        details={"holder": holder, "account": ending(iban)},
    )
    await notify_of_account(context, session, row, holder, iban[-4:])
    return ending(iban)


async def confirm(context: Context, session: AsyncSession, row: ReturnRow, member: StaffMember) -> None:
    """Confirm a decided refund as the second person. Repeated, it changes nothing."""
    approval = (await approvals(session, context.settings, [row]))[row.id]
    if approval.confirmed_by is not None:
        return
    if not approval.waits:
        raise Conflict(Code.STATUS_NOT_ALLOWED)
    if member.id in approval.involved:
        raise Conflict(Code.SECOND_PERSON_REQUIRED)
    session.add(RefundConfirmationRow(return_id=row.id, staff_id=member.id, confirmed_at=context.clock()))
    await session.flush()
    await tell(session, kind_of_case(row), row.reference, CaseEventType.REFUND_CONFIRMED, context.clock())


async def tell(
    session: AsyncSession,
    kind: CaseKind,
    reference: str,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: Mapping[str, object] | None = None,
) -> None:
    case = await case_of(session, kind, reference)
    if case is not None:
        case.version, case.changed_at = case.version + 1, now
        await add_event(session, case, happened, now, by_customer=by_customer, details=details)


@dataclass(frozen=True, slots=True)
class Approval:
    """Who agreed to a refund.

    `waits`: whether a second person has to confirm it.
    `unclear`: whether the amounts of its order do not add up.
    `confirmed_by`: primary key of the second person.
    `address_change`: the last such change; None without one.
    """

    waits: bool
    confirmed_by: int | None
    involved: frozenset[int]
    address_change: AuditRow | None = None
    unclear: bool = False


async def approvals(session: AsyncSession, settings: Settings, rows: Iterable[ReturnRow]) -> dict[int, Approval]:
    """Who agreed to refunds, by primary key of the return."""
    by_key = {row.id: row for row in rows}
    entered = select(RefundAccountRow.return_id, RefundAccountRow.entered_by)
    accounts = dict((await session.exec(entered.where(col(RefundAccountRow.return_id).in_(by_key)))).all())
    given = select(RefundConfirmationRow.return_id, RefundConfirmationRow.staff_id)
    confirmed = dict((await session.exec(given.where(col(RefundConfirmationRow.return_id).in_(by_key)))).all())
    decided = await deciders(session, [row.reference for row in by_key.values()])
    changes = await _address_changes(session, by_key)
    unclear = await _unclear(session, by_key)
    return {
        key: Approval(
            waits=row.status is ReturnStatus.CLOSED
            and ((row.refund_amount or ZERO) > settings.refund_alone_up_to or key in changes or key in unclear)
            and key not in confirmed,
            confirmed_by=confirmed.get(key),
            involved=frozenset(
                filter(
                    None,
                    (decided.get(row.reference), accounts.get(key), *(each.staff_id for each in changes.get(key, ()))),
                )
            ),
            address_change=changes[key][-1] if key in changes else None,
            unclear=key in unclear,
        )
        for key, row in by_key.items()
    }


async def _unclear(session: AsyncSession, keys: Collection[int]) -> set[int]:
    """Which of these returns are of an order whose amounts do not add up."""
    query = (
        select(ReturnUnitRow.return_id)
        .join(OrderLineRow, col(OrderLineRow.id) == col(ReturnUnitRow.order_line_id))
        .join(OrderRow, col(OrderRow.id) == col(OrderLineRow.order_id))
        .where(col(ReturnUnitRow.return_id).in_(keys), UNCLEAR)
    )
    return set(await session.exec(query))


async def _address_changes(session: AsyncSession, keys: Collection[int]) -> dict[int, list[AuditRow]]:
    """By return, how staff changed the customer's e-mail address before the account was entered on the customer's page.

    Whoever receives the mail of a customer can log in as them.
    """
    query = (
        select(ReturnRow.id, AuditRow)
        .join(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .join(CustomerRow, col(CustomerRow.id) == col(ReturnRow.customer_id))
        .join(AuditRow, (col(AuditRow.kind) == "customer") & (col(AuditRow.reference) == col(CustomerRow.public_id)))
        .where(
            col(ReturnRow.id).in_(keys),
            col(RefundAccountRow.entered_by).is_(None),
            col(AuditRow.action).in_((AuditAction.CORRECT_EMAIL, AuditAction.MERGE_CUSTOMERS)),
            col(AuditRow.happened_at) <= col(RefundAccountRow.entered_at),
        )
        .order_by(col(AuditRow.id))
    )
    found: dict[int, list[AuditRow]] = defaultdict(list)
    for key, change in (await session.exec(query)).all():
        found[key or 0].append(change)
    return dict(found)


async def deciders(
    session: AsyncSession,
    references: Iterable[str],
    kinds: Collection[CaseKind] = (CaseKind.RETURN, CaseKind.WITHDRAWAL),
    status: str = ReturnStatus.CLOSED.value,
) -> dict[str, int]:
    """Who decided refunds last, by reference; nobody for those that a system of the shop or a customer decided."""
    query = (
        select(CaseRow.reference, CaseEventRow.staff_id)
        .join(CaseEventRow, col(CaseEventRow.case_id) == col(CaseRow.id))
        .where(
            col(CaseRow.kind).in_(kinds),
            col(CaseRow.reference).in_(references),
            CaseEventRow.status == status,
            col(CaseEventRow.type).in_((CaseEventType.STATUS_CHANGED, CaseEventType.CLOSED)),
        )
        .order_by(col(CaseEventRow.id))
    )
    return {reference: person for reference, person in (await session.exec(query)).all() if person is not None}


async def require_approval(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Refuse that somebody of staff records a payment that needs a second person.

    A system of the shop reports what was paid elsewhere; who agreed to that is its own affair.
    """
    if acting.get() and (await approvals(session, context.settings, [row]))[row.id].waits:
        raise Conflict(Code.SECOND_PERSON_REQUIRED)
