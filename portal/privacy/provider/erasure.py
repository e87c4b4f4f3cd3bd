"""Erasure of a customer: what prevents it, the statements that do it, and the periods of retention (part-1 §13)."""

from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Delete, Update, delete, update
from sqlmodel import and_, col, exists, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full
from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.security import reader
from portal.bikes.provider.queries import BikeQueries
from portal.kernel import terms
from portal.kernel.days import AMSTERDAM
from portal.orders.provider.money import OWED
from portal.privacy.api import Running
from portal.privacy.provider.inventory import BY_TABLE, INVENTORY, OnErasure, StoredData, emptied, holds_something
from portal.setting_groups import Retention
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.cases import CaseRow
from portal.tables.customers import (
    CustomerRow,
    DataExportRow,
    EmailChangeRow,
    ErasureCodeRow,
    LimitWindow,
    LoginChallenge,
    PasskeyChallengeRow,
    PrivacyEventRow,
    SessionRow,
)
from portal.tables.drafts import DraftRow, PhoneLinkRow, UploadRow, UploadState
from portal.tables.exchange import (
    ImportRunRow,
    RefundAccountRow,
    RejectedRecordRow,
    WaitingRecordRow,
    WebhookDeliveryRow,
)
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.messages import CaseMessageRow, ConfirmationLinkRow, IdempotencyKeyRow, OutboxMail, TextMessageRow
from portal.tables.orders import InvoiceDocumentRow, InvoiceRow, OrderAddressRow, OrderRow
from portal.tables.returns import ReturnEventRow, ReturnRow, WithdrawalDeclarationRow
from portal.tables.staff import CustomerVisitRow, StaffSessionRow, StaffSignOnRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.contracts import BINDING, ContractKind, EndStatus
from portal.vocabulary.customers import PrivacyActor, PrivacyEventKind, RunningKind
from portal.vocabulary.deliveries import FINISHED_DELIVERY
from portal.vocabulary.departures import Dependent, ends
from portal.vocabulary.exchange import DeliveryState
from portal.vocabulary.insurance import OPEN_INSURANCE
from portal.vocabulary.returns import RETURN_STATUSES
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER

OPEN_RETURN = frozenset(status for status, row in RETURN_STATUSES.items() if row.transitions and not row.done)
"""Statuses of a return that is not finished."""


async def running(session: AsyncSession, customer_id: int) -> list[Running]:
    """What is not finished, so that the customer's data are needed (Regulation (EU) 2016/679, article 17(1)(a))."""
    found: list[Running] = []

    async def add(kind: RunningKind, query: Any) -> None:
        found.extend(Running(kind=kind, name=name) for name in (await session.exec(query)).all())

    await add(
        RunningKind.REQUEST,
        select(RequestRow.reference).where(
            RequestRow.customer_id == customer_id, col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER))
        ),
    )
    await add(
        RunningKind.RETURN,
        select(ReturnRow.reference).where(
            ReturnRow.customer_id == customer_id, col(ReturnRow.status).in_(sorted(OPEN_RETURN))
        ),
    )
    delivered = or_(
        col(OrderRow.delivery_status).is_(None), col(OrderRow.delivery_status).in_(sorted(FINISHED_DELIVERY))
    )
    await add(
        RunningKind.DELIVERY, select(OrderRow.order_number).where(OrderRow.customer_id == customer_id, ~delivered)
    )
    await add(
        RunningKind.PAYMENT,
        select(OrderRow.order_number).where(
            OrderRow.customer_id == customer_id,
            OWED,
        ),
    )
    await add(
        RunningKind.INSURANCE_REQUEST,
        select(InsuranceRequestRow.reference).where(
            InsuranceRequestRow.customer_id == customer_id, col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE))
        ),
    )
    found += await _contracts(session, customer_id)
    await add(
        RunningKind.CONTRACT_END,
        select(ContractEndRow.contract).where(
            ContractEndRow.customer_id == customer_id, ContractEndRow.status == EndStatus.CONFIRMED
        ),
    )
    return found


