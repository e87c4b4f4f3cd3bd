"""A customer with rows in every table, whom nothing keeps from erasure, and unique markers in personal columns."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.privacy.provider.inventory import INVENTORY, StoredData
from portal.tables import metadata
from portal.tables.bikes import BikeRow, MileageRow
from portal.tables.cases import CaseRow
from portal.tables.customers import (
    CustomerRow,
    EmailChangeRow,
    LoginChallenge,
    PasskeyChallengeRow,
    PasskeyRow,
    PasswordRow,
)
from portal.tables.deliveries import DateChangeRow, DeliveryEventRow
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.tables.exchange import ImportDifferenceRow, ImportedRow, RefundAccountRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.messages import CaseMessageRow, ConfirmationLinkRow, JobRow, OutboxMail, TextMessageRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow, WithdrawalDeclarationRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.cases import CaseKind, CaseState
from portal.vocabulary.contracts import ContractKind, DeclarationStatus, EndKind, EndStatus
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from portal.vocabulary.work_orders import Actor, RequestKind, WorkOrderStatus

FILE = b"zqfile: what a customer uploaded"


async def run_jobs(context: Context) -> None:
    """Run all waiting jobs, as the worker does, and those that they cause."""
    while True:
        async with context.database.transaction() as session:
            jobs = (await session.exec(select(JobRow).where(col(JobRow.due_at) <= context.clock()))).all()
            for job in jobs:
                await session.delete(job)
        if not jobs:
            return
        for job in jobs:
            await context.jobs._handlers[job.kind](job.reference)


async def settle(context: Context, customer_id: int) -> None:
    of = {"customer_id": customer_id}
    finished: list[tuple[type[Any], dict[str, Any]]] = [
        (RequestRow, {"status": WorkOrderStatus.DONE}),
        (ReturnRow, {"status": ReturnStatus.REFUND_PROCESSED}),
        (InsuranceRequestRow, {"status": InsuranceStatus.CANCELLED}),
        (DateChangeRow, {"status": DateChangeStatus.EXPIRED}),
        (BikeRow, {"insurance": "", "service_package": None}),
        (OrderRow, {"delivery_status": DeliveryStatus.ORDER_DELIVERED, "paid": OrderRow.total, "settled": Decimal(0)}),
    ]
    async with context.database.transaction() as session:
        for table, values in finished:
            await session.exec(update(table).filter_by(**of).values(values))


async def furnish(context: Context, email: str) -> int:
    """Give a customer a row in every table with personal data, and a stored file; return the primary key."""
    now = context.clock()
    later = now + timedelta(days=3)
    key = secrets.token_hex(32)
    file = context.settings.data_dir / "given"
    async with context.database.transaction() as session:
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.email == email))).one()
        assert customer.id
        of: dict[str, Any] = {"customer_id": customer.id}
        bike = (await session.exec(select(BikeRow).where(BikeRow.customer_id == customer.id))).first()
        order = (await session.exec(select(OrderRow).where(OrderRow.customer_id == customer.id))).first()
        assert bike
        assert bike.id
        assert order
        assert order.id
        request = RequestRow(
            **of,
            reference=f"ZQREQUEST{customer.id}",
            bike_id=bike.id,
            kind=RequestKind.REPAIR,
            status=WorkOrderStatus.DONE,
            title="Reparatie",
            draft_key=key,
        )
        back = ReturnRow(
            **of,
            kind=ReturnKind.RETURN,
            status=ReturnStatus.REFUND_PROCESSED,
            order_number=order.order_number,
            method=ReturnMethod.STORE,
            created_at=now,
            updated_at=now,
        )
        record = ImportedRow(
            source="shop",
            kind="customers",
            external_id=email,
            row_id=customer.id,
            fingerprint="1",
            values={"city": "Utrecht"},
            imported_at=now,
            **of,
        )
        case = CaseRow(
            kind=CaseKind.REPAIR,
            reference=f"ZQ{customer.id:06}",
            state=CaseState.DONE,
            status="done",
            opened_at=now,
            changed_at=now,
            closed_at=now,
            **of,
        )
        session.add_all([request, back, record, case])
        await session.flush()
        line = (await session.exec(select(OrderLineRow).where(OrderLineRow.order_id == order.id))).first()
        assert line
        session.add_all(
            [
                CaseMessageRow(case_id=case.id, by_customer=True, key=secrets.token_hex(8), created_at=now),
                ImportDifferenceRow(
                    imported_id=record.id, field="city", shop_value="Utrecht", portal_value="Zeist", found_at=now
                ),
                WorkOrderEventRow(
                    request_id=request.id, status=WorkOrderStatus.DONE, actor=Actor.CUSTOMER, happened_at=now
                ),
                ReturnUnitRow(return_id=back.id, order_line_id=line.id, number=99, released_at=now),
                RefundAccountRow(return_id=back.id, holder="zq", iban="NL91ABNA0417164300", entered_at=now),
                ReturnEventRow(return_id=back.id, status=ReturnStatus.REFUND_PROCESSED, created_at=now),
                DeliveryEventRow(order_id=order.id, status=DeliveryStatus.ORDER_DELIVERED, happened_at=now),
                ShipmentRow(order_id=order.id, carrier="Kwiekpost"),
                DateChangeRow(
                    **of,
                    reference=f"ZQDATE{customer.id}",
                    order_id=order.id,
                    status=DateChangeStatus.EXPIRED,
                    country_code=order.country_code,
                    original_day=now.date(),
                    new_day=later.date(),
                    from_time="09:00",
                    until_time="20:00",
                    link_expires_at=later,
                    created_at=now,
                ),
                InsuranceRequestRow(
                    **of,
                    reference=f"ZQINSURE{customer.id}",
                    bike_id=bike.id,
                    type=InsuranceType.THEFT,
                    status=InsuranceStatus.CANCELLED,
                    created_at=now,
                    updated_at=now,
                ),
                WithdrawalDeclarationRow(
                    **of,
                    reference=f"ZQDECLARE{customer.id}",
                    order_number=order.order_number,
                    name="zq",
                    email=email,
                    key=f"zq{customer.id}",
                    status=next(iter(DeclarationStatus)),
                    received_at=now,
                    updated_at=now,
                ),
                ContractEndRow(
                    **of,
                    reference=f"ZQEND{customer.id}",
                    contract=f"ZQ{customer.id}",
                    kind=ContractKind.SERVICE_PACKAGE,
                    ending=EndKind.CANCELLATION,
                    name="zq",
                    email=email,
                    key=f"zq{customer.id}",
                    status=next(iter(EndStatus)),
                    ends_on=now.date(),
                    received_at=now,
                    updated_at=now,
                ),
                MileageRow(**of, bike_id=bike.id, km=Decimal(12), read_at=now),
                DraftRow(**of, key=secrets.token_hex(8), flow="zq", created_at=now, updated_at=now, expires_at=later),
                UploadRow(
                    **of,
                    draft="ZQ",
                    field="photos",
                    name="foto.jpg",
                    key=key,
                    size=len(FILE),
                    stored_size=len(FILE),
                    kind="jpg",
                    media_type="image/jpeg",
                    state=UploadState.COMPLETE,
                    request_key=key,
                    created_at=now,
                    expires_at=later,
                ),
                OutboxMail(
                    **of,
                    message_id=f"<zq{customer.id}@example>",
                    template="login_code",
                    locale="nl",
                    recipient=email,
                    created_at=now,
                    expires_at=later,
                    sent_at=now,
                ),
                TextMessageRow(
                    **of,
                    template="pickup_tomorrow",
                    locale="nl",
                    phone="",
                    subject="return ZQ",
                    created_at=now,
                    due_at=later,
                ),
                ConfirmationLinkRow(
                    **of,
                    link_hash=secrets.token_hex(32),
                    purpose=LinkPurpose.INSURANCE,
                    subject=1,
                    recipient="",
                    created_at=now,
                    expires_at=later,
                ),
                EmailChangeRow(**of, jti="zq", email=email, salt="s", code_hash="h", created_at=now, expires_at=later),
                LoginChallenge(
                    **of,
                    challenge_hash=secrets.token_hex(32),
                    salt="s",
                    code_hash="h",
                    created_at=now,
                    expires_at=later,
                ),
                PasswordRow(**of, password_hash="h", changed_at=now),
                PasskeyRow(
                    **of,
                    rp_id="localhost",
                    credential_id=secrets.token_urlsafe(20),
                    public_key="zq",
                    device="Android",
                    created_at=now,
                ),
                PasskeyChallengeRow(
                    **of, challenge_hash=secrets.token_hex(32), jti="zq", created_at=now, expires_at=later
                ),
            ]
        )
    await _store(context, key, file)
    return customer.id


async def _store(context: Context, key: str, file: Path) -> None:
    file.write_bytes(FILE)
    await store_of(context.settings).keep(key, file)


PREFIX = "zq"
"""How a marker begins; the data of the demonstration shop do not have it."""


def columns_of(stored: StoredData) -> list[Column[Any]]:
    return [stored.table.c[name] for name in sorted(stored.personal | stored.tax)]


async def mark(context: Context, customer_id: int) -> dict[str, str]:
    """Put a marker into every personal column of every row of a customer.

    Returns:
        The place of each marker, as `table.column`.
    """
    places: dict[str, str] = {}
    async with context.database.transaction() as session:
        for stored in INVENTORY:
            columns = columns_of(stored)
            if not columns:
                continue
            key = list(stored.table.primary_key)
            # pyrefly: ignore[no-matching-overload]  # sqlmodel types it for its own `select` only
            rows = (await session.exec(select_columns(*key).where(stored.rows_of(customer_id)))).all()
            for row in rows:
                values: dict[str, Any] = {}
                for column in columns:
                    marker = f"{PREFIX}{len(places):04}"
                    places[marker] = f"{stored.table.name}.{column.name}"
                    values[column.name] = _holding(column, marker)
                this = [part == value for part, value in zip(key, row, strict=True)]
                await session.exec(update(stored.table).where(*this).values(values))
    return places


def _holding(column: Column[Any], marker: str) -> Any:
    if isinstance(column.type, JSON):
        return {"street": marker}
    return f"{marker}@example.com" if column.name in {"email", "email_key", "recipient"} else marker


async def in_database(context: Context) -> str:
    found: list[str] = []
    async with context.database.session() as session:
        for table in metadata.sorted_tables:
            rows = (await (await session.connection()).execute(select_columns(table))).all()
            found.extend(json.dumps([*row], default=str, ensure_ascii=False) for row in rows)
    return "\n".join(found)


def in_files(data_dir: Path, *, without: str = "*.db*") -> bytes:
    """The content and the names of all files of the data directory but the database."""
    files = [path for path in sorted(data_dir.rglob("*")) if path.is_file() and not path.match(without)]
    return b"\n".join([path.name.encode() + path.read_bytes() for path in files])


def found(places: dict[str, str], text: str | bytes) -> set[str]:
    whole = text if isinstance(text, str) else text.decode("latin-1")
    return {place for marker, place in places.items() if marker in whole}
