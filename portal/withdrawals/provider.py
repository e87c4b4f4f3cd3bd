"""The service of withdrawals: offer, declaration and receipt (part-2 §11; edge-cases 41, 42)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.context import Context
from portal.backend.security import masked_email
from portal.backend.service import Service
from portal.backend.sessions import Sessions
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.session import Origin
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import InvalidValue
from portal.login.provider import queries as login
from portal.login.provider.limits import LoginLimits
from portal.returns.provider import mapping
from portal.returns.provider.creation import save
from portal.returns.provider.entries import item_id, withdrawal_end
from portal.returns.provider.mails import addressee, send_receipt
from portal.returns.provider.queries import ReturnRepository
from portal.returns.provider.service import known_order_number
from portal.returns.provider.stock import LineStock, OrderStock, StockRepository
from portal.returns.provider.transitions import expire, record
from portal.returns.provider.wording import battery_unanswered, item_lines
from portal.returns.rules.settlement import ComputedSettlement, Returned, Terms, settle
from portal.returns.rules.units import Unit, can_withdraw, withdrawable
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from portal.withdrawals.api import (
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawableItem,
    WithdrawalEntry,
    WithdrawalReceipt,
    WithdrawalsApi,
    WithdrawnItem,
)


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A declaration, with the customer and the order that it is about."""

    customer_id: int
    order_number: str
    entry: WithdrawalEntry
    guest: bool