async def _contracts(session: AsyncSession, customer_id: int) -> list[Running]:
    """Insurances and service packages that run, also those bought with the bike, and the last day of cancelled ones."""
    own = select(BikeRow).where(BikeRow.customer_id == customer_id)
    either = or_(col(BikeRow.insurance) != "", col(BikeRow.service_package).is_not(None))
    bikes = (await session.exec(own.where(either).order_by(col(BikeRow.id)))).all()
    last_days: dict[tuple[ContractKind, int], date] = {}
    contracts: tuple[tuple[ContractKind, Any], ...] = (
        (ContractKind.INSURANCE, InsuranceRequestRow),
        (ContractKind.SERVICE_PACKAGE, PackageOrderRow),
    )
    for kind, table in contracts:
        query = (
            select(table.bike_id, col(ContractEndRow.ends_on))
            .join(ContractEndRow, col(ContractEndRow.contract) == table.reference)
            .where(
                ContractEndRow.customer_id == customer_id,
                ContractEndRow.kind == kind,
                col(ContractEndRow.status).in_(sorted(BINDING)),
                col(ContractEndRow.ended_at).is_(None),
            )
        )
        last_days |= {(kind, bike_id): ends_on for bike_id, ends_on in await session.exec(query)}
    departures = await BikeQueries(session, customer_id).departures([bike.id for bike in bikes])
    found: list[Running] = []
    for bike in bikes:
        key = bike.id
        if bike.insurance and not ends(departures.get(key), Dependent.INSURANCE):
            until = last_days.get((ContractKind.INSURANCE, key))
            found.append(Running(kind=RunningKind.INSURANCE, name=bike_in_full(bike, reader()), until=until))
        if bike.service_package is not None and not ends(departures.get(key), Dependent.PACKAGE):
            until = last_days.get((ContractKind.SERVICE_PACKAGE, key))
            found.append(Running(kind=RunningKind.SERVICE_PACKAGE, name=bike_in_full(bike, reader()), until=until))
    return found


async def erase(session: AsyncSession, customer_id: int, now: datetime, actor: PrivacyActor) -> None:
    """Erase a customer in the caller's transaction, and record it.

    Afterwards the stored content of files still has to be deleted (`clean_files`).
    """
    counts: dict[str, int] = {}
    for stored in INVENTORY:
        if number := await _erase_rows(session, stored, customer_id):
            counts[stored.table.name] = number
    await session.exec(update(CustomerRow).where(col(CustomerRow.id) == customer_id).values(erased_at=now))
    session.add(
        PrivacyEventRow(
            kind=PrivacyEventKind.ERASED, actor=actor, customer_id=customer_id, counts=counts, happened_at=now
        )
    )


async def _erase_rows(session: AsyncSession, stored: StoredData, customer_id: int) -> int:
    owned = stored.rows_of(customer_id)
    if stored.on_erasure is OnErasure.DELETES:
        return (await session.exec(delete(stored.table).where(owned))).rowcount
    values = emptied(stored, stored.personal)
    if stored.on_erasure is OnErasure.REMOVES_FILES:
        values["state"] = UploadState.REMOVED
    return (await session.exec(update(stored.table).where(owned).values(values))).rowcount if values else 0


AT_ONCE = 100
"""Customers that one run erases; the next run takes the others."""


async def delete_expired(context: Context) -> None:
    """Delete or empty everything whose period is over. Runs every hour, and records what it did."""
    now, periods = context.clock(), context.settings.retention
    counts: dict[str, int] = {}
    async with context.database.transaction() as session:
        keys = (await session.exec(select(DataExportRow.key).where(col(DataExportRow.expires_at) <= now))).all()
        for name, statement in (
            *_short_lived(now, periods),
            *_finished_requests(_years_ago(now, periods.request_years)),
            *_old_orders(_tax_limit(now, periods)),
        ):
            if number := (await session.exec(statement)).rowcount:
                counts[name] = counts.get(name, 0) + number
        if counts:
            session.add(
                PrivacyEventRow(
                    kind=PrivacyEventKind.EXPIRED, actor=PrivacyActor.PORTAL, counts=counts, happened_at=now
                )
            )
    store = store_of(context.settings)
    for key in keys:
        await store.remove(key)
    await _erase_inactive(context, now)


