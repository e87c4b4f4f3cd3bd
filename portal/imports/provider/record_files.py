"""How files belong to the records that name them, such as the PDF of an invoice. A file may come before its record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.rules.reasons import Reason
from portal.tables.bikes import ProductPictureRow
from portal.tables.exchange import ImportedRow
from portal.tables.orders import InvoiceDocumentRow
from portal.vocabulary.exchange import Rejection

F = TypeVar("F", InvoiceDocumentRow, ProductPictureRow)


class DocumentRefused(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.english)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RecordFiles(Generic[F]):
    """The files of one kind of record.

    `owner`: column with the primary key of the record's row; None until the record comes.
    """

    kind: str
    table: type[F]
    owner: str

    async def find(self, session: AsyncSession, source: str, external_id: str, *, lock: bool = False) -> F | None:
        query = select(self.table).where(self.table.source == source, self.table.external_id == external_id)
        return (await session.exec(query.with_for_update() if lock else query)).one_or_none()

    async def url(self, session: AsyncSession, source: str, external_id: str) -> str | None:
        """Where the stored file of a record was fetched; None if there is none."""
        row = await self.find(session, source, external_id)
        return None if row is None else row.url

    async def keep(
        self,
        session: AsyncSession,
        row: F | None,
        source: str,
        external_id: str,
        url: str,
        moment: datetime,
        **content: Any,
    ) -> None:
        query = select(ImportedRow.row_id).where(
            ImportedRow.source == source, ImportedRow.kind == self.kind, ImportedRow.external_id == external_id
        )
        owner = (await session.exec(query)).one_or_none()
        values = {**content, self.owner: owner, "url": url, "received_at": moment}
        if row is None:
            row = self.table(source=source, external_id=external_id, **values)
        for name, value in values.items():
            setattr(row, name, value)
        session.add(row)

    async def connect(self, session: AsyncSession, source: str, rows: dict[str, int]) -> None:
        of_source = col(self.table.source) == source
        known = select(self.table.external_id).where(of_source, col(self.table.external_id).in_(list(rows)))
        for external_id in (await session.exec(known)).all():
            statement = update(self.table).where(of_source, col(self.table.external_id) == external_id)
            await session.exec(statement.values({self.owner: rows[external_id]}))


def read_file_of(folder: Path, name: str, largest: int) -> bytes:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise DocumentRefused(Reason(Rejection.OUTSIDE_FOLDER))
    try:
        with path.open("rb") as file:
            return file.read(largest + 1)
    except OSError:
        raise DocumentRefused(Reason(Rejection.UNREADABLE)) from None
