"""Erasure of a customer: what still prevents it, and the statements that do it (part-1 §13)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, update
from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.privacy.api import Running
from portal.privacy.provider.inventory import INVENTORY, OnErasure, StoredData, emptied
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import UploadState
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.privacy import PrivacyEventRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.deliveries import FINISHED_DELIVERY, DeliveryStatus
from portal.vocabulary.insurance import OPEN_INSURANCE
from portal.vocabulary.privacy import PrivacyActor, PrivacyEventKind, RunningKind
from portal.vocabulary.returns import RETURN_STATUSES
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER

OPEN_RETURN = frozenset(status for status, row in RETURN_STATUSES.items() if row.transitions and not row.done)
"""Statuses of a return that is not finished."""


async def running(session: AsyncSession, customer_id: int) -> list[Running]:
    """What is not finished, so that the customer's data are needed (Regulation (EU) 2016/679, article 17(1)(a))."""
    found: list[Running] = []

    async def add(kind: RunningKind, query: object) -> None:
        found.extend(Running(kind=kind, name=name) for name in (await session.exec(query)).all())  # pyright: ignore

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
            col(OrderRow.delivery_status).is_distinct_from(DeliveryStatus.ORDER_CANCELLED),
            col(OrderRow.total) > col(OrderRow.paid) + col(OrderRow.settled),
        ),
    )
    await add(
        RunningKind.INSURANCE_REQUEST,
        select(InsuranceRequestRow.reference).where(
            InsuranceRequestRow.customer_id == customer_id, col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE))
        ),
    )
    await add(
        RunningKind.INSURANCE, select(BikeRow.name).where(BikeRow.customer_id == customer_id, BikeRow.insurance != "")
    )
    await add(
        RunningKind.SERVICE_PACKAGE,
        select(BikeRow.name).where(BikeRow.customer_id == customer_id, col(BikeRow.service_package).is_not(None)),
    )
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
