"""Operations on customers: search, card, visits, merging, and corrections. Always audited."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, UniqueConstraint, and_, delete, exists, func, tuple_, update
from sqlalchemy import Table as SqlTable
from sqlalchemy import select as select_columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.account.api import CustomerUpdate
from portal.account.provider import accepted
from portal.backend import security
from portal.backend.backoffice import BackOfficeCase, TransitionRequest
from portal.backend.cases import add_event
from portal.backend.context import Context
from portal.backend.database import PagePosition
from portal.backend.live import publish
from portal.backend.outbox import Outbox
from portal.backend.security import Purpose, keyed_hash
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffMember, in_name, write_audit
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import PAGE_SIZE, Page
from portal.contract.session import VISIT_PATH
from portal.contracts.provider.service import CONTRACT_END
from portal.deliveries.provider.cases import DATE_CHANGE
from portal.insurance.provider.backoffice import INSURANCE
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.search import read_search
from portal.kernel.texts import known_locale
from portal.kernel.validation import InvalidValue
from portal.login.provider.codes import notify_address, typed_email
from portal.privacy.provider.inventory import INVENTORY
from portal.returns.provider.backoffice import RETURN
from portal.staff.api.customers import (
    AddressEntry,
    CancelEntry,
    CustomerBike,
    CustomerCard,
    CustomersApi,
    CustomerSearch,
    CustomerSiteLink,
    EmailEntry,
    FoundCustomer,
    FrameNumberEntry,
    MergedSide,
    MergeEntry,
    StoreEntry,
    VisitEntry,
)
from portal.staff.provider.base import SHOWN, audit_case, given_reason, log_out, refuse_field
from portal.staff.provider.cards import RevealService, decide, matching, newest_orders, to_bike, to_card, to_found
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportedRow
from portal.tables.orders import PartnerRow
from portal.tables.search import write_search_texts
from portal.tables.staff import CustomerVisitRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CANCELLED_AS, HANDED_OVER, CaseEventType, CaseKind, CaseState
from portal.withdrawals.provider.declarations import WITHDRAWAL
from portal.work_orders.provider.backoffice import WORK_ORDER

ENDED = frozenset(
    {
        "changes", "customer_visits", "data_exports", "email_changes", "erasure_codes", "login_challenges",
        "passkey_challenges", "passkeys", "passwords", "sessions",
    }
)  # fmt: skip
"""Tables whose rows are deleted: logins and codes, copies of data, and counters of pages of the merged customer."""


async def merge(session: AsyncSession, kept: CustomerRow, merged: CustomerRow) -> dict[str, int]:
    """Move everything of `merged` to `kept`, and delete `merged`, in the caller's transaction.

    Where both have what each customer has once, such as a draft of the same flow, that of `kept` stays.
    """
    counts: dict[str, int] = {}
    for stored in INVENTORY:
        table = stored.table
        if "customer_id" not in table.c:
            continue
        of_merged = table.c.customer_id == merged.id
        if table.name in ENDED:
            await session.exec(delete(table).where(of_merged))
            continue
        for twice in _twice(table, kept.id):
            await session.exec(delete(table).where(of_merged, twice))
        moved = await session.exec(update(table).where(of_merged).values(customer_id=kept.id))
        if moved.rowcount:
            counts[table.name] = moved.rowcount
    await session.exec(update(CaseRow).where(col(CaseRow.customer_id) == kept.id).values(source=kept.source))
    # A later import of the merged customer goes to the one who remains.
    imported = update(ImportedRow).where(col(ImportedRow.kind) == "customers", col(ImportedRow.row_id) == merged.id)
    await session.exec(imported.values(row_id=kept.id))
    await session.delete(merged)
    await session.flush()
    return counts


def _twice(table: SqlTable, kept_id: int) -> Iterator[ColumnElement[bool]]:
    """Conditions on rows that could not move, because the customer who remains has the same one."""
    for names, where in _unique_per_customer(table):
        others = [table.c[name] for name in names if name != "customer_id"]
        own = and_(table.c.customer_id == kept_id, *where)
        if others:
            yield and_(tuple_(*others).in_(select_columns(*others).where(own)), *where)
        else:
            yield exists(select_columns(table.c.customer_id).where(own))


def _unique_per_customer(table: SqlTable) -> Iterator[tuple[list[str], list[Any]]]:
    """The columns of every uniqueness rule with the customer in it, and the condition of a partial index."""
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint) and "customer_id" in constraint.columns:
            yield [column.name for column in constraint.columns], []
    for index in table.indexes:
        if index.unique and "customer_id" in index.columns:
            where = index.dialect_options["sqlite"]["where"]
            yield [column.name for column in index.columns], [] if where is None else [where]


CANCELLED_BY: Mapping[CaseKind, BackOfficeCase] = {
    CaseKind.REPAIR: WORK_ORDER,
    CaseKind.SERVICE: WORK_ORDER,
    CaseKind.CLAIM: WORK_ORDER,
    CaseKind.RETURN: RETURN,
    CaseKind.INSURANCE: INSURANCE,
    CaseKind.DATE_CHANGE: DATE_CHANGE,
    CaseKind.WITHDRAWAL: WITHDRAWAL,
    CaseKind.CONTRACT_END: CONTRACT_END,
}
"""What moves a case to its status of `CANCELLED_AS`, by kind."""

_TAKEN = {
    "name_of": ("first_name", "prefix", "last_name"),
    "email_of": ("email", "email_key"),
    "address_of": (
        "street", "house_number", "house_number_addon", "post_code", "city", "country_code", "phone",
    ),
}  # fmt: skip
"""The columns of each choice of a merge."""


class CorrectionsService(RevealService):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)

    @override
    async def correct_frame_number(self, token: str, bike_id: str, entry: FrameNumberEntry) -> CustomerBike:
        operation = CustomersApi.correct_frame_number
        async with self._staff.changing(token, operation) as (member, session):
            bike = await self._correctable_bike(session, member, bike_id, operation)
            number = None if entry.unknown else _frame_number(entry.frame_number)
            reason = given_reason(entry.reason, needed=False)
            if number == bike.frame_number:
                return to_bike(bike)
            details = {"known_before": bool(bike.frame_number), "known": bool(number)}
            bike.frame_number = number
            cases = (
                select(CaseRow)
                .join(RequestRow, col(RequestRow.reference) == col(CaseRow.reference))
                .where(RequestRow.bike_id == bike.id, CaseRow.state != CaseState.DONE)
            )
            for case in await session.exec(cases):
                await self._corrected(session, member, case, "frame_number")
            await publish(session, bike.customer_id, Topic.REQUESTS, member.called_at)
            await write_audit(
                session, member, AuditAction(operation.__name__), "bike", bike.public_id, reason=reason, details=details
            )
            return to_bike(bike)

    async def _corrected(self, session: AsyncSession, member: StaffMember, case: CaseRow, what: str) -> None:
        case.version += 1
        case.changed_at = member.called_at
        await add_event(session, case, CaseEventType.CORRECTED, member.called_at, details={"what": what})

    @override
    async def correct_email(self, token: str, customer_id: str, entry: EmailEntry) -> CustomerCard:
        operation = CustomersApi.correct_email
        async with self._staff.changing(token, operation) as (member, session):
            row = await self._customer(session, member, customer_id, operation, lock=True)
            email, reason = _email(entry, row)
            old = row.email
            row.email, row.email_key, row.updated_at = email, validation.email_key(email), member.called_at
            await decide(session, row, {"email"})
            await log_out(session, row, member.called_at)
            await notify_address(session, self._outbox, row.id, known_locale(row.locale), email, (old, email))
            await write_audit(
                session, member, AuditAction(operation.__name__), "customer", row.public_id, reason=reason
            )
            return await to_card(session, row, member, self._settings)

    @override
    async def correct_address(self, token: str, customer_id: str, entry: AddressEntry) -> CustomerCard:
        operation = CustomersApi.correct_address
        async with self._staff.changing(token, operation) as (member, session):
            row = await self._customer(session, member, customer_id, operation, lock=True)
            reason = given_reason(entry.reason, needed=False)
            names = {"first_name": row.first_name, "prefix": row.prefix, "last_name": row.last_name}
            values = accepted(CustomerUpdate(**{**entry.model_dump(exclude={"reason"}), **names}))
            changed = sorted(name for name, value in values.items() if getattr(row, name) != value)
            for name in changed:
                setattr(row, name, values[name])
            row.updated_at = member.called_at
            await decide(session, row, changed)
            details = {"fields": changed}
            await write_audit(
                session,
                member,
                AuditAction(operation.__name__),
                "customer",
                row.public_id,
                reason=reason,
                details=details,
            )
            return await to_card(session, row, member, self._settings)

    @override
    async def correct_store(self, token: str, entry: StoreEntry) -> None:
        operation = CustomersApi.correct_store
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = given_reason(entry.reason, needed=False)
            open_stores = select(PartnerRow).where(
                PartnerRow.public_id == entry.store_id, col(PartnerRow.closed).is_(False)
            )
            store = (await session.exec(open_stores)).first()
            if store is None:
                raise refuse_field("store_id", Code.INVALID_CHOICE)
            if case.partner_id == store.id:
                return
            before = case.partner_id
            if entry.kind in HANDED_OVER:
                # The customer is told where to bring the bike, as whenever the service location changes.
                request = TransitionRequest(status=case.status, partner=store.public_id)
                await WORK_ORDER.move(self._context, session, case.reference, request)
            case.partner_id, case.version, case.changed_at = store.id, case.version + 1, member.called_at
            details = {"from": before, "to": store.id}
            await add_event(session, case, CaseEventType.MOVED_TO_STORE, member.called_at, details=details)
            await audit_case(session, member, operation, case, reason, details)

    @override
    async def cancel_for_customer(self, token: str, entry: CancelEntry) -> None:
        operation = CustomersApi.cancel_for_customer
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = given_reason(entry.reason, needed=True)
            if entry.kind not in CANCELLED_BY:
                raise Conflict(Code.STATUS_NOT_ALLOWED)
            request = TransitionRequest(status=CANCELLED_AS[entry.kind])
            spoken = in_name.set(True)
            try:
                moved = await CANCELLED_BY[entry.kind].move(self._context, session, case.reference, request)
            finally:
                in_name.reset(spoken)
            details: dict[str, object] = {"before": moved.before, "status": moved.status}
            await audit_case(session, member, operation, case, reason, details)

    @override
    async def merge_customers(self, token: str, customer_id: str, entry: MergeEntry) -> CustomerCard:
        operation = CustomersApi.merge_customers
        async with self._staff.changing(token, operation) as (member, session):
            kept = await self._customer(session, member, customer_id, operation, lock=True)
            reason = given_reason(entry.reason, needed=True)
            try:
                merged = await self._customer(session, member, entry.merged_id, operation, lock=True)
            except NotFound:
                raise refuse_field("merged_id", Code.INVALID_CHOICE) from None
            if merged.id == kept.id:
                raise refuse_field("merged_id", Code.INVALID_CHOICE)
            addresses = dict.fromkeys((kept.email, merged.email))
            taken = {
                name: getattr(merged, name)
                for choice, names in _TAKEN.items()
                if getattr(entry, choice) is MergedSide.MERGED
                for name in names
            }
            moved_address = taken.get("email_key", kept.email_key) != kept.email_key
            counts = await merge(session, kept, merged)
            await (await session.connection()).run_sync(write_search_texts, [kept.id])
            kept.sqlmodel_update({**taken, "updated_at": member.called_at})
            if moved_address:
                await log_out(session, kept, member.called_at)
            if len(addresses) > 1:
                await notify_address(session, self._outbox, kept.id, known_locale(kept.locale), kept.email, addresses)
            for topic in Topic:
                await publish(session, kept.id, topic, member.called_at)
            details = {"merged": entry.merged_id, "taken": sorted(taken), "rows": counts}
            await write_audit(
                session,
                member,
                AuditAction(operation.__name__),
                "customer",
                kept.public_id,
                reason=reason,
                details=details,
            )
            return await to_card(session, kept, member, self._settings)


def _email(entry: EmailEntry, row: CustomerRow) -> tuple[str, str]:
    wrong: dict[str, Code] = {}
    email = reason = ""
    try:
        email = typed_email(entry.email)
        if validation.email_key(email) == row.email_key:
            wrong["email"] = Code.SAME_EMAIL
    except InvalidInput as refusal:
        wrong |= refusal.fields
    try:
        reason = given_reason(entry.reason, needed=True)
    except InvalidInput as refusal:
        wrong |= refusal.fields
    if wrong:
        raise InvalidInput(next(iter(wrong.values())), fields=wrong)
    return email, reason


def _frame_number(text: str) -> str:
    try:
        return validation.frame_number(text)
    except InvalidValue as refusal:
        raise refuse_field("frame_number", refusal.code) from None


MIN_CHARACTERS = 3
"""Characters of the shortest search."""

LINK_SECONDS = 120
"""How long the link to the customers' site works; it is opened at once."""


