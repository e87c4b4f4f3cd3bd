"""Queries on insurances, and what can be taken out for a bike, at which premium (part-2 §9).

The law asks that a customer gets the product information document before taking an insurance. So an insurance without
one is not offered, and a request keeps the version that the customer saw.
"""

from collections.abc import Container, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, PagePosition, Part, checked, find_one, part_of
from portal.backend.security import reader
from portal.backend.shops import TermBook, in_force
from portal.bikes.flow import PAGE_OF_BIKES
from portal.bikes.provider.queries import KEPT, KNOWN_FRAME, NOT_INSURED, OwnedBike
from portal.contract.errors import Unavailable
from portal.conversations.provider.queries import asked_account
from portal.insurance.api import InsuranceBike, InsuranceRequest
from portal.insurance.provider.account import insurance_account, record_case
from portal.insurance.rules import (
    InsuranceOffer,
    InsurancePackage,
    effective_status,
    offered_until,
    package_key,
    premium,
    refusal,
)
from portal.kernel.codes import Code
from portal.kernel.days import local_day, start_of_day
from portal.kernel.terms import ShopTerms
from portal.kernel.validation import short_id
from portal.links.provider import PendingLink
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.insurance import InsuranceDocumentRow, InsuranceProductRow, InsuranceRequestRow, InsuranceTariffRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.insurance import INSURANCES, OPEN_INSURANCE, Cover, InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.orders import ItemKind


class InsuranceQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> tuple[list[tuple[InsuranceRequestRow, BikeRow]], PagePosition]:
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
                matches, InsuranceRequestRow.customer_id == self._customer_id, BikeRow.customer_id == self._customer_id
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


log = structlog.get_logger(__name__)


async def offers_for(
    session: AsyncSession, customer_id: int, bikes: Sequence[BikeRow], day: date
) -> dict[int, list[InsuranceOffer]]:
    """The insurances for bikes of a customer on a day, by primary key of the bike."""
    packages = await offered_packages(session, customer_id, day)
    documents = await current_documents(session)
    if missing := [package.key for package in packages if package.key not in documents]:
        log.error("insurance without product information document", packages=missing)
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED)
    prices = await _prices(session, customer_id, bikes)
    kinds = {bike.kind for bike in bikes}
    tariffs = {kind: await tariffs_of(session, packages, customer_id, kind, day) for kind in kinds}
    return {
        bike.id: [
            InsuranceOffer(
                insurer=package.insurer,
                type=package.type,
                premium=premium(prices.get(bike.id, ZERO), tariff.per_mille, tariff.minimum),
                excess=package.excess,
                document_id=documents[package.key],
                most_chosen=package.most_chosen,
                covers=list(package.covers),
                covers_not=list(package.covers_not),
            )
            for package, tariff in zip(packages, tariffs[bike.kind], strict=True)
        ]
        for bike in bikes
    }


async def offered_packages(session: AsyncSession, customer_id: int, day: date) -> list[InsurancePackage]:
    """The insurances that a customer can take out on a day, in the order of `INSURANCES`."""
    rows = await in_force(
        session, InsuranceProductRow, day, lambda row: (row.insurer, row.type), customer_id=customer_id
    )
    found = [rows[key] for key in INSURANCES if key in rows and rows[key].offered]
    if not found:
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED)
    return [
        InsurancePackage(
            insurer=row.insurer,
            type=row.type,
            covers=tuple(cover for cover in Cover if cover in row.covers),
            excess=row.excess,
            most_chosen=row.most_chosen,
        )
        for row in found
    ]


async def tariffs_of(
    session: AsyncSession, packages: Sequence[InsurancePackage], customer_id: int, kind: ItemKind, day: date
) -> list[InsuranceTariffRow]:
    tariffs = await in_force(
        session,
        InsuranceTariffRow,
        day,
        lambda row: (row.insurer, row.type),
        col(InsuranceTariffRow.kind) == kind,
        customer_id=customer_id,
    )
    try:
        return [tariffs[package.insurer, package.type] for package in packages]
    except KeyError:
        raise Unavailable(Code.INSURANCE_OPTIONS_FAILED) from None


async def _prices(session: AsyncSession, customer_id: int, bikes: Sequence[BikeRow]) -> dict[int, Decimal]:
    """The purchase price of each of these bikes, by primary key of the bike."""
    query: Any = (
        sql.select(col(BikeRow.id), col(OrderLineRow.unit_price))
        .join(OrderLineRow, col(OrderLineRow.id) == BikeRow.order_line_id)
        .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
        .where(col(BikeRow.customer_id) == customer_id, col(OrderRow.customer_id) == customer_id)
        .where(col(BikeRow.id).in_([bike.id for bike in bikes]))
    )
    return dict((await session.exec(query)).all())


_PDF = b"%PDF-"
ID_LENGTH = 10


class DocumentRejected(Exception):
    """A document was not added; the message is one line."""


async def current_documents(session: AsyncSession) -> dict[str, str]:
    """The public id of the version that applies, by key of the package; packages without a document are left out."""
    query = select(InsuranceDocumentRow.insurer, InsuranceDocumentRow.type, InsuranceDocumentRow.public_id).order_by(
        col(InsuranceDocumentRow.id)
    )
    found = await session.exec(query)
    return {package_key(Insurer(insurer), InsuranceType(kind)): public_id for insurer, kind, public_id in found}


async def find_document(session: AsyncSession, public_id: str) -> InsuranceDocumentRow | None:
    query = select(InsuranceDocumentRow).where(InsuranceDocumentRow.public_id == public_id)
    return (await session.exec(query)).one_or_none()


async def add_document(
    session: AsyncSession,
    insurer: Insurer,
    kind: InsuranceType,
    version: str,
    dutch: bytes,
    english: bytes | None = None,
    *,
    now: datetime,
    public_id: str = "",
) -> bool:
    """Add a version, which applies from then on. A version that exists already stays as it is."""
    translated = english if english is not None else dutch
    if not version.strip() or len(version) > 40:
        raise DocumentRejected("a version has 1 to 40 characters")
    if not (dutch.startswith(_PDF) and translated.startswith(_PDF)):
        raise DocumentRejected("a product information document is a PDF")
    if (insurer, kind) not in INSURANCES:
        raise DocumentRejected(f"{insurer} {kind} is no insurance")
    query = select(InsuranceDocumentRow).where(
        InsuranceDocumentRow.insurer == insurer,
        InsuranceDocumentRow.type == kind,
        InsuranceDocumentRow.version == version,
    )
    stored = (await session.exec(query)).one_or_none()
    if stored is not None:
        if (stored.dutch, stored.english) != (dutch, translated):
            raise DocumentRejected(f"version {version} exists with other content; give the new one another name")
        return False
    session.add(
        InsuranceDocumentRow(
            public_id=public_id or short_id(ID_LENGTH),
            insurer=insurer,
            type=kind,
            version=version,
            dutch=dutch,
            english=translated,
            created_at=now,
        )
    )
    await session.flush()
    return True
