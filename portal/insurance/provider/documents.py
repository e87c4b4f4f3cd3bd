"""Insurance product information documents: the versions of each insurance, and the one that applies (part-2 §9).

The law asks that a customer gets the document before taking an insurance. So an insurance without one is not offered,
and a request keeps the version that the customer saw.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.insurance.rules import package_key
from portal.kernel.validation import short_id
from portal.tables.insurance import InsuranceDocumentRow
from portal.vocabulary.insurance import INSURANCES, InsuranceType, Insurer

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
