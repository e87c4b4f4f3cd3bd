"""Queries on insurances, and mapping of rows to models."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
import structlog
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.dated import in_force
from portal.bikes.provider.queries import OwnedBike
from portal.contract.errors import NotFound, Unavailable
from portal.insurance.api import InsuranceBike, InsuranceRequest
from portal.insurance.provider.account import insurance_account
from portal.insurance.provider.case_facts import record_case
from portal.insurance.provider.documents import current_documents
from portal.insurance.rules import PACKAGES, effective_status, offered_until, premium, refusal
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.links.provider import PendingLink
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.insurance import InsuranceRequestRow, InsuranceTariffRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus
from portal.vocabulary.orders import ItemKind

log = structlog.get_logger(__name__)


async def premiums(
    session: AsyncSession, customer_id: int, kind: ItemKind, price: Decimal, day: date
) -> dict[str, Decimal]:
    """Return the premium of each package in euro a month, by key.

    Args:
        session: database session.
        customer_id: whose insurance it would be.
        kind: the kind of bike.
        price: purchase price of the bike.
        day: the local day on which the tariffs hold.

    Raises:
        Unavailable: `insurance_options_failed`: an insurer has no tariff for this kind.
    """
    tariffs = await in_force(
        session,
        InsuranceTariffRow,
        day,
        lambda row: (row.insurer, row.type),
        col(InsuranceTariffRow.kind) == kind,
        customer_id=customer_id,
    )
    try:
        found = {entry.key: tariffs[entry.insurer, entry.type] for entry in PACKAGES}
    except KeyError:
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED) from None
    return {key: premium(price, tariff.per_mille, tariff.minimum) for key, tariff in found.items()}


async def required_documents(session: AsyncSession) -> dict[str, str]:
    """Return the id of the product information document of each package, by key.

    Raises:
        Unavailable: `insurance_options_failed`: a package has no document, so it must not be offered.
    """
    documents = await current_documents(session)
    missing = [entry.key for entry in PACKAGES if entry.key not in documents]
    if missing:
        log.error("insurance without product information document", packages=missing)
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED)
    return documents


class InsuranceRepository:
    """The insurance requests of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def latest(self) -> dict[int, InsuranceRequestRow]:
        """Return the last request for each bike, by primary key of the bike."""
        query = (
            select(InsuranceRequestRow)
            .where(InsuranceRequestRow.customer_id == self._customer_id)
            .order_by(col(InsuranceRequestRow.id))
        )
        return {row.bike_id: row for row in await self._session.exec(query)}

    async def of_bike(self, bike: BikeRow) -> Sequence[InsuranceRequestRow]:
        """Return all requests for a bike, oldest first."""
        query = (
            select(InsuranceRequestRow)
            .where(InsuranceRequestRow.customer_id == self._customer_id, InsuranceRequestRow.bike_id == bike.id)
            .order_by(col(InsuranceRequestRow.id))
        )
        return (await self._session.exec(query)).all()

    async def prices(self) -> dict[int, Decimal]:
        """Return the purchase price of each bike, by primary key of the bike."""
        query: Any = (
            sql.select(col(BikeRow.id), col(OrderLineRow.unit_price))
            .join(OrderLineRow, col(OrderLineRow.id) == BikeRow.order_line_id)
            .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
            .where(col(BikeRow.customer_id) == self._customer_id, col(OrderRow.customer_id) == self._customer_id)
        )
        return {key: price for key, price in await self._session.exec(query) if key is not None}

    async def get(self, *, reference: str = "", key: int | None = None) -> tuple[InsuranceRequestRow, BikeRow]:
        """Load one request with its bike and lock it until the end of the transaction.

        Args:
            reference: of the request, if there is no `key`.
            key: primary key of the request.

        Raises:
            NotFound: the customer has no such request.
        """
        matches = InsuranceRequestRow.reference == reference if key is None else InsuranceRequestRow.id == key
        query = (
            select(InsuranceRequestRow, BikeRow)
            .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
            .where(
                matches,
                InsuranceRequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
            )
            .with_for_update()
        )
        found = (await self._session.exec(query)).one_or_none()
        if found is None:
            raise NotFound
        return found

    async def end_expired(self, bike: BikeRow, now: datetime) -> None:
        """Cancel the requests for a bike whose link has expired, so that another one is possible."""
        expired = select(InsuranceRequestRow).where(
            InsuranceRequestRow.customer_id == self._customer_id,
            InsuranceRequestRow.bike_id == bike.id,
            col(InsuranceRequestRow.waits_for_link).is_(True),
            col(InsuranceRequestRow.link_expires_at) <= now,
        )
        for row in (await self._session.exec(expired.with_for_update())).all():
            row.status, row.waits_for_link, row.iban, row.updated_at = InsuranceStatus.CANCELLED, False, "", now
            await self._session.flush()
            await record_case(self._session, row, now)


def is_open(row: InsuranceRequestRow | None, now: datetime) -> bool:
    """Return whether a request blocks another one for its bike."""
    if row is None:
        return False
    return effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link) in OPEN_INSURANCE


async def move(session: AsyncSession, row: InsuranceRequestRow, target: InsuranceStatus, **values: object) -> bool:
    """Set the status of a request unless it has changed meanwhile; return whether it was set."""
    statement = (
        update(InsuranceRequestRow)
        .where(col(InsuranceRequestRow.id) == row.id, col(InsuranceRequestRow.status) == row.status)
        .values(status=target, **values)
    )
    return (await session.exec(statement)).rowcount == 1


def insurance_request(
    row: InsuranceRequestRow, bike: BikeRow, now: datetime, pending: PendingLink | None = None
) -> InsuranceRequest:
    """Map a request; `pending` is the mailed link it waits for."""
    return InsuranceRequest(
        account=insurance_account(row, bike, now),
        reference=row.reference,
        bike_id=bike.public_id,
        insurer=row.insurer,
        type=row.type,
        premium=row.premium,
        document_id=row.document_id,
        status=effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link),
        requested_at=row.created_at,
        email=pending.email if pending else "",
        link_expires_at=row.link_expires_at if row.waits_for_link else None,
        resend_at=pending.resend_at if pending else None,
        email_failed=pending.failed if pending else False,
        policy_number=row.policy_number,
        starts_on=row.starts_on,
        note=row.note,
    )


def insurance_bike(
    owned: OwnedBike,
    price: Decimal | None,
    last: InsuranceRequestRow | None,
    now: datetime,
    pending: PendingLink | None = None,
) -> InsuranceBike:
    """Map a bike with its last request."""
    row, bought_on = owned.bike, local_day(owned.order.ordered_at)
    return InsuranceBike(
        bike_id=row.public_id,
        name=row.name,
        kind=row.kind,
        color_code=row.color_code,
        picture=owned.picture,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=bought_on,
        price=price or ZERO,
        key_number=row.key_number_1,
        refusal=insurance_refusal(owned, last, now),
        until=offered_until(bought_on),
        insurance=row.insurance,
        policy_number=row.policy_number,
        insurance_start=row.insurance_start,
        request=insurance_request(last, row, now, pending) if last else None,
    )


def insurance_refusal(owned: OwnedBike, last: InsuranceRequestRow | None, now: datetime) -> Code | None:
    """Return why a bike cannot be insured; None if it can."""
    return refusal(
        insured=bool(owned.bike.insurance),
        requested=is_open(last, now),
        frame_known=bool(owned.bike.frame_number),
        bought_on=local_day(owned.order.ordered_at),
        day=local_day(now),
        gone=owned.gone,
    )
