"""What differs from shop to shop: brand and sender, terms, prices from a day on, and its own ids of records."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Protocol, TypeVar

from sqlmodel import and_, col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.contract.common_api import Periods, TermsApi
from portal.kernel.days import local_day
from portal.kernel.terms import ShopTerms
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportedRow
from portal.tables.insurance import ShopTermRow
from portal.tables.orders import OrderRow


async def settings_for(session: AsyncSession, settings: Settings, customer_id: int | None) -> Settings:
    """Return the settings with brand, sender and address of the shop of a customer."""
    query = select(CustomerRow.source).where(col(CustomerRow.id) == customer_id)
    source = (await session.exec(query)).one_or_none() if settings.shops and customer_id is not None else None
    return settings.of(source or "")


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

        `agreed_on`: local day of the order or contract.
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
        self._context = context

    @override
    async def periods(self, shop: str = "") -> Periods:
        async with self._context.database.session() as session:
            book = await shop_book(session, shop)
        return Periods(periods=asdict(book.on(local_day(self._context.clock()))))


class Dated(Protocol):
    """A row with the first local day on which it holds, and the shop that it belongs to; empty for all."""

    valid_from: date
    shop: str


RowT = TypeVar("RowT", bound=Dated)
KeyT = TypeVar("KeyT", bound=Hashable)


async def in_force(
    session: AsyncSession,
    table: type[RowT],
    day: date,
    key: Callable[[RowT], KeyT],
    *conditions: Any,
    customer_id: int,
) -> dict[KeyT, RowT]:
    """Return the rows that hold for a customer on a day, by key.

    `table`: a table with the columns `valid_from` and `shop`.
    `day`: the local day.
    `key`: what a row is about; of several rows the latest that has begun holds.
    `customer_id`: a row of the customer's shop comes before a common one.
    """
    own = select(CustomerRow.source).where(CustomerRow.id == customer_id).scalar_subquery()
    query = select(table).where(col(table.valid_from) <= day, or_(col(table.shop) == "", col(table.shop) == own))
    # The common rows come first, so that a row of the shop replaces them.
    query = query.where(*conditions).order_by(col(table.shop), col(table.valid_from))
    return {key(row): row for row in await session.exec(query)}


_NAMES = {"customers": "customer", "orders": "order", "bikes": "bike"}
"""Kinds of imported records, and what they are in an event."""

ShopIds = dict[str, dict[str, str] | list[str] | str | None]
"""`customer`, `order` and `bike` with `source` and `external_id`, or None where no import brought them; and
`order_number`, empty without an order; `order_numbers` are those of all orders."""


async def shop_ids(
    session: AsyncSession, *, customer_id: int | None, order_numbers: Sequence[str] = (), bike_id: int | None = None
) -> ShopIds:
    """Look up the ids. Of several sources, that of the customer's shop counts, else the one that came last.

    `order_numbers`: of the orders, of which the first counts; empty for that of the bike.
    """
    numbers = list(order_numbers)
    if bike_id and not numbers:
        bought = select(OrderRow.order_number).join(BikeRow, col(BikeRow.order_id) == col(OrderRow.id))
        numbers = list(await session.exec(bought.where(BikeRow.id == bike_id)))
    order_number = numbers[0] if numbers else ""
    found: ShopIds = {
        "customer": None,
        "order": None,
        "bike": None,
        "order_number": order_number,
        "order_numbers": numbers,
    }
    order = (await session.exec(select(OrderRow.id).where(OrderRow.order_number == order_number))).first()
    keys = {"customers": customer_id, "orders": order, "bikes": bike_id}
    named = [and_(ImportedRow.kind == kind, ImportedRow.row_id == key) for kind, key in keys.items() if key]
    if not named:
        return found
    source = (await session.exec(select(CustomerRow.source).where(CustomerRow.id == customer_id))).first()
    rows = (await session.exec(select(ImportedRow).where(or_(*named)).order_by(col(ImportedRow.id)))).all()
    for row in sorted(rows, key=lambda row: row.source == source):
        found[_NAMES[row.kind]] = {"source": row.source, "external_id": row.external_id}
    return found
