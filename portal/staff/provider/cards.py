"""Customers as staff read them: results of a search, the card of one customer, and numbers that somebody reveals."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, false
from sqlmodel import and_, col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.security import reader
from portal.backend.staff import StaffMember, write_audit
from portal.contract.account import LocalizedText
from portal.contract.models import mapped
from portal.kernel import validation
from portal.kernel.address import address_lines
from portal.kernel.search import Search
from portal.kernel.texts import known_locale
from portal.login.provider.queries import to_customer
from portal.settings import Settings
from portal.staff.api.customers import (
    CustomerBike,
    CustomerCard,
    CustomerCase,
    CustomersApi,
    FinancialEntry,
    FoundCustomer,
    PinCodeEntry,
    Revealed,
    RevealReason,
    ShopValue,
)
from portal.staff.provider.base import RecordReader, audit_case, bikes_in, may_reveal, reason_for
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind, status_label
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.exchange import Side
from portal.vocabulary.staff import REVEALED_BY, HiddenNumber, Right

MAX_CASES = 50
"""Most cases on the card of a customer."""


async def to_card(session: AsyncSession, row: CustomerRow, member: StaffMember, settings: Settings) -> CustomerCard:
    orders = select(OrderRow.order_number).where(OrderRow.customer_id == row.id).order_by(col(OrderRow.id).desc())
    bikes = select(BikeRow).where(BikeRow.customer_id == row.id).order_by(col(BikeRow.id).desc())
    cases = select(CaseRow).where(member.visible_cases(), CaseRow.customer_id == row.id)
    newest = cases.order_by(col(CaseRow.opened_at).desc(), col(CaseRow.id).desc()).limit(MAX_CASES)
    revealable = select(BikeRow.id).where(BikeRow.customer_id == row.id, may_reveal(member))
    open_bikes = set(await session.exec(revealable))
    return mapped(
        CustomerCard,
        to_customer(row),
        customer_id=row.public_id,
        email_refused=await email_refused(session, row),
        locale=known_locale(row.locale),
        orders=list(await session.exec(orders)),
        bikes=[to_bike(bike, hidden=bike.id in open_bikes) for bike in await session.exec(bikes)],
        cases=[
            mapped(CustomerCase, case, status_label=LocalizedText.of(status_label(case.kind, case.status)))
            for case in await session.exec(newest)
        ],
        shop=settings.shop_name(row.source),
        shop_values=await shop_values(session, row),
    )


def to_bike(bike: BikeRow, *, hidden: bool = True) -> CustomerBike:
    return CustomerBike(
        bike_id=bike.public_id,
        name=bike.name_in(reader()),
        frame_number=bike.frame_number or "",
        hidden=hidden_of_bike(bike) if hidden else [],
    )


def to_found(row: CustomerRow, order_number: str, shop: str) -> FoundCustomer:
    return mapped(
        FoundCustomer,
        row,
        customer_id=row.public_id,
        name=row.full_name,
        address=address_lines(row).joined,
        order_number=order_number,
        shop=shop,
    )


async def newest_orders(session: AsyncSession, rows: Sequence[CustomerRow]) -> dict[int, str]:
    query = (
        select(OrderRow.customer_id, OrderRow.order_number)
        .where(col(OrderRow.customer_id).in_([row.id for row in rows]))
        .order_by(col(OrderRow.ordered_at), col(OrderRow.id))
    )
    return {customer_id: number for customer_id, number in await session.exec(query) if customer_id is not None}


def matching(search: Search, text: str = "") -> tuple[str, ColumnElement[bool]]:
    """What a search looks for, and the condition on `customers`; an erased customer is never found.

    `text`: what was typed, where it may be the key of a draft, too.
    """
    present = col(CustomerRow.search_text) != ""
    if search.email:
        return "email", present & (col(CustomerRow.email_key) == search.email)
    if search.place:
        codes, number = search.place
        here = col(CustomerRow.post_code).in_(codes) & (col(CustomerRow.house_number) == number)
        return "address", present & here
    found, by = list[ColumnElement[bool]](), "name"
    words = col(CustomerRow.search_text)
    if search.words:
        found.append(and_(*(words.contains(f" {word}", autoescape=True) for word in search.words)))
    if search.frame_number:
        by = "frame number"
        found.append(_has(BikeRow.customer_id, BikeRow.frame_number, search.frame_number))
    if search.phone:
        by = "phone"
        found.append(words.contains(f"{search.phone} ", autoescape=True))
    if search.order_number:
        by = "order"
        found.append(_has(OrderRow.customer_id, OrderRow.order_number, search.order_number))
    if validation.is_short_id(draft := re.sub(r"\s", "", text).upper()):
        found.append(_has(DraftRow.customer_id, DraftRow.public_id, draft))
    return by, present & or_(false(), *found)


def _has(owner: Any, column: Any, value: str) -> ColumnElement[bool]:
    """SQL condition: a row with this value belongs to the customer."""
    return col(CustomerRow.id).in_(select(owner).where(column == value))


async def email_refused(session: AsyncSession, row: CustomerRow) -> bool:
    """Whether the last mail to the address of a customer was refused, or came back. One that expired was not."""
    over = or_(col(OutboxMail.sent_at).is_not(None), col(OutboxMail.dropped_at).is_not(None))
    back = or_(col(OutboxMail.sent_at).is_not(None), col(OutboxMail.dropped_at) < col(OutboxMail.expires_at))
    query = (
        select(and_(col(OutboxMail.dropped_at).is_not(None), back))
        .where(OutboxMail.customer_id == row.id, OutboxMail.recipient == row.email, over)
        .order_by(col(OutboxMail.id).desc())
    )
    return bool((await session.exec(query)).first())


KIND = "customers"
"""Of the records that customers are imported from."""


async def shop_values(session: AsyncSession, row: CustomerRow) -> list[ShopValue]:
    """The fields of a customer that both sides changed, or that an import could not read, in the order of the page.

    What an import could not read of their orders and bikes follows. What agrees by now, or was filled in, is left out.
    """
    query = (
        select(ImportDifferenceRow)
        .join(ImportedRow, col(ImportedRow.id) == col(ImportDifferenceRow.imported_id))
        .where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id, col(ImportDifferenceRow.settled_at).is_(None))
    )
    here = {name: str(getattr(row, name)) for name in CUSTOMER_LABELS}
    records = select(ImportedRow).where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id)
    said: dict[str, str] = {
        note["field"]: note["sent"]
        for record in await session.exec(records)
        for note in record.notes
        if note["sent"] and str(record.values.get(note["field"])) == here.get(note["field"])
    }
    said |= {each.field: each.shop_value for each in await session.exec(query)}
    return [
        *(
            ShopValue(field=name, shop=said[name], portal=value)
            for name, value in here.items()
            if said.get(name, value) != value
        ),
        *await _unread(session, row, "orders", OrderRow),
        *await _unread(session, row, "bikes", BikeRow),
    ]


async def _unread(session: AsyncSession, row: CustomerRow, kind: str, table: Any) -> list[ShopValue]:
    query = (
        select(ImportedRow, table)
        .join(table, table.id == col(ImportedRow.row_id))
        .where(ImportedRow.kind == kind, cast(ImportedRow.notes, Text) != "[]", table.customer_id == row.id)
        .order_by(table.id)
    )
    return [
        ShopValue(
            about=own.order_number if kind == "orders" else own.name_in(reader()),
            field=note["field"],
            shop=note["sent"],
            portal="",
        )
        for record, own in (await session.exec(query)).all()
        for note in record.notes
        if note["sent"] and str(record.values.get(note["field"])) == str(getattr(own, note["field"], None))
    ]


async def decide(session: AsyncSession, row: CustomerRow, fields: Collection[str]) -> None:
    """Settle the differences of fields that staff have just corrected: what they entered holds."""
    records = select(ImportedRow.id).where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id)
    for name in fields:
        value = str(getattr(row, name))
        this = update(ImportDifferenceRow).where(
            col(ImportDifferenceRow.imported_id).in_(records),
            col(ImportDifferenceRow.field) == name,
            col(ImportDifferenceRow.settled_at).is_(None),
        )
        same = col(ImportDifferenceRow.shop_value) == value
        for condition, kept in ((same, Side.SHOP), (~same, Side.PORTAL)):
            await session.exec(this.where(condition).values(kept=kept, settled_at=row.updated_at))


class RevealService(RecordReader, CustomersApi):
    @override
    async def reveal_pin_code(self, token: str, entry: PinCodeEntry) -> Revealed:
        operation = CustomersApi.reveal_pin_code
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = reason_for(member, Right.REVEAL_PIN_CODE, entry.reason)
            await audit_case(session, member, operation, case, reason)
            return await _revealed(session, case, HiddenNumber.PIN_CODE)

    @override
    async def reveal_financial(self, token: str, entry: FinancialEntry) -> Revealed:
        operation = CustomersApi.reveal_financial
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = reason_for(member, Right.REVEAL_FINANCIAL, entry.reason)
            details = {"what": entry.what.value}
            await audit_case(session, member, operation, case, reason, details)
            return await _revealed(session, case, entry.what)

    @override
    async def reveal_bike_pin_code(self, token: str, bike_id: str, entry: RevealReason) -> Revealed:
        operation = CustomersApi.reveal_bike_pin_code
        bike = await self._revealed_bike(token, bike_id, entry, HiddenNumber.PIN_CODE, operation)
        return Revealed(value=bike.pin_code or "")

    @override
    async def reveal_bike_policy_number(self, token: str, bike_id: str, entry: RevealReason) -> Revealed:
        operation = CustomersApi.reveal_bike_policy_number
        bike = await self._revealed_bike(token, bike_id, entry, HiddenNumber.POLICY_NUMBER, operation)
        return Revealed(value=bike.policy_number)

    async def _revealed_bike(
        self, token: str, bike_id: str, entry: RevealReason, what: HiddenNumber, operation: Callable[..., Any]
    ) -> BikeRow:
        right = REVEALED_BY[what]
        async with self._staff.changing(token, operation) as (member, session):
            bike = await self._revealable_bike(session, member, bike_id, operation)
            reason = reason_for(member, right, entry.reason)
            details = {} if right is Right.REVEAL_PIN_CODE else {"what": what.value}
            await write_audit(
                session, member, AuditAction(right.value), "bike", bike.public_id, reason=reason, details=details
            )
            return bike


async def _revealed(session: AsyncSession, case: CaseRow, what: HiddenNumber) -> Revealed:
    return Revealed(value=(await hidden_numbers(session, case)).get(what, ""))


async def hidden_numbers(session: AsyncSession, case: CaseRow) -> dict[HiddenNumber, str]:
    codes = await session.exec(
        select(BikeRow.pin_code).where(bikes_in(col(CaseRow.id) == case.id)).order_by(col(BikeRow.id))
    )
    found = {
        HiddenNumber.PIN_CODE: ", ".join(code for code in codes if code),
        HiddenNumber.IBAN: await _number(session, case, HiddenNumber.IBAN),
        HiddenNumber.POLICY_NUMBER: await _number(session, case, HiddenNumber.POLICY_NUMBER),
    }
    return {what: value for what, value in found.items() if value}


def hidden_of_bike(bike: BikeRow) -> list[HiddenNumber]:
    stored = {HiddenNumber.PIN_CODE: bike.pin_code, HiddenNumber.POLICY_NUMBER: bike.policy_number}
    return [what for what, value in stored.items() if value]


async def _number(session: AsyncSession, case: CaseRow, what: HiddenNumber) -> str:
    if case.kind is CaseKind.INSURANCE:
        row = (
            await session.exec(select(InsuranceRequestRow).where(InsuranceRequestRow.reference == case.reference))
        ).first()
        return "" if row is None else row.iban if what is HiddenNumber.IBAN else row.policy_number
    if case.kind is CaseKind.CLAIM and what is HiddenNumber.POLICY_NUMBER:
        claim = (await session.exec(select(RequestRow).where(RequestRow.reference == case.reference))).first()
        bike = await session.get(BikeRow, claim.bike_id) if claim else None
        typed = (claim.details or {}).get("policy_number") if claim else None
        return str(typed or (bike.policy_number if bike else ""))
    return ""
