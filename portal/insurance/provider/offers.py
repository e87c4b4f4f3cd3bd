"""What can be taken out for a bike, at which premium, and the product information documents (part-2 §9).

The law asks that a customer gets the document before taking an insurance. So an insurance without one is not offered,
and a request keeps the version that the customer saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sql
import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.shops import in_force
from portal.contract.errors import Unavailable
from portal.insurance.rules import InsuranceOffer, InsurancePackage, package_key, premium
from portal.kernel.codes import Code
from portal.kernel.validation import short_id
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.insurance import InsuranceDocumentRow, InsuranceProductRow, InsuranceTariffRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.insurance import INSURANCES, Cover, InsuranceType, Insurer
from portal.vocabulary.orders import ItemKind

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
    """The tariff of each package for one kind of bike."""
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
