"""The service of withdrawals: offer, withdrawal of a customer, declaration of a guest (part-2 §11)."""

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.backoffice import known_reference
from portal.backend.context import Context
from portal.backend.sessions import Service, Sessions
from portal.contract.errors import Refused
from portal.contract.session import Origin
from portal.declarations.provider import declarant, declared_email, key_of
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import DEFAULT
from portal.login.provider import queries as login
from portal.login.provider.codes import LoginLimits
from portal.returns.provider.service import known_order_number
from portal.tables.returns import WithdrawalDeclarationRow
from portal.withdrawals.api import (
    Declaration,
    GuestOrder,
    GuestWithdrawal,
    Withdrawable,
    WithdrawableOrder,
    WithdrawalEntry,
    WithdrawalReceipt,
    WithdrawalsApi,
)
from portal.withdrawals.provider import declarations
from portal.withdrawals.provider.declarations import DECLARED, declaration, open_declarations
from portal.withdrawals.provider.receiving import (
    Declared,
    bikes_to_choose,
    counts_of,
    offer,
    offers,
    receipt,
    receive,
    stock_of,
)


class WithdrawalsService(Service, WithdrawalsApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._limits = LoginLimits(context.settings)

    @override
    async def withdrawable(self, token: str, order_number: str) -> Withdrawable:
        async with self._sessions.reading(token) as (owner, session):
            number = known_order_number(order_number, self._settings)
            order = await stock_of(session, owner.customer_id, number, self._context.clock())
            bikes = await bikes_to_choose(session, order, owner.locale)
            return offer(order, self._context.clock(), owner.locale, bikes)

    @override
    async def withdrawable_orders(self, token: str) -> list[WithdrawableOrder]:
        async with self._sessions.reading(token) as (owner, session):
            return await offers(session, owner.customer_id, self._context.clock(), owner.locale)

    @override
    async def withdraw(self, token: str, entry: WithdrawalEntry) -> WithdrawalReceipt:
        owner = await self._sessions.owner(token)
        number = known_order_number(entry.order_number, self._settings)
        async with self._context.database.transaction() as session:
            row = await receive(self._context, session, self._declared(owner.customer_id, number, entry))
            return await receipt(self._context, session, row)

    @override
    async def guest_withdrawable(self, order: GuestOrder, origin: Origin) -> Withdrawable:
        async with self._context.database.transaction() as session:
            customer = await self._guest(session, order.order_number, order.email, origin)
            if customer:
                number = known_order_number(order.order_number, self._settings)
                now = self._context.clock()
                return offer(await stock_of(session, customer, number, now), now, origin.locale or DEFAULT)
        raise Refused(Code.ORDER_ID_NOT_FOUND)

    @override
    async def guest_withdraw(self, entry: GuestWithdrawal, origin: Origin) -> Declaration:
        async with self._context.database.transaction() as session:
            customer = await self._guest(session, entry.order_number, entry.email, origin)
            if customer:
                declared = self._declared(customer, known_order_number(entry.order_number, self._settings), entry)
                return declaration(await declarations.declare(self._context, session, declared))
        raise Refused(Code.ORDER_ID_NOT_FOUND)

    @override
    async def declared(self, token: str, order_number: str) -> list[Declaration]:
        async with self._sessions.reading(token) as (owner, session):
            number = known_order_number(order_number, self._settings)
            return [declaration(row) for row in await open_declarations(session, owner.customer_id, number)]

    @override
    async def confirm_declared(self, token: str, reference: str) -> WithdrawalReceipt:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._own(session, owner.customer_id, reference)
            confirmed = await declarations.confirm(self._context, session, row)
            return await receipt(self._context, session, confirmed)

    @override
    async def take_back_declared(self, token: str, reference: str) -> Declaration:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._own(session, owner.customer_id, reference)
            await declarations.take_back(self._context, session, row)
            return declaration(row)

    @staticmethod
    async def _own(session: AsyncSession, customer_id: int, reference: str) -> WithdrawalDeclarationRow:
        known = known_reference(reference)
        return await DECLARED.find(session, lock=True, customer_id=customer_id, reference=known)

    async def _guest(self, session: AsyncSession, number: str, email: str, origin: Origin) -> int | None:
        """The customer who has the order number and the e-mail address; `None` when they do not match.

        Every attempt counts against the limit of the client address.
        """
        address = declared_email(email)
        order = known_order_number(number, self._settings)
        now = self._context.clock()
        limit = self._limits.of_address(origin.address)
        await limits.enforce(session, limit, now, self._settings, address=origin.address)
        account = await login.by_pair(session, self._settings, order, validation.email_key(address))
        return account.customer_id if account else None

    def _declared(self, customer_id: int, number: str, entry: WithdrawalEntry) -> Declared:
        return Declared(
            customer_id=customer_id,
            order_number=number,
            name=declarant(entry.name),
            counts=counts_of(entry.items),
            items=entry.items,
            key=key_of(customer_id, number, entry.key),
            received_at=self._context.clock(),
        )
