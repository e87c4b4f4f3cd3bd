"""Lists a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from sqlalchemy import Integer, bindparam, func
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from portal.contract.base import PAGE_SIZE

T = TypeVar("T")
_OFFSET = "offset_of_page"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page lies in a list: `page` from 1 to `pages`, of `total` entries, the first at `offset`."""

    page: int
    pages: int
    total: int

    @property
    def offset(self) -> int:
        """Entries before this page."""
        return (self.page - 1) * PAGE_SIZE

    @classmethod
    def of(cls, page: int, total: int) -> Place:
        """The place of a page that was asked for: before the first is the first, beyond the last is the last."""
        pages = max(1, -(-total // PAGE_SIZE))
        return cls(min(max(page, 1), pages), pages, total)


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """The rows of one page, and where they lie."""

    rows: Sequence[T]
    place: Place


async def part_of(session: AsyncSession, query: SelectOfScalar[T], page: int, **values: object) -> Part[T]:
    """Read one page of an ordered query, in two statements.

    Args:
        session: where to read.
        query: put together once for all customers; who asks is among its parameters.
        page: from 1.
        values: the parameters of the query.
    """
    counted, paged = _statements(query)
    total: int = (await session.exec(counted, params=values)).one()
    place = Place.of(page, total)
    rows = (await session.exec(paged, params={**values, _OFFSET: place.offset})).all()
    return Part(rows, place)


@lru_cache(maxsize=32)
def _statements(query: SelectOfScalar[Any]) -> tuple[Any, SelectOfScalar[Any]]:
    counted = query.order_by(None).with_only_columns(func.count(), maintain_column_froms=True)
    return counted, query.offset(bindparam(_OFFSET, type_=Integer)).limit(PAGE_SIZE)
