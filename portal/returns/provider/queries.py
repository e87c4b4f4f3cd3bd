"""The SQL of returns. Queries for a customer filter by customer; those of the back office use the reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, func
from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, Part, find_one, part_of
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.exchange import RefundAccountRow, RefundPaymentRow
from portal.tables.orders import OrderLineRow, OrderRow, PartnerRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.vocabulary.returns import DONE, GIVES_BACK, ReturnStatus


class ReturnedUnit(NamedTuple):
    """A unit of a return, with its order line and order number."""

    unit: ReturnUnitRow
    line: OrderLineRow
    order_number: str


_NEWEST_FIRST = (
    select(ReturnRow)
    .where(ReturnRow.customer_id == CUSTOMER)
    .order_by(col(ReturnRow.created_at).desc(), col(ReturnRow.id).desc())
)

_OPEN = _NEWEST_FIRST.where(col(ReturnRow.status).not_in(DONE | GIVES_BACK)).limit(bindparam("most", type_=Integer))


class ReturnQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def part(self, page: int) -> Part[ReturnRow]:
        """A page of returns, newest first."""
        return await part_of(self._session, _NEWEST_FIRST, page, customer_id=self._customer_id)

    async def open(self, most: int) -> list[ReturnRow]:
        """Open returns, newest first."""
        values = {"customer_id": self._customer_id, "most": most}
        return list(await self._session.exec(_OPEN, params=values))

    async def refund_account(self, row: ReturnRow) -> tuple[str | None, str | None, int | None]:
        """Holder and IBAN of the account to which it is refunded, and its key in a batch; None where there is none."""
        query = (
            select(RefundAccountRow.holder, RefundAccountRow.iban, RefundPaymentRow.return_id)
            .select_from(ReturnRow)
            .outerjoin(RefundAccountRow, col(RefundAccountRow.return_id) == col(ReturnRow.id))
            .outerjoin(RefundPaymentRow, col(RefundPaymentRow.return_id) == col(ReturnRow.id))
            .where(ReturnRow.customer_id == self._customer_id, ReturnRow.id == row.id)
        )
        return (await self._session.exec(query)).one()

    async def get(self, public_id: str, *, lock: bool = False) -> ReturnRow:
        """One return."""
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.public_id == public_id)
        return await find_one(self._session, query, lock=lock)

    async def by_reference(self, reference: str) -> ReturnRow | None:
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.reference == reference)
        return (await self._session.exec(query)).one_or_none()

    async def by_key(self, key: int) -> ReturnRow | None:
        """One return by its primary key, locked until the end of the transaction."""
        query = select(ReturnRow).where(ReturnRow.customer_id == self._customer_id, ReturnRow.id == key)
        return (await self._session.exec(query.with_for_update())).one_or_none()

    async def units(self, rows: Sequence[ReturnRow]) -> dict[int, list[ReturnedUnit]]:
        """The units of these returns, by key of the return, sorted by order line."""
        if not rows:
            return {}
        keys = [row.id for row in rows]
        query: Any = (
            select(ReturnUnitRow, OrderLineRow, OrderRow.order_number)
            .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
            .join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
            .where(OrderRow.customer_id == self._customer_id, col(ReturnUnitRow.return_id).in_(keys))
            .order_by(col(OrderRow.id), col(OrderLineRow.position), col(ReturnUnitRow.number))
        )
        units: dict[int, list[ReturnedUnit]] = defaultdict(list)
        for unit, line, number in (await self._session.exec(query)).all():
            units[unit.return_id].append(ReturnedUnit(unit, line, number))
        return units

    async def bikes(self, units: Sequence[ReturnedUnit]) -> dict[int, list[BikeRow]]:
        """The bikes that these units are, by key of the order line; all of the line where that is not known."""
        lines, known = [unit.line.id for unit in units], {unit.unit.bike_id for unit in units}
        query = (
            select(BikeRow)
            .where(BikeRow.customer_id == self._customer_id, col(BikeRow.order_line_id).in_(lines))
            .order_by(col(BikeRow.id))
        )
        bikes: dict[int, list[BikeRow]] = defaultdict(list)
        for bike in await self._session.exec(query):
            bikes[bike.order_line_id or 0].append(bike)
        for line, own in bikes.items():
            bikes[line] = [bike for bike in own if bike.id in known] or own
        return bikes

    async def events(self, row: ReturnRow) -> list[ReturnEventRow]:
        """The history of a return, oldest first."""
        query = (
            select(ReturnEventRow)
            .join(ReturnRow, col(ReturnRow.id) == ReturnEventRow.return_id)
            .where(ReturnRow.customer_id == self._customer_id, ReturnEventRow.return_id == row.id)
            .order_by(col(ReturnEventRow.id))
        )
        return list(await self._session.exec(query))

    async def store(self, row: ReturnRow) -> PartnerRow | None:
        """The store that the customer chose; `None` when there is none."""
        if row.store_id is None:
            return None
        return (await self._session.exec(select(PartnerRow).where(PartnerRow.id == row.store_id))).one_or_none()

    async def pending_of(self, order_number: str, now: datetime) -> ReturnRow | None:
        """A return of this order that waits for confirmation."""
        query = select(ReturnRow).where(
            ReturnRow.customer_id == self._customer_id,
            ReturnRow.order_number == order_number,
            ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION,
            or_(col(ReturnRow.confirm_until).is_(None), col(ReturnRow.confirm_until) > now),
        )
        return (await self._session.exec(query.limit(1))).first()


async def pending(session: AsyncSession, customer_id: int, now: datetime) -> list[ReturnRow]:
    """Returns of a customer that wait for confirmation."""
    query = select(ReturnRow).where(
        ReturnRow.customer_id == customer_id,
        ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION,
        col(ReturnRow.confirm_until) > now,
    )
    return list(await session.exec(query))


async def unconfirmed(session: AsyncSession, now: datetime, customer_id: int | None = None) -> list[ReturnRow]:
    """Returns that were not confirmed in time, locked until the end of the transaction."""
    query = select(ReturnRow).where(
        ReturnRow.status == ReturnStatus.PENDING_CONFIRMATION, col(ReturnRow.confirm_until) <= now
    )
    if customer_id is not None:
        query = query.where(ReturnRow.customer_id == customer_id)
    return list(await session.exec(query.order_by(col(ReturnRow.id)).with_for_update()))


async def by_reference(session: AsyncSession, reference: str, *, lock: bool = False) -> ReturnRow:
    """One return, for the back office."""
    query = select(ReturnRow).where(ReturnRow.reference == reference)
    return await find_one(session, query, lock=lock)


async def release(session: AsyncSession, row: ReturnRow, now: datetime) -> None:
    """Release the units of a return; they can be returned again."""
    await session.exec(
        update(ReturnUnitRow)
        .where(col(ReturnUnitRow.return_id) == row.id, col(ReturnUnitRow.released_at).is_(None))
        .values(released_at=now)
        .execution_options(synchronize_session=False)
    )


async def hold_again(session: AsyncSession, row: ReturnRow) -> None:
    await session.exec(
        update(ReturnUnitRow)
        .where(col(ReturnUnitRow.return_id) == row.id)
        .values(released_at=None)
        .execution_options(synchronize_session=False)
    )


async def still_refundable(session: AsyncSession, row: ReturnRow) -> Decimal:
    """What was paid for the orders of a return, less what other returns refund of it.

    A refund of several orders counts for an order with what its units cost there.
    """
    own = (
        select(OrderLineRow.order_id)
        .join(ReturnUnitRow, col(ReturnUnitRow.order_line_id) == col(OrderLineRow.id))
        .where(ReturnUnitRow.return_id == row.id)
    )
    # Sums of single columns: the database would not tell that a sum of two is an amount.
    paid = select(func.sum(OrderRow.paid), func.sum(OrderRow.settled)).where(col(OrderRow.id).in_(own))
    amount: Any = ReturnRow.refund_amount
    worth = [func.sum(column) for column in (ReturnUnitRow.paid, ReturnUnitRow.package, ReturnUnitRow.insurance)]
    others = (
        select(amount, *worth)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == col(ReturnRow.id))
        .join(OrderLineRow, col(OrderLineRow.id) == col(ReturnUnitRow.order_line_id))
        .where(
            col(OrderLineRow.order_id).in_(own),
            ReturnRow.id != row.id,
            col(ReturnRow.status).in_(DONE),
            col(ReturnRow.refund_amount).is_not(None),
        )
        .group_by(col(ReturnRow.id), col(ReturnRow.refund_amount))
    )
    refunded = sum((min(amount, sum(shares)) for amount, *shares in (await session.exec(others)).all()), ZERO)
    received = sum((part or ZERO for part in (await session.exec(paid)).one()), ZERO)
    return max(received - refunded, ZERO)
