"""Refunds to pay: each is exported once, in a batch that can be downloaded again, and recorded as paid."""

from __future__ import annotations

import asyncio
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import TransitionRequest
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.spreadsheet import BOM, lines
from portal.backend.staff import StaffMember
from portal.contract.errors import Conflict, NotFound
from portal.contract.models import Document, mapped
from portal.contract.operations import CSV
from portal.contracts.provider.ends import ENDS, record_refunded, refund_due
from portal.contracts.provider.queries import REFUND_DUE
from portal.exports.api import XML, RefundBatch, RefundSum, RefundToPay
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import Locale, gettext_for
from portal.kernel.validation import sepa_iban
from portal.returns.provider.backoffice import move_inspected
from portal.returns.provider.queries import refunded_by_shop
from portal.returns.provider.refunds import Approval, approvals, deciders, kind_of_case, tell
from portal.returns.provider.refunds import confirm as confirm_return
from portal.settings import Settings
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.columns import ZERO, insert_into
from portal.tables.customers import CustomerRow
from portal.tables.exchange import RefundAccountRow, RefundBatchRow, RefundPaymentRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import EndStatus
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.orders import PAYMENT_METHODS
from portal.vocabulary.returns import ReturnStatus

MAX_LISTED = 1000
"""Refunds in one list or batch."""

SCHEMA = "pain.001.001.09"


Refund = ReturnRow | ContractEndRow
"""What decides a refund: a return, or the end of a contract, which is paid back the way it was paid."""


class Payable(NamedTuple):
    row: Refund
    order: OrderRow
    account: RefundAccountRow | None
    batch: RefundBatchRow | None


def amount_of(row: Refund) -> Decimal:
    return row.refund if isinstance(row, ContractEndRow) else row.refund_amount or Decimal(0)


def case_kind_of(row: Refund) -> CaseKind:
    return CaseKind.CONTRACT_END if isinstance(row, ContractEndRow) else kind_of_case(row)


async def unpaid(session: AsyncSession) -> list[Payable]:
    found = [Payable(*found) for found in (await session.exec(_unpaid())).all()]
    for query in _unpaid_ends():
        found += [Payable(row, order, None, batch) for row, order, batch in (await session.exec(query)).all()]
    return sorted(found, key=lambda each: each.row.updated_at)[:MAX_LISTED]


def _unpaid() -> Any:
    entities: Any = select(ReturnRow, OrderRow, RefundAccountRow, RefundBatchRow)
    return (
        entities.join(OrderRow, col(OrderRow.order_number) == col(ReturnRow.order_number))
        .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .outerjoin(RefundPaymentRow, col(RefundPaymentRow.return_id) == col(ReturnRow.id))
        .outerjoin(RefundBatchRow, col(RefundBatchRow.id) == col(RefundPaymentRow.batch_id))
        .where(ReturnRow.status == ReturnStatus.CLOSED, col(ReturnRow.refund_amount) > Decimal(0))
        .order_by(col(ReturnRow.updated_at), col(ReturnRow.id))
        .limit(MAX_LISTED)
    )


def _ends(*entities: Any) -> list[Any]:
    return [
        select(ContractEndRow, OrderRow, *entities)
        .join(table, col(table.reference) == col(ContractEndRow.contract))
        .join(BikeRow, col(BikeRow.id) == col(table.bike_id))
        .join(OrderRow, col(OrderRow.id) == col(BikeRow.order_id))
        .order_by(col(ContractEndRow.updated_at), col(ContractEndRow.id))
        .limit(MAX_LISTED)
        for table in (PackageOrderRow, InsuranceRequestRow)
    ]


def _unpaid_ends() -> list[Any]:
    batch = col(RefundBatchRow.id) == col(ContractEndRow.refund_batch_id)
    return [query.outerjoin(RefundBatchRow, batch).where(REFUND_DUE) for query in _ends(RefundBatchRow)]


