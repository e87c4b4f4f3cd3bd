"""Refunds to pay: each is exported once, in a batch that can be downloaded again, and recorded as paid."""

from __future__ import annotations

import asyncio
import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import TransitionRequest
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.spreadsheet import BOM, lines
from portal.contract.errors import Conflict, NotFound
from portal.contract.models import Document
from portal.contract.operations import CSV
from portal.exports.api import XML, RefundBatch, RefundSum, RefundToPay
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import sepa_iban
from portal.returns.provider.backoffice import move_inspected
from portal.returns.provider.refunds import Approval, approvals, kind_of_case
from portal.settings import Settings
from portal.tables.columns import insert_into
from portal.tables.customers import CustomerRow
from portal.tables.exports import RefundAccountRow, RefundBatchRow, RefundPaymentRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import StaffRow
from portal.vocabulary.exports import RefundWay
from portal.vocabulary.returns import ReturnStatus

MOST = 1000
"""Refunds in one list or batch."""

SCHEMA = "pain.001.001.09"


class Payable(NamedTuple):
    """A return with its order, the account that was entered, and the export that has it."""

    row: ReturnRow
    order: OrderRow
    account: RefundAccountRow | None
    batch: RefundBatchRow | None


async def unpaid(session: AsyncSession) -> list[Payable]:
    """Refunds that were decided and are not paid yet, the oldest first."""
    return [Payable(*found) for found in (await session.exec(_unpaid())).all()]


def _unpaid() -> Any:
    entities: Any = select(ReturnRow, OrderRow, RefundAccountRow, RefundBatchRow)
    return (
        entities.join(OrderRow, col(OrderRow.order_number) == col(ReturnRow.order_number))
        .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .outerjoin(RefundPaymentRow, col(RefundPaymentRow.return_id) == col(ReturnRow.id))
        .outerjoin(RefundBatchRow, col(RefundBatchRow.id) == col(RefundPaymentRow.batch_id))
        .where(ReturnRow.status == ReturnStatus.CLOSED, col(ReturnRow.refund_amount) > Decimal(0))
        .order_by(col(ReturnRow.updated_at), col(ReturnRow.id))
        .limit(MOST)
    )


async def to_export(
    session: AsyncSession, settings: Settings, way: RefundWay, *, lock: bool = False
) -> list[ReturnRow]:
    """Refunds that an export in one way would hold now: those that wait for a second person are left out.

    Args:
        session: for reading.
        settings: with the amount above which a second person confirms.
        way: how they are paid.
        lock: whether to lock the returns, so that no account is entered meanwhile.
    """
    entered = col(RefundAccountRow.return_id).is_not(None)
    query = _unpaid().where(
        entered if way is RefundWay.ACCOUNT else ~entered, col(RefundPaymentRow.return_id).is_(None)
    )
    found = (await session.exec(query.with_for_update(of=ReturnRow) if lock else query)).all()
    rows = [Payable(*each).row for each in found]
    agreed = await approvals(session, settings, rows)
    return [row for row in rows if not agreed[row.id].waits]


async def sum_of(session: AsyncSession, settings: Settings, way: RefundWay) -> RefundSum:
    """What an export would hold now."""
    amounts = [row.refund_amount or Decimal(0) for row in await to_export(session, settings, way)]
    return RefundSum(way=way, count=len(amounts), total=sum(amounts, Decimal(0)))


async def shown(session: AsyncSession, settings: Settings, found: Sequence[Payable]) -> list[RefundToPay]:
    """Refunds as the list shows them."""
    agreed = await approvals(session, settings, [each.row for each in found])
    entered = {each.account.entered_by for each in found if each.account}
    keys = entered | {approval.confirmed_by for approval in agreed.values()}
    names = await _names(session, keys)
    return [_shown(each, agreed[each.row.id], names) for each in found]


async def _names(session: AsyncSession, keys: Collection[int | None]) -> dict[int | None, str]:
    query = select(StaffRow.id, StaffRow.name).where(col(StaffRow.id).in_(set(keys) - {None}))
    return dict((await session.exec(query)).all())


def _shown(found: Payable, approval: Approval, names: Mapping[int | None, str]) -> RefundToPay:
    row, order, account, batch = found
    iban = account.iban if account else ""
    return RefundToPay(
        reference=row.reference,
        kind=row.kind,
        case_kind=kind_of_case(row),
        order_number=row.order_number,
        amount=row.refund_amount or Decimal(0),
        payment_method=order.payment_method,
        payment_reference=order.payment_reference,
        account=f"{iban[:4]} … {iban[-4:]}" if iban else "",
        holder=account.holder if account else "",
        entered_by=names.get(account.entered_by, "") if account else "",
        entered_at=account.entered_at if account else None,
        waits=approval.waits,
        confirmed_by=names.get(approval.confirmed_by, ""),
        batch=batch.public_id if batch else "",
        exported_at=batch.exported_at if batch else None,
        decided_at=row.updated_at,
    )


