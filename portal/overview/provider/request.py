"""The page of a request that has none in its own subject: insurance, another delivery day, the end of a contract."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.bikes.provider.queries import departure_of_bike
from portal.contract.errors import NotFound
from portal.contracts.provider.account import end_account
from portal.contracts.provider.queries import ContractQueries
from portal.deliveries.provider.account import date_change_account
from portal.deliveries.provider.moving import ordered_units
from portal.deliveries.provider.queries import DateChangeQueries
from portal.insurance.provider.account import insurance_account
from portal.insurance.provider.queries import InsuranceQueries
from portal.insurance.rules import effective_status
from portal.kernel.validation import is_reference
from portal.orders.provider.queries import OrderQueries
from portal.overview.api import OwnRequest
from portal.overview.provider.order import LineActionsService
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import end_tone
from portal.vocabulary.deliveries import current_status, date_change_tone
from portal.vocabulary.insurance import insurance_tone


class OwnRequestService(LineActionsService):
    @override
    async def own_request(self, token: str, reference: str) -> OwnRequest:
        if not is_reference(reference):
            raise NotFound
        now = self._context.clock()
        async with self._sessions.reading(token) as (owner, session):
            for find in (_insurance, _date_change, self._contract_end):
                try:
                    return await find(session, owner.customer_id, reference, now)
                except NotFound:
                    continue
        raise NotFound

    async def _contract_end(
        self, session: AsyncSession, customer_id: int, reference: str, _now: datetime
    ) -> OwnRequest:
        contract, row = await ContractQueries(session, customer_id).end_named(reference)
        return OwnRequest(
            kind=CaseKind.CONTRACT_END,
            reference=reference,
            account=end_account(contract, row, self._settings),
            tone=end_tone(row.status),
            page=f"/contracts/{contract.reference}",
        )


async def _insurance(session: AsyncSession, customer_id: int, reference: str, now: datetime) -> OwnRequest:
    row, bike = await InsuranceQueries(session, customer_id).get(reference=reference, lock=False)
    status = effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link)
    return OwnRequest(
        kind=CaseKind.INSURANCE,
        reference=reference,
        account=insurance_account(row, bike, now, await departure_of_bike(session, bike)),
        tone=insurance_tone(status),
        page=f"/insurance-package?bike={bike.public_id}",
    )


async def _date_change(session: AsyncSession, customer_id: int, reference: str, now: datetime) -> OwnRequest:
    row, order = await DateChangeQueries(session, customer_id).get(reference)
    items = ordered_units(await OrderQueries(session, customer_id).lines(order))
    return OwnRequest(
        kind=CaseKind.DATE_CHANGE,
        reference=reference,
        account=date_change_account(order, items, row, now),
        tone=date_change_tone(current_status(row.status, row.link_expires_at, now)),
        page=f"/delivery-date/{order.order_number}",
    )
