"""Queries on insurances, and mapping of rows to models."""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sql
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, PagePosition, Part, checked, find_one, part_of
from portal.backend.security import reader
from portal.backend.shops import TermBook
from portal.bikes.flow import PAGE_OF_BIKES
from portal.bikes.provider.queries import KEPT, KNOWN_FRAME, NOT_INSURED, OwnedBike
from portal.conversations.provider.asked import asked_account
from portal.insurance.api import InsuranceBike, InsuranceRequest
from portal.insurance.provider.account import insurance_account, record_case
from portal.insurance.rules import effective_status, offered_until, refusal
from portal.kernel.codes import Code
from portal.kernel.days import local_day, start_of_day
from portal.kernel.terms import ShopTerms
from portal.links.provider import PendingLink
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.insurance import OPEN_INSURANCE, InsuranceStatus


class InsuranceQueries:
    """The insurance requests of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> tuple[list[tuple[InsuranceRequestRow, BikeRow]], PagePosition]:
        """A page of requests with their bikes, newest first."""
        part: Part[InsuranceRequestRow] = await part_of(
            self._session, _NEWEST_FIRST, page, PAGE_OF_BIKES, customer_id=self._customer_id
        )
        own = select(BikeRow).where(
            BikeRow.customer_id == self._customer_id, col(BikeRow.id).in_({row.bike_id for row in part.rows})
        )
        bikes = {bike.id: bike for bike in await self._session.exec(own)} if part.rows else {}
        return [(row, bikes[row.bike_id]) for row in part.rows], part.place

    async def open(self, most: int) -> list[tuple[InsuranceRequestRow, BikeRow]]:
        """The newest open requests with their bikes, at most `most`; also those whose link has expired."""
        query = (
            select(InsuranceRequestRow, BikeRow)
            .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
            .where(
                InsuranceRequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
                col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE)),
            )
            .order_by(col(InsuranceRequestRow.id).desc())
            .limit(most)
        )
        return list(await self._session.exec(query))

    async def waiting(self) -> set[str]:
        """Ids of the bikes whose request waits for the mailed link, for the newest requests."""
        query = (
            select(BikeRow.public_id)
            .join(InsuranceRequestRow, col(InsuranceRequestRow.bike_id) == BikeRow.id)
            .where(
                InsuranceRequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
                col(InsuranceRequestRow.waits_for_link).is_(True),
            )
            .order_by(col(InsuranceRequestRow.id).desc())
            .limit(PAGE_OF_BIKES)
        )
        return set(await self._session.exec(query))

    async def latest(self, bikes: Sequence[OwnedBike]) -> dict[int, InsuranceRequestRow]:
        """The last request for each of these bikes, by primary key of the bike."""
        query = (
            select(InsuranceRequestRow)
            .where(
                InsuranceRequestRow.customer_id == self._customer_id,
                col(InsuranceRequestRow.bike_id).in_([owned.bike.id for owned in bikes]),
            )
            .order_by(col(InsuranceRequestRow.id))
        )
        return {row.bike_id: row for row in await self._session.exec(query)}

    async def of_bike(self, bike: BikeRow) -> Sequence[InsuranceRequestRow]:
        """All requests for a bike, oldest first."""
        query = (
            select(InsuranceRequestRow)
            .where(InsuranceRequestRow.customer_id == self._customer_id, InsuranceRequestRow.bike_id == bike.id)
            .order_by(col(InsuranceRequestRow.id))
        )
        return (await self._session.exec(query)).all()

    async def get(
        self, *, reference: str = "", key: int | None = None, lock: bool = True
    ) -> tuple[InsuranceRequestRow, BikeRow]:
        matches = InsuranceRequestRow.reference == reference if key is None else InsuranceRequestRow.id == key
        query = (
            select(InsuranceRequestRow, BikeRow)
            .join(BikeRow, col(BikeRow.id) == InsuranceRequestRow.bike_id)
            .where(
                matches,
                InsuranceRequestRow.customer_id == self._customer_id,
                BikeRow.customer_id == self._customer_id,
            )
        )
        return await find_one(self._session, query, lock=lock)

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


_NEWEST_FIRST = (
    select(InsuranceRequestRow)
    .where(InsuranceRequestRow.customer_id == CUSTOMER)
    .order_by(col(InsuranceRequestRow.id).desc())
)


def can_be_insured(now: datetime, book: TermBook) -> Sequence[Any]:
    """The condition of the database that `insurance_refusal` has no reason."""
    requested = (
        select(InsuranceRequestRow.id)
        .where(InsuranceRequestRow.bike_id == BikeRow.id, checked(col(InsuranceRequestRow.customer_id)))
        .where(col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE)))
        .where(
            sql.or_(
                col(InsuranceRequestRow.waits_for_link).is_(False),
                col(InsuranceRequestRow.link_expires_at).is_(None),
                col(InsuranceRequestRow.link_expires_at) > now,
            )
        )
        .correlate(BikeRow)
        .exists()
    )
    return KEPT, KNOWN_FRAME, NOT_INSURED, _in_time(local_day(now), book), sql.not_(requested)


def _in_time(day: date, book: TermBook) -> Any:
    """The condition that a bike was bought late enough, by what holds now or held on the day of its order."""
    ordered = col(OrderRow.ordered_at)

    def since(terms: ShopTerms) -> Any:
        return ordered >= start_of_day(day - timedelta(days=terms.insurance_days))

    in_time = [since(book.on(day))]
    for first, after, terms in book.spans:
        within = [ordered >= start_of_day(first)] if first else []
        within += [ordered < start_of_day(after)] if after else []
        in_time.append(sql.and_(since(terms), *within))
    return sql.or_(*in_time)


def is_open(row: InsuranceRequestRow | None, now: datetime) -> bool:
    """Whether a request blocks another one for its bike."""
    if row is None:
        return False
    return effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link) in OPEN_INSURANCE


def insurance_request(
    row: InsuranceRequestRow,
    bike: BikeRow,
    now: datetime,
    pending: PendingLink | None = None,
    *,
    asked: bool = False,
    departure: Departure | None = None,
) -> InsuranceRequest:
    return InsuranceRequest(
        account=asked_account(insurance_account(row, bike, now, departure), asked=asked),
        reference=row.reference,
        type=row.type,
        document_id=row.document_id,
        status=effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link),
        email=pending.email if pending else "",
        link_expires_at=row.link_expires_at if row.waits_for_link else None,
        email_failed=pending.failed if pending else False,
        asked=asked,
    )


def insurance_bike(
    owned: OwnedBike,
    last: InsuranceRequestRow | None,
    now: datetime,
    pending: PendingLink | None = None,
    *,
    asked: Container[str] = (),
) -> InsuranceBike:
    """Map a bike with its last request; `asked` has the references that wait for an answer."""
    row, bought_on = owned.bike, local_day(owned.order.ordered_at)
    return InsuranceBike(
        bike_id=row.public_id,
        name=row.name_in(reader()),
        color=row.color_in(reader()),
        picture=owned.picture,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=bought_on,
        refusal=insurance_refusal(owned, last, now),
        until=offered_until(bought_on, owned.terms.insurance_days),
        insurance=owned.insurance,
        policy_number=row.policy_number if owned.insurance else "",
        insurance_start=row.insurance_start if owned.insurance else None,
        request=insurance_request(last, row, now, pending, asked=last.reference in asked, departure=owned.departure)
        if last
        else None,
    )


def insurance_refusal(owned: OwnedBike, last: InsuranceRequestRow | None, now: datetime) -> Code | None:
    """Why a bike cannot be insured; None if it can."""
    return refusal(
        insured=bool(owned.insurance),
        requested=is_open(last, now),
        frame_known=bool(owned.bike.frame_number),
        until=offered_until(local_day(owned.order.ordered_at), owned.terms.insurance_days),
        day=local_day(now),
        gone=owned.gone,
    )
