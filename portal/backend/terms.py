"""The periods of the terms that hold for a customer (`kernel.terms.ShopTerms`): rows of a shop, each from a day on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.contract.terms_api import Periods, TermsApi
from portal.kernel.days import local_day
from portal.kernel.terms import ShopTerms
from portal.tables.customers import CustomerRow
from portal.tables.terms import ShopTermRow


@dataclass(frozen=True, slots=True)
class TermBook:
    """All periods of a shop, earlier, current and announced."""

    rows: Sequence[ShopTermRow] = ()

    def on(self, day: date) -> ShopTerms:
        """Return what holds on a day."""
        return ShopTerms(**{row.term.value: row.value for row in self.rows if row.valid_from <= day})

    @property
    def spans(self) -> list[tuple[date | None, date | None, ShopTerms]]:
        """The first day of each span of time in which nothing changes, the first day after it, and its periods."""
        changes = sorted({row.valid_from for row in self.rows})
        return [
            (first, after, self.on(first or date.min))
            for first, after in zip([None, *changes], [*changes, None], strict=True)
        ]

    def since(self, agreed_on: date, day: date) -> ShopTerms:
        """Return what holds for something that was agreed earlier: the longer of what held then and holds now.

        A shop may become more generous to everybody, but takes nothing back that it promised.

        Args:
            agreed_on: local day of the order or contract.
            day: today.
        """
        return self.on(agreed_on).longer(self.on(day))


async def term_book(session: AsyncSession, customer_id: int) -> TermBook:
    """Read the periods that hold for a customer."""
    own = select(CustomerRow.source).where(CustomerRow.id == customer_id).scalar_subquery()
    return await _read(session, own)


async def shop_book(session: AsyncSession, shop: str) -> TermBook:
    """Read the periods of a further shop, or those of the main shop, whose name is empty."""
    return await _read(session, shop)


async def _read(session: AsyncSession, shop: object) -> TermBook:
    query = select(ShopTermRow).where(or_(col(ShopTermRow.shop) == "", col(ShopTermRow.shop) == shop))
    # The common rows come first, so that a row of the shop replaces them.
    query = query.order_by(col(ShopTermRow.shop), col(ShopTermRow.valid_from))
    return TermBook((await session.exec(query)).all())


class TermsService(TermsApi):
    """Implements `TermsApi`."""

    def __init__(self, context: Context) -> None:
        """Use the database and the clock of the context."""
        self._context = context

    @override
    async def periods(self, shop: str = "") -> Periods:
        async with self._context.database.session() as session:
            book = await shop_book(session, shop)
        return Periods(periods=asdict(book.on(local_day(self._context.clock()))))