def _years_ago(now: datetime, years: int) -> datetime:
    return now - timedelta(days=365.25 * years)


def _tax_limit(now: datetime, periods: Retention) -> datetime:
    """The beginning of the oldest year whose orders are stored: the period starts when the year has ended."""
    return datetime(now.astimezone(AMSTERDAM).year - periods.tax_years, 1, 1, tzinfo=AMSTERDAM)


def _short_lived(now: datetime, periods: Retention) -> list[tuple[str, Delete]]:
    finished = or_(col(OutboxMail.sent_at).is_not(None), col(OutboxMail.dropped_at).is_not(None))
    delivered = col(WebhookDeliveryRow.state) != DeliveryState.WAITING
    day, mails = timedelta(days=1), now - timedelta(days=periods.mail_days)
    codes = now - timedelta(days=terms.CODE_DAYS)
    imports, session_days = now - timedelta(days=terms.IMPORT_DAYS), timedelta(days=terms.SESSION_DAYS)
    # A request for an address that nobody has leaves a mail without a recipient.
    unsent = and_(finished, col(OutboxMail.recipient) == "", col(OutboxMail.created_at) < now - day)
    return [
        ("login_challenges", delete(LoginChallenge).where(col(LoginChallenge.created_at) < codes)),
        ("passkey_challenges", delete(PasskeyChallengeRow).where(col(PasskeyChallengeRow.created_at) < codes)),
        ("email_changes", delete(EmailChangeRow).where(col(EmailChangeRow.created_at) < codes)),
        ("erasure_codes", delete(ErasureCodeRow).where(col(ErasureCodeRow.created_at) < codes)),
        (
            "sessions",
            delete(SessionRow).where(col(SessionRow.expires_at) < now - session_days),
        ),
        (
            "idempotency_keys",
            delete(IdempotencyKeyRow).where(
                col(IdempotencyKeyRow.created_at) < now - timedelta(days=terms.IDEMPOTENCY_DAYS)
            ),
        ),
        ("staff_sessions", delete(StaffSessionRow).where(col(StaffSessionRow.expires_at) < now - session_days)),
        ("staff_sign_ons", delete(StaffSignOnRow).where(col(StaffSignOnRow.expires_at) < now)),
        ("customer_visits", delete(CustomerVisitRow).where(col(CustomerVisitRow.expires_at) < now)),
        ("import_runs", delete(ImportRunRow).where(col(ImportRunRow.began_at) < imports)),
        ("import_waiting", delete(WaitingRecordRow).where(col(WaitingRecordRow.waiting_since) < imports)),
        (
            "import_rejected",
            delete(RejectedRecordRow).where(
                col(RejectedRecordRow.rejected_at) < imports, col(RejectedRecordRow.repaired) == ""
            ),
        ),
        (
            "invoice_documents",
            delete(InvoiceDocumentRow).where(
                col(InvoiceDocumentRow.invoice_id).is_(None), col(InvoiceDocumentRow.received_at) < imports
            ),
        ),
        ("limit_windows", delete(LimitWindow).where(col(LimitWindow.ends_at) < now)),
        ("phone_links", delete(PhoneLinkRow).where(col(PhoneLinkRow.expires_at) < codes)),
        ("drafts", delete(DraftRow).where(col(DraftRow.expires_at) < now)),
        (
            "confirmation_links",
            delete(ConfirmationLinkRow).where(
                col(ConfirmationLinkRow.expires_at) < now - timedelta(days=terms.LINK_DAYS)
            ),
        ),
        ("text_messages", delete(TextMessageRow).where(col(TextMessageRow.due_at) < mails)),
        ("outbox_mails", delete(OutboxMail).where(finished, col(OutboxMail.created_at) < mails)),
        ("outbox_mails", delete(OutboxMail).where(unsent)),
        ("webhook_deliveries", delete(WebhookDeliveryRow).where(delivered, col(WebhookDeliveryRow.created_at) < mails)),
        ("data_exports", delete(DataExportRow).where(col(DataExportRow.expires_at) <= now)),
    ]