async def to_export(session: AsyncSession, settings: Settings, way: RefundWay, *, lock: bool = False) -> list[Refund]:
    """Refunds that an export in one way would hold now: those that wait for a second person are left out."""
    entered = col(RefundAccountRow.return_id).is_not(None)
    query = _unpaid().where(
        entered if way is RefundWay.ACCOUNT else ~entered, col(RefundPaymentRow.return_id).is_(None)
    )
    found = (await session.exec(query.with_for_update(of=ReturnRow) if lock else query)).all()
    rows: list[Refund] = [Payable(*each).row for each in found]
    if way is RefundWay.ORIGINAL:
        ends = select(ContractEndRow).where(REFUND_DUE, col(ContractEndRow.refund_batch_id).is_(None))
        ends = ends.order_by(col(ContractEndRow.id)).limit(MAX_LISTED)
        rows += (await session.exec(ends.with_for_update() if lock else ends)).all()
    agreed = await _approvals(session, settings, rows)
    return [row for row in rows if not agreed[row.reference].waits]


async def _approvals(session: AsyncSession, settings: Settings, rows: Sequence[Refund]) -> dict[str, Approval]:
    returned = [row for row in rows if isinstance(row, ReturnRow)]
    by_key = await approvals(session, settings, returned)
    ends = [row for row in rows if isinstance(row, ContractEndRow)]
    references = [row.reference for row in ends]
    decided = await deciders(session, references, (CaseKind.CONTRACT_END,), EndStatus.CONFIRMED.value)
    return {row.reference: by_key[row.id] for row in returned} | {
        row.reference: Approval(
            waits=row.refund > settings.refund_alone_up_to and row.refund_confirmed_by is None,
            confirmed_by=row.refund_confirmed_by,
            involved=frozenset(filter(None, (decided.get(row.reference),))),
        )
        for row in ends
    }


async def sum_of(session: AsyncSession, settings: Settings, way: RefundWay) -> RefundSum:
    """What an export would hold now."""
    amounts = [amount_of(row) for row in await to_export(session, settings, way)]
    return RefundSum(way=way, count=len(amounts), total=sum(amounts, Decimal(0)))


async def shown(session: AsyncSession, settings: Settings, found: Sequence[Payable]) -> list[RefundToPay]:
    agreed = await _approvals(session, settings, [each.row for each in found])
    entered = {each.account.entered_by for each in found if each.account}
    keys = entered | {approval.confirmed_by for approval in agreed.values()}
    names = await _names(session, keys)
    numbers = await _order_numbers(session, found)
    by_shop = await refunded_by_shop(session, [each.order for each in found if isinstance(each.row, ReturnRow)])
    return [
        _shown(each, agreed[each.row.reference], names, numbers[each.row.reference], by_shop.get(each.order.id, ZERO))
        for each in found
    ]


async def _names(session: AsyncSession, keys: Collection[int | None]) -> dict[int | None, str]:
    query = select(StaffRow.id, StaffRow.name).where(col(StaffRow.id).in_(set(keys) - {None}))
    return dict((await session.exec(query)).all())


async def _order_numbers(session: AsyncSession, found: Iterable[Payable | _Payment]) -> dict[str, list[str]]:
    numbers = {each.row.reference: [each.order.order_number] for each in found}
    query = (
        select(ReturnRow.reference, OrderRow.order_number, OrderRow.id)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == col(ReturnRow.id))
        .join(OrderLineRow, col(OrderLineRow.id) == col(ReturnUnitRow.order_line_id))
        .join(OrderRow, col(OrderRow.id) == col(OrderLineRow.order_id))
        .where(col(ReturnRow.reference).in_(numbers))
        .order_by(col(OrderRow.id))
        .distinct()
    )
    for reference, number, _ in (await session.exec(query)).all():
        if number not in numbers[reference]:
            numbers[reference].append(number)
    return {reference: sorted(each) for reference, each in numbers.items()}


