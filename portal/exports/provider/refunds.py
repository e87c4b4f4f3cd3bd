"""Refunds to pay: each is exported once, in a batch that can be downloaded again."""

from __future__ import annotations

import asyncio
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import find_one
from portal.backend.spreadsheet import BOM, lines
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import Document
from portal.contract.operations import CSV
from portal.exports.api import XML, RefundAccount, RefundBatch, RefundSum, RefundToPay
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import InvalidValue, sepa_iban
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
    """A return with its order and the account that was entered, if there is one."""

    row: ReturnRow
    order: OrderRow
    account: RefundAccountRow | None


async def to_pay(session: AsyncSession, way: RefundWay | None = None) -> list[Payable]:
    """Refunds that were decided and are not exported yet, the oldest first.

    Args:
        session: for reading.
        way: only those that are paid this way.
    """
    query: Any = (
        select(ReturnRow, OrderRow, RefundAccountRow)
        .join(OrderRow, col(OrderRow.order_number) == col(ReturnRow.order_number))
        .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
        .outerjoin(RefundPaymentRow, col(RefundPaymentRow.return_id) == col(ReturnRow.id))
        .where(
            ReturnRow.status == ReturnStatus.CLOSED,
            col(ReturnRow.refund_amount) > Decimal(0),
            col(RefundPaymentRow.return_id).is_(None),
        )
        .order_by(col(ReturnRow.updated_at), col(ReturnRow.id))
        .limit(MOST)
    )
    if way is not None:
        entered = col(RefundAccountRow.return_id).is_not(None)
        query = query.where(entered if way is RefundWay.ACCOUNT else ~entered)
    return [Payable(*found) for found in (await session.exec(query)).all()]


async def sum_of(session: AsyncSession, way: RefundWay) -> RefundSum:
    """What an export would hold now."""
    amounts = [found.row.refund_amount or Decimal(0) for found in await to_pay(session, way)]
    return RefundSum(way=way, count=len(amounts), total=sum(amounts, Decimal(0)))


def shown(found: Payable) -> RefundToPay:
    """A refund as the list shows it."""
    iban = found.account.iban if found.account else ""
    return RefundToPay(
        reference=found.row.reference,
        kind=found.row.kind,
        order_number=found.row.order_number,
        amount=found.row.refund_amount or Decimal(0),
        payment_method=found.order.payment_method,
        account=f"{iban[:4]} … {iban[-4:]}" if iban else "",
        decided_at=found.row.updated_at,
    )


async def enter_account(session: AsyncSession, reference: str, account: RefundAccount, now: datetime) -> None:
    """Enter or replace the account to which a return is refunded.

    Raises:
        NotFound: there is no such return.
        InvalidInput: `invalid_iban`.
        Conflict: `refund_exported`.
    """
    row = await find_one(session, select(ReturnRow).where(ReturnRow.reference == reference), lock=True)
    exported = select(RefundPaymentRow.return_id).where(RefundPaymentRow.return_id == row.id)
    if (await session.exec(exported)).first() is not None:
        raise Conflict(Code.REFUND_EXPORTED)
    try:
        iban = sepa_iban(account.iban)
    except InvalidValue:
        raise InvalidInput(Code.INVALID_INPUT, fields={"iban": Code.INVALID_IBAN}) from None
    holder = " ".join(account.holder.split())
    if not holder:
        raise InvalidInput(Code.INVALID_INPUT, fields={"holder": Code.REQUIRED})
    stored = await session.get(RefundAccountRow, row.id)
    if stored is None:
        session.add(RefundAccountRow(return_id=row.id or 0, holder=holder, iban=iban, entered_at=now))
    else:
        stored.holder, stored.iban, stored.entered_at = holder, iban, now
    await session.flush()


async def export(session: AsyncSession, way: RefundWay, now: datetime, made_by: int | None) -> RefundBatchRow:
    """Put all refunds that are paid in one way into a new batch. Of two at the same time, one gets each refund.

    Raises:
        Conflict: `nothing_to_export`.
    """
    batch = RefundBatchRow(made_by=made_by, way=way, exported_at=now)
    session.add(batch)
    await session.flush()
    values = [
        {"return_id": found.row.id, "batch_id": batch.id, "amount": found.row.refund_amount}
        for found in await to_pay(session, way)
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
    names = dict(
        (
            await session.exec(
                select(StaffRow.id, StaffRow.name).where(col(StaffRow.id).in_([row.made_by for row in rows]))
            )
        ).all()
    )
    return [
        RefundBatch(
            id=row.public_id,
            way=row.way,
            exported_at=row.exported_at,
            made_by=names.get(row.made_by, ""),
            count=found.get(row.id or 0, (0, Decimal(0)))[0],
            total=found.get(row.id or 0, (0, Decimal(0)))[1],
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
    heading = ("batch", "reference", "order_number", "amount", "currency", "payment_method", "holder", "iban")
    rows = [
        (
            batch.public_id,
            found.row.reference,
            found.row.order_number,
            found.payment.amount,
            "EUR",
            found.order.payment_method,
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
                "execution_date": local_day(batch.exported_at),
                "description": sepa_text(f"{shop} {each.row.reference} {each.row.order_number}", 140),
                "endtoend_id": each.row.reference,
            }
        )
    content = _with_identifiers(transfer.export(validate=False), batch)
    try_valid_xml(content, SCHEMA)
    return content


def _with_identifiers(content: bytes, batch: RefundBatchRow) -> bytes:
    """The same file for a batch each time: the library invents identifiers and takes the present time."""
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
    return ET.tostring(root, encoding="UTF-8", xml_declaration=True)


def sepa_text(text: str, most: int) -> str:
    """A text in the characters that every SEPA bank accepts, of at most so many. Never empty."""
    from text_unidecode import unidecode

    plain = re.sub(r"[^A-Za-z0-9/?:().,'+ -]", " ", unidecode(text))
    return " ".join(plain.split())[:most].strip() or "-"