class CustomersService(CorrectionsService):
    @override
    async def find_customers(self, token: str, search: CustomerSearch) -> Page[FoundCustomer]:
        async with self._staff.changing(token, CustomersApi.find_customers) as (member, session):
            text = " ".join(search.text.split())
            if len(text) < MIN_CHARACTERS:
                raise refuse_field("text", Code.TOO_SHORT if text else Code.REQUIRED)
            by, found = matching(read_search(text), text)
            # The index holds everything that this asks for; the rows themselves are read by key.
            order = (col(CustomerRow.search_text), col(CustomerRow.id))
            listed = select(CustomerRow.id).where(found).order_by(*order)
            keys = (await session.exec(listed.limit(PAGE_SIZE + 1))).all()
            total = len(keys)
            if total > PAGE_SIZE:
                # Of these, the first ones come at once. Few are found by reading all texts, and counted by that.
                total = (await session.exec(select(func.count()).select_from(CustomerRow).where(found))).one()
            place = PagePosition.of(search.page, total)
            if total > PAGE_SIZE:
                keys = (await session.exec(listed.offset(place.offset).limit(PAGE_SIZE))).all()
            rows = (await session.exec(select(CustomerRow).where(col(CustomerRow.id).in_(keys)).order_by(*order))).all()
            orders = await newest_orders(session, rows)
            searched = keyed_hash(self._settings, Purpose.LOG, "customer search", text.casefold())[:16]
            details = {"by": by, "searched": searched, "found": total, SHOWN: [row.public_id for row in rows]}
            await write_audit(session, member, AuditAction.FIND_CUSTOMERS, "customer", details=details)
        return Page(
            items=[to_found(row, orders.get(row.id, ""), self._settings.shop_name(row.source)) for row in rows],
            page=place.page,
            pages=place.pages,
            total=place.total,
        )

    @override
    async def customer_card(self, token: str, customer_id: str) -> CustomerCard:
        async with self._staff.changing(token, CustomersApi.customer_card) as (member, session):
            row = await self._customer(session, member, customer_id, CustomersApi.customer_card)
            await write_audit(session, member, AuditAction.CUSTOMER_CARD, "customer", row.public_id)
            return await to_card(session, row, member, self._settings)

    @override
    async def visit_customer(self, token: str, customer_id: str, entry: VisitEntry) -> CustomerSiteLink:
        async with self._staff.changing(token, CustomersApi.visit_customer) as (member, session):
            row = await self._customer(session, member, customer_id, CustomersApi.visit_customer)
            link, expires_at = security.new_challenge(), member.called_at + timedelta(seconds=LINK_SECONDS)
            session.add(
                CustomerVisitRow(
                    link_hash=security.challenge_hash(link),
                    staff_id=member.id,
                    customer_id=row.id,
                    mode=entry.mode,
                    created_at=member.called_at,
                    expires_at=expires_at,
                )
            )
            details = {"mode": entry.mode.value}
            await write_audit(session, member, AuditAction.VISIT_CUSTOMER, "customer", row.public_id, details=details)
            site = self._settings.of(row.source).address
        return CustomerSiteLink(url=f"{site}{VISIT_PATH}/{link}", expires_at=expires_at)