def _finished_requests(limit: datetime) -> list[tuple[str, Update]]:
    """Empty answers, notes, messages and files of requests that were finished before a moment."""
    request = and_(col(RequestRow.status).in_(sorted(CLOSED_WORK_ORDER)), col(RequestRow.updated_at) < limit)
    given_back = and_(col(ReturnRow.status).not_in(sorted(OPEN_RETURN)), col(ReturnRow.updated_at) < limit)
    insured = and_(
        col(InsuranceRequestRow.status).not_in(sorted(OPEN_INSURANCE)), col(InsuranceRequestRow.updated_at) < limit
    )
    keys = [
        select(table.draft_key).where(condition, col(table.draft_key).is_not(None))
        for table, condition in ((RequestRow, request), (ReturnRow, given_back), (InsuranceRequestRow, insured))
    ]
    # Photos that staff took of what arrived.
    keys.append(select(ReturnRow.public_id).where(given_back))
    written = col(CaseMessageRow.case_id).in_(select(CaseRow.id).where(col(CaseRow.closed_at) < limit))
    keys.append(select(CaseMessageRow.key).where(written))
    files = and_(
        col(UploadRow.state) != UploadState.REMOVED, or_(*[col(UploadRow.request_key).in_(query) for query in keys])
    )
    return [
        ("uploads", update(UploadRow).where(files).values(state=UploadState.REMOVED, name="")),
        _emptying(RequestRow, request),
        _emptying(CaseMessageRow, written),
        _emptying(WorkOrderEventRow, col(WorkOrderEventRow.request_id).in_(select(RequestRow.id).where(request))),
        _emptying(ReturnRow, given_back),
        _emptying(ReturnEventRow, col(ReturnEventRow.return_id).in_(select(ReturnRow.id).where(given_back))),
        _emptying(RefundAccountRow, col(RefundAccountRow.return_id).in_(select(ReturnRow.id).where(given_back))),
        _emptying(InsuranceRequestRow, insured),
        _emptying(WithdrawalDeclarationRow, col(WithdrawalDeclarationRow.updated_at) < limit),
        _emptying(ContractEndRow, col(ContractEndRow.updated_at) < limit),
    ]


def _old_orders(limit: datetime) -> list[tuple[str, Update | Delete]]:
    """Empty what tax law kept of orders that were placed before a moment. The cleanup of files deletes the PDFs."""
    old = col(OrderRow.ordered_at) < limit
    of_old = col(OrderAddressRow.order_id).in_(select(OrderRow.id).where(old))
    invoices = select(InvoiceRow.id).join(OrderRow, col(OrderRow.id) == col(InvoiceRow.order_id)).where(old)
    return [
        _emptying(OrderAddressRow, of_old, tax=True),
        _emptying(OrderRow, old, tax=True),
        ("invoice_documents", delete(InvoiceDocumentRow).where(col(InvoiceDocumentRow.invoice_id).in_(invoices))),
    ]


def _emptying(row: Any, condition: ColumnElement[bool], *, tax: bool = False) -> tuple[str, Update]:
    """Empty the personal columns, or those that tax law kept, of rows where one of them still holds something."""
    stored = BY_TABLE[row.__tablename__]
    names = stored.tax if tax else stored.personal
    statement = update(stored.table).where(condition, holds_something(stored, names)).values(emptied(stored, names))
    return stored.table.name, statement


async def _erase_inactive(context: Context, now: datetime) -> None:
    """Erase customers who have no order within the period of tax law and nothing that still runs."""
    limit = _tax_limit(now, context.settings.retention)
    recent = exists().where(col(OrderRow.customer_id) == CustomerRow.id, col(OrderRow.ordered_at) >= limit)
    query = (
        select(CustomerRow.id)
        .where(col(CustomerRow.erased_at).is_(None), col(CustomerRow.created_at) < limit, ~recent)
        .order_by(col(CustomerRow.id))
        .limit(AT_ONCE)
    )
    async with context.database.session() as session:
        found = (await session.exec(query)).all()
    for customer_id in found:
        async with context.database.transaction() as session:
            if customer_id and not await running(session, customer_id):
                await erase(session, customer_id, now, PrivacyActor.PORTAL)