def _shown(
    found: Payable, approval: Approval, names: Mapping[int | None, str], numbers: list[str], by_shop: Decimal
) -> RefundToPay:
    row, order, account, batch = found
    change = approval.address_change
    iban = account.iban if account else ""
    method, payment = _paid_by(row, order)
    return RefundToPay(
        reference=row.reference,
        kind=row.kind if isinstance(row, ReturnRow) else None,
        case_kind=case_kind_of(row),
        order_number=order.order_number,
        order_numbers=numbers,
        amount=amount_of(row),
        payment_method=method,
        payment_reference=payment,
        account=f"{iban[:4]} … {iban[-4:]}" if iban else "",
        holder=account.holder if account else "",
        entered_by=names.get(account.entered_by, "") if account else "",
        entered_at=account.entered_at if account else None,
        waits=approval.waits,
        unclear=approval.unclear,
        confirmed_by=names.get(approval.confirmed_by, ""),
        address_changed_by=change.actor if change else "",
        address_changed_at=change.happened_at if change else None,
        refunded=by_shop,
        batch=batch.public_id if batch else "",
        exported_at=batch.exported_at if batch else None,
        decided_at=row.updated_at,
    )


def _paid_by(row: Refund, order: OrderRow) -> tuple[str, str]:
    return ("", row.contract) if isinstance(row, ContractEndRow) else (order.payment_method, order.payment_reference)


async def find_return(session: AsyncSession, reference: str) -> ReturnRow:
    return await find_one(session, select(ReturnRow).where(ReturnRow.reference == reference), lock=True)


async def find_refund(session: AsyncSession, reference: str) -> Refund:
    try:
        return await find_return(session, reference)
    except NotFound:
        return await ENDS.find(session, lock=True, reference=reference)


async def confirm(context: Context, session: AsyncSession, row: Refund, member: StaffMember) -> None:
    """Confirm a decided refund as the second person. Repeated, it changes nothing."""
    if isinstance(row, ReturnRow):
        await confirm_return(context, session, row, member)
        return
    approval = (await _approvals(session, context.settings, [row]))[row.reference]
    if approval.confirmed_by is not None:
        return
    if not approval.waits or not refund_due(row):
        raise Conflict(Code.STATUS_NOT_ALLOWED)
    if member.id in approval.involved:
        raise Conflict(Code.SECOND_PERSON_REQUIRED)
    row.refund_confirmed_by = member.id
    await tell(session, CaseKind.CONTRACT_END, row.reference, CaseEventType.REFUND_CONFIRMED, context.clock())


async def record_paid(context: Context, session: AsyncSession, row: Refund) -> None:
    """Record that a refund was paid, and tell the customer. Repeated, it changes nothing."""
    if isinstance(row, ContractEndRow):
        if row.refunded_at is None:
            if not refund_due(row):
                raise Conflict(Code.STATUS_NOT_ALLOWED)
            if (await _approvals(session, context.settings, [row]))[row.reference].waits:
                raise Conflict(Code.SECOND_PERSON_REQUIRED)
            await record_refunded(context, session, row)
        return
    if row.status is ReturnStatus.REFUND_PROCESSED:
        return
    if row.status is not ReturnStatus.CLOSED or not row.refund_amount:
        raise Conflict(Code.STATUS_NOT_ALLOWED)
    request = TransitionRequest(status=ReturnStatus.REFUND_PROCESSED.value, seen=row.status.value)
    await move_inspected(context, session, row, request, None)