async def find_return(session: AsyncSession, reference: str) -> ReturnRow:
    """The return with this reference, locked.

    Raises:
        NotFound: there is none.
    """
    return await find_one(session, select(ReturnRow).where(ReturnRow.reference == reference), lock=True)


async def record_paid(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Record that a refund was paid, and tell the customer. Repeated, it changes nothing.

    Raises:
        Conflict: `status_not_allowed`; `second_person_required`.
    """
    if row.status is ReturnStatus.REFUND_PROCESSED:
        return
    if row.status is not ReturnStatus.CLOSED or not row.refund_amount:
        raise Conflict(Code.STATUS_NOT_ALLOWED)
    request = TransitionRequest(status=ReturnStatus.REFUND_PROCESSED.value, seen=row.status.value)
    await move_inspected(context, session, row, request, None)


async def export(context: Context, session: AsyncSession, way: RefundWay, made_by: int | None) -> RefundBatchRow:
    """Put all refunds that are paid in one way into a new batch. Of two at the same time, one gets each refund.

    Raises:
        Conflict: `nothing_to_export`.
    """
    batch = RefundBatchRow(made_by=made_by, way=way, exported_at=context.clock())
    session.add(batch)
    await session.flush()
    values = [
        {"return_id": row.id, "batch_id": batch.id, "amount": row.refund_amount}
        for row in await to_export(session, context.settings, way, lock=True)
    ]
    if not values:
        raise Conflict(Code.NOTHING_TO_EXPORT)
    statement = insert_into(session.get_bind(), RefundPaymentRow).values(values).on_conflict_do_nothing()
    if not (await session.exec(statement.returning(col(RefundPaymentRow.return_id)))).all():
        raise Conflict(Code.NOTHING_TO_EXPORT)
    return batch


def batches_query() -> Any:
    """All batches, newest first."""
    return select(RefundBatchRow).order_by(col(RefundBatchRow.exported_at).desc(), col(RefundBatchRow.id).desc())


async def described(session: AsyncSession, rows: Sequence[RefundBatchRow]) -> list[RefundBatch]:
    """Batches with their number of refunds and sums."""
    sums = (
        select(RefundPaymentRow.batch_id, func.count(), func.sum(RefundPaymentRow.amount))
        .where(col(RefundPaymentRow.batch_id).in_([row.id for row in rows]))
        .group_by(col(RefundPaymentRow.batch_id))
    )
    found = {batch: (count, total) for batch, count, total in (await session.exec(sums)).all()}
    names = await _names(session, {row.made_by for row in rows})
    return [
        RefundBatch(
            id=row.public_id,
            way=row.way,
            exported_at=row.exported_at,
            made_by=names.get(row.made_by, ""),
            count=found.get(row.id, (0, Decimal(0)))[0],
            total=found.get(row.id, (0, Decimal(0)))[1],
        )
        for row in rows
    ]


async def find_batch(session: AsyncSession, batch_id: str) -> RefundBatchRow:
    """The batch with this id.

    Raises:
        NotFound: there is none.
    """
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


async def as_list(session: AsyncSession, batch: RefundBatchRow) -> Document:
    """The refunds of a batch as CSV."""
    heading = (
        "batch", "reference", "order_number", "amount", "currency", "payment_method", "payment_reference", "holder",
        "iban",
    )  # fmt: skip
    rows = [
        (
            batch.public_id,
            found.row.reference,
            found.row.order_number,
            found.payment.amount,
            "EUR",
            found.order.payment_method,
            found.order.payment_reference,
            found.account.holder if found.account else "",
            found.account.iban if found.account else "",
        )
        for found in await _payments(session, batch)
    ]
    content = (BOM + lines([heading, *rows])).encode()
    return Document(name=f"refunds-{batch.public_id}.csv", media_type=CSV.media_type, content=content)


async def as_payment(session: AsyncSession, settings: Settings, batch: RefundBatchRow) -> Document:
    """A batch of payments to accounts as pain.001.001.09. Its identifiers are those of the batch.

    Raises:
        NotFound: the batch is not paid to accounts, or an account was erased since.
    """
    found = await _payments(session, batch)
    if batch.way is not RefundWay.ACCOUNT or not all(each.account and each.account.iban for each in found):
        raise NotFound
    # Checking the file against its schema takes long for the event loop.
    content = await asyncio.to_thread(_payment, settings, batch, found)
    return Document(name=f"refunds-{batch.public_id}.xml", media_type=XML.media_type, content=content)


def _payment(settings: Settings, batch: RefundBatchRow, payments: Sequence[_Payment]) -> bytes:
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
        shop = settings.of(each.source).brand.name  # one account pays for all shops; customers know theirs
        transfer.add_payment(
            {
                "name": sepa_text(each.account.holder, 70),
                "IBAN": each.account.iban,
                "amount": int(each.payment.amount * 100),
                "execution_date": payment_day(local_day(batch.exported_at)),
                "description": sepa_text(f"{shop} {each.row.reference} {each.row.order_number}", 140),
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