class WithdrawalsService(Service, WithdrawalsApi):
    """Implements `WithdrawalsApi`."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._limits = LoginLimits(context.settings)

    @override
    async def withdrawable(self, token: str, order_number: str) -> Withdrawable:
        async with self._sessions.reading(token) as (owner, session):
            number = known_order_number(order_number)
            return self._offer(await self._stock(session, owner.customer_id, number))

    @override
    async def withdraw(self, token: str, entry: WithdrawalEntry) -> WithdrawalReceipt:
        owner = await self._sessions.owner(token)
        number = known_order_number(entry.order_number)
        async with self._context.database.transaction() as session:
            return await self._declare(session, _Declaration(owner.customer_id, number, entry, guest=False))

    @override
    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        async with self._context.database.transaction() as session:
            customer = await self._guest(session, order.order_number, order.email, origin)
            if customer:
                number = known_order_number(order.order_number)
                return self._offer(await self._stock(session, customer, number))
        raise Refused(Code.ORDER_ID_NOT_FOUND)

    @override
    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> WithdrawalReceipt:
        async with self._context.database.transaction() as session:
            customer = await self._guest(session, entry.order_number, entry.email, origin)
            if customer:
                number = known_order_number(entry.order_number)
                return await self._declare(session, _Declaration(customer, number, entry, guest=True))
        raise Refused(Code.ORDER_ID_NOT_FOUND)

    async def _guest(self, session: AsyncSession, number: str, email: str, origin: Origin) -> int | None:
        """The customer who has the order number and the e-mail address; `None` when they do not match.

        Every attempt counts against the limit of the client address.
        """
        if not email.strip():
            raise InvalidInput(Code.MISSING_EMAIL_ADDRESS, fields={"email": Code.REQUIRED})
        try:
            address = validation.email(email)
        except InvalidValue:
            raise InvalidInput(Code.INVALID_EMAIL, fields={"email": Code.INVALID_EMAIL}) from None
        order = known_order_number(number)
        now = self._context.clock()
        limit = self._limits.of_address(origin.address)
        if limit and (retry_at := await limits.take(session, limit, now)):
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        account = await login.by_pair(session, order, validation.email_key(address))
        return account.customer_id if account else None

    async def _stock(self, session: AsyncSession, customer_id: int, number: str) -> OrderStock:
        orders = await StockRepository(session, customer_id, self._context.clock()).all(number)
        if not orders:
            raise Refused(Code.ORDER_ID_NOT_FOUND)
        return orders[0]

    def _offer(self, order: OrderStock) -> Withdrawable:
        free = self._free(order)
        return Withdrawable(
            order_number=order.row.order_number,
            until=withdrawal_end(order),
            items=[
                WithdrawableItem(
                    item_id=item_id(order, line),
                    name=line.row.name,
                    item_color=line.row.item_color,
                    frame_size=line.row.frame_size,
                    most=len(units),
                )
                for line, units in free
            ],
        )

    def _free(self, order: OrderStock) -> list[tuple[LineStock, list[Unit]]]:
        """The lines with their free units: those that are in no return.

        Raises:
            Refused: `withdrawal_period_over`; `nothing_found`, no unit is free.
        """
        if not can_withdraw(withdrawal_end(order), local_day(self._context.clock())):
            raise Refused(Code.WITHDRAWAL_PERIOD_OVER)
        free = [(line, withdrawable(line.units or ())) for line in order.lines]
        free = [(line, units) for line, units in free if units]
        if not free:
            raise Refused(Code.NOTHING_FOUND)
        return free

    async def _declare(self, session: AsyncSession, declaration: _Declaration) -> WithdrawalReceipt:
        entry, now = declaration.entry, self._context.clock()
        try:
            name = validation.required(entry.name, 180)
        except InvalidValue as error:
            raise InvalidInput(Code.INVALID_INPUT, fields={"name": error.code}) from None
        key = hashlib.sha256(f"{declaration.customer_id}/{declaration.order_number}/{entry.key}".encode()).hexdigest()
        # The lock on the order serialises declarations: a second request with the same key finds the first.
        own = select(OrderRow.id).where(OrderRow.customer_id == declaration.customer_id)
        await session.exec(own.where(OrderRow.order_number == declaration.order_number).with_for_update())
        known = select(ReturnRow).where(ReturnRow.customer_id == declaration.customer_id, ReturnRow.draft_key == key)
        if before := (await session.exec(known)).one_or_none():
            return await self._receipt(session, before, guest=declaration.guest)
        await expire(self._context, session, declaration.customer_id)
        order = await self._stock(session, declaration.customer_id, declaration.order_number)
        free = self._free(order)
        taken = _chosen_units(order, free, entry.items)
        whole = sum(len(units) for _, units in taken) == sum(len(line.units or ()) for line in order.lines)
        settlement = settle(
            [
                Returned(line.row.name, tuple(unit.worth for unit in units), order.row.order_number)
                for line, units in taken
            ],
            Terms(
                shipping=order.row.shipping_costs if whole else order.row.shipping_costs * 0,
                outstanding={order.row.order_number: order.outstanding},
            ),
        )
        row = ReturnRow(
            customer_id=declaration.customer_id,
            kind=ReturnKind.WITHDRAWAL,
            status=ReturnStatus.REQUEST_RECEIVED,
            order_number=order.row.order_number,
            method=ReturnMethod.NONE,
            settlement=settlement.to_json(),
            draft_key=key,
            created_at=now,
            updated_at=now,
        )
        await save(session, row, taken)
        await record(session, row, ReturnStatus.REQUEST_RECEIVED, now)
        to = await addressee(session, row)
        units = (await ReturnRepository(session, row.customer_id).units([row])).get(row.id or 0, [])
        row.statement = {
            "name": name,
            "received_at": now.isoformat(),
            "email": masked_email(to.email),
            "lines": item_lines(units),
            "battery": any(line.has_battery for line, _ in taken),
        }
        await send_receipt(self._context, session, row, to)
        return await self._receipt(session, row, guest=declaration.guest)

    async def _receipt(self, session: AsyncSession, row: ReturnRow, *, guest: bool) -> WithdrawalReceipt:
        await session.flush()
        statement = row.statement or {}
        return WithdrawalReceipt(
            reference=row.reference,
            order_number=row.order_number,
            name=str(statement.get("name", "")),
            received_at=row.created_at,
            lines=list(statement.get("lines", [])),
            email=str(statement.get("email", "")),
            battery=battery_unanswered(row),
            settlement=mapping.settlement(row.settlement or ComputedSettlement().to_json()),
            return_id="" if guest else row.public_id,
        )


def _chosen_units(
    order: OrderStock, free: Sequence[tuple[LineStock, list[Unit]]], items: Sequence[WithdrawnItem]
) -> list[tuple[LineStock, list[Unit]]]:
    """The free units that are withdrawn; all of them when no items are named.

    Raises:
        Refused: `return_request_already_exists`, an item has fewer free units than named.
    """
    if not items:
        return list(free)
    counts: dict[str, int] = {}
    for item in items:
        counts[item.item_id] = counts.get(item.item_id, 0) + item.count
    taken = [(line, units[: counts[item_id(order, line)]]) for line, units in free if item_id(order, line) in counts]
    if len(taken) < len(counts) or any(len(units) < counts[item_id(order, line)] for line, units in taken):
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS, fields={"items": Code.INVALID_NUMBER})
    return taken