async def export(context: Context, session: AsyncSession, way: RefundWay, made_by: int | None) -> RefundBatchRow:
    """Put all refunds that are paid in one way into a new batch. Of two at the same time, one gets each refund."""
    batch = RefundBatchRow(made_by=made_by, way=way, exported_at=context.clock())
    session.add(batch)
    await session.flush()
    rows = await to_export(session, context.settings, way, lock=True)
    ends = [row for row in rows if isinstance(row, ContractEndRow)]
    for row in ends:
        row.refund_batch_id = batch.id
    values = [
        {"return_id": row.id, "batch_id": batch.id, "amount": row.refund_amount}
        for row in rows
        if isinstance(row, ReturnRow)
    ]
    stored: Sequence[Any] = ()
    if values:
        statement = insert_into(session.get_bind(), RefundPaymentRow).values(values).on_conflict_do_nothing()
        stored = (await session.exec(statement.returning(col(RefundPaymentRow.return_id)))).all()
    if not stored and not ends:
        raise Conflict(Code.NOTHING_TO_EXPORT)
    await session.flush()
    return batch


def batches_query() -> Any:
    return select(RefundBatchRow).order_by(col(RefundBatchRow.exported_at).desc(), col(RefundBatchRow.id).desc())


async def described(session: AsyncSession, rows: Sequence[RefundBatchRow]) -> list[RefundBatch]:
    keys = [row.id for row in rows]
    found: dict[int | None, list[Decimal]] = defaultdict(list)
    columns: list[tuple[Any, Any]] = [
        (RefundPaymentRow.batch_id, RefundPaymentRow.amount),
        (ContractEndRow.refund_batch_id, ContractEndRow.refund),
    ]
    for batch, amount in columns:
        for key, paid in (await session.exec(select(batch, amount).where(batch.in_(keys)))).all():
            found[key].append(paid)
    names = await _names(session, {row.made_by for row in rows})
    return [
        mapped(
            RefundBatch,
            row,
            id=row.public_id,
            made_by=names.get(row.made_by, ""),
            count=len(found[row.id]),
            total=sum(found[row.id], Decimal(0)),
        )
        for row in rows
    ]


async def find_batch(session: AsyncSession, batch_id: str) -> RefundBatchRow:
    return await find_one(session, select(RefundBatchRow).where(RefundBatchRow.public_id == batch_id))


class _Payment(NamedTuple):
    payment: RefundPaymentRow
    row: ReturnRow
    order: OrderRow
    account: RefundAccountRow | None
    source: str
    """The shop of the customer."""


async def _payments(session: AsyncSession, batch: RefundBatchRow) -> list[_Payment]:
    entities: Any = select(RefundPaymentRow, ReturnRow, OrderRow, RefundAccountRow)  # its types end at four
    query = (
        entities.add_columns(CustomerRow.source)
        .join(ReturnRow, col(ReturnRow.id) == col(RefundPaymentRow.return_id))
        .join(CustomerRow, col(CustomerRow.id) == col(ReturnRow.customer_id))
        .join(OrderRow, col(OrderRow.order_number) == col(ReturnRow.order_number))
        .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .where(RefundPaymentRow.batch_id == batch.id)
        .order_by(col(ReturnRow.id))
    )
    return [_Payment(*found) for found in (await session.exec(query)).all()]


async def as_list(session: AsyncSession, batch: RefundBatchRow, locale: Locale) -> Document:
    heading = (
        "batch", "reference", "order_number", "amount", "currency", "payment_method", "payment_reference", "holder",
        "iban",
    )  # fmt: skip
    found = [
        *(Payable(each.row, each.order, each.account, batch) for each in await _payments(session, batch)),
        *[
            Payable(row, order, None, batch)
            for query in _ends()
            for row, order in (await session.exec(query.where(ContractEndRow.refund_batch_id == batch.id))).all()
        ],
    ]
    numbers = await _order_numbers(session, found)
    _ = gettext_for(locale)
    paid_by = [_paid_by(each.row, each.order) for each in found]
    rows = [
        (
            batch.public_id,
            each.row.reference,
            " ".join(numbers[each.row.reference]),
            amount_of(each.row),
            "EUR",
            _(PAYMENT_METHODS[method]) if method in PAYMENT_METHODS else method,
            payment,
            each.account.holder if each.account else "",
            each.account.iban if each.account else "",
        )
        for each, (method, payment) in zip(found, paid_by, strict=True)
    ]
    content = (BOM + lines([heading, *rows], locale)).encode()
    return Document(name=f"refunds-{batch.public_id}.csv", media_type=CSV.media_type, content=content)


