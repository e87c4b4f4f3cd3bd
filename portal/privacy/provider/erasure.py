"""Erasure of a customer: what still prevents it, and the statements that do it (part-1 §13)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.reader import reader
from portal.bikes.provider.queries import BikeQueries
from portal.bikes.provider.wording import bike_in_full
from portal.privacy.api import Running
from portal.privacy.provider.inventory import INVENTORY, OnErasure, StoredData, emptied
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.contracts import ContractEndRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import UploadState
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.privacy import PrivacyEventRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.contracts import BINDING, ContractKind, EndStatus
from portal.vocabulary.deliveries import FINISHED_DELIVERY, DeliveryStatus
from portal.vocabulary.departures import Dependent, ends
from portal.vocabulary.insurance import OPEN_INSURANCE
from portal.vocabulary.privacy import PrivacyActor, PrivacyEventKind, RunningKind
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
    found += await _contracts(session, customer_id)
    await add(
        RunningKind.CONTRACT_END,
        select(ContractEndRow.contract).where(
            ContractEndRow.customer_id == customer_id, ContractEndRow.status == EndStatus.CONFIRMED
        ),
    )
    return found


async def _contracts(session: AsyncSession, customer_id: int) -> list[Running]:
    """Insurances and service packages that run, also those bought with the bike, with the last day of cancelled ones.

    A contract is needed until its last day: then a job takes it from the bike.
    """
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