async def as_payment(session: AsyncSession, settings: Settings, batch: RefundBatchRow) -> Document:
    """A batch of payments to accounts as pain.001.001.09. Its identifiers are those of the batch."""
    found = await _payments(session, batch)
    if batch.way is not RefundWay.ACCOUNT or not all(each.account and each.account.iban for each in found):
        raise NotFound
    # Checking the file against its schema takes long for the event loop.
    content = await asyncio.to_thread(_payment, settings, batch, found, await _order_numbers(session, found))
    return Document(name=f"refunds-{batch.public_id}.xml", media_type=XML.media_type, content=content)


def _payment(
    settings: Settings, batch: RefundBatchRow, payments: Sequence[_Payment], orders: Mapping[str, Sequence[str]]
) -> bytes:
    from sepaxml import SepaTransfer
    from sepaxml.validation import try_valid_xml

    debtor = {
        "name": sepa_text(settings.brand.name, 70),
        "IBAN": sepa_iban(settings.refund_iban or settings.brand.iban),
        "batch": True,
        "currency": "EUR",
    }
    transfer = SepaTransfer(debtor, schema=SCHEMA, clean=False)
    for each in payments:
        assert each.account is not None  # noqa: S101 - checked by the caller
        # One account pays for all shops; customers know theirs.
        about = (settings.of(each.source).brand.name, each.row.reference, *orders[each.row.reference])
        transfer.add_payment(
            {
                "name": sepa_text(each.account.holder, 70),
                "IBAN": each.account.iban,
                "amount": int(each.payment.amount * 100),
                "execution_date": payment_day(local_day(batch.exported_at)),
                "description": sepa_text(" ".join(about), 140),
                "endtoend_id": each.row.reference,
            }
        )
    content = _with_identifiers(transfer.export(validate=False), batch)
    try_valid_xml(content, SCHEMA)
    return content


def payment_day(day: date) -> date:
    """The first day from this one on which banks carry out payments: TARGET is open."""
    import holidays

    closed = holidays.financial_holidays("ECB")
    while day.isoweekday() > 5 or day in closed:
        day += timedelta(days=1)
    return day


def _with_identifiers(content: bytes, batch: RefundBatchRow) -> bytes:
    """The same file for a batch each time: the library invents identifiers and takes the present time.

    No BIC is known: the agent of our account says so, and those of customers, which are optional, are left out.
    """
    space = f"urn:iso:std:iso:20022:tech:xsd:{SCHEMA}"
    ET.register_namespace("", space)
    root = ET.fromstring(content)  # noqa: S314 - our own file
    fixed = {
        "MsgId": f"REFUNDS-{batch.public_id}",
        "PmtInfId": f"REFUNDS-{batch.public_id}-1",
        "CreDtTm": f"{batch.exported_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}",
    }
    for name, value in fixed.items():
        for element in root.iter(f"{{{space}}}{name}"):
            element.text = value
    # Banks refuse an agent without anything; the guidelines of the EPC name this for an account without a BIC.
    for agent in root.iter(f"{{{space}}}DbtrAgt"):
        other = ET.SubElement(agent[0], f"{{{space}}}Othr")
        ET.SubElement(other, f"{{{space}}}Id").text = "NOTPROVIDED"
    return ET.tostring(root, encoding="UTF-8", xml_declaration=True)


def sepa_text(text: str, most: int) -> str:
    """A text in the characters that every SEPA bank accepts, of at most so many. Never empty."""
    from text_unidecode import unidecode

    plain = re.sub(r"[^A-Za-z0-9/?:().,'+ -]", " ", unidecode(text))
    return " ".join(plain.split())[:most].strip() or "-"
