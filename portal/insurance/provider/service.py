"""Insurances, bike by bike (part-2 §2 Insurance request)."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.contract.errors import Conflict, NotFound, Refused
from portal.contract.insurance import InsuranceBike, InsuranceOffer, InsuranceOptions, InsuranceRequest
from portal.contract.insurance_api import InsuranceApi
from portal.contract.links import LinkSent
from portal.domain.codes import Code
from portal.domain.identifiers import is_reference, is_short_id
from portal.domain.insurances import PACKAGES
from portal.provider.confirming import insurance as confirming
from portal.provider.context import Context
from portal.provider.links import Links, Subject, Waiting
from portal.provider.repositories import changes
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.repositories.insurances import InsuranceRepository, move, premiums
from portal.provider.services import insurance_shapes as shapes
from portal.provider.services.service import Service
from portal.provider.sessions import Sessions
from portal.provider.tables.columns import ZERO
from portal.provider.tables.insurances import InsuranceRequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import INSURANCE_REQUESTS, InsuranceStatus
from portal.vocabulary.links import LinkPurpose


class InsuranceService(Service, InsuranceApi):
    """Operations on insurances."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._links = Links(context)

    @override
    async def insurance_bikes(self, token: str) -> list[InsuranceBike]:
        async with self._sessions.reading(token) as (owner, session):
            now = self._context.clock()
            insurances = InsuranceRepository(session, owner.customer_id)
            last, prices = await insurances.latest(), await insurances.prices()
            return [
                shapes.bike(
                    owned,
                    prices.get(owned.bike.id or 0),
                    row := last.get(owned.bike.id or 0),
                    now,
                    await self._waiting(session, row),
                )
                for owned in await BikeRepository(session, owner.customer_id).all()
            ]

    @override
    async def insurance_options(self, token: str, bike_id: str) -> InsuranceOptions:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            now = self._context.clock()
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
            insurances = InsuranceRepository(session, owner.customer_id)
            price = (await insurances.prices()).get(owned.bike.id or 0, ZERO)
            row = (await insurances.latest()).get(owned.bike.id or 0)
            costs = await premiums(session, owned.bike.kind, price)
            bike = shapes.bike(owned, price, row, now, await self._waiting(session, row))
        return InsuranceOptions(
            bike=bike,
            offers=[
                InsuranceOffer(
                    key=entry.key,
                    insurer=entry.insurer,
                    type=entry.type,
                    premium=costs[entry.key],
                    excess=entry.excess,
                    most_chosen=entry.most_chosen,
                    covers=list(entry.covers),
                    covers_not=list(entry.covers_not),
                )
                for entry in PACKAGES
            ],
        )

    @override
    async def resend_insurance(self, token: str, reference: str) -> LinkSent:
        owner = await self._sessions.owner(token)
        if not is_reference(reference):
            raise NotFound
        async with self._context.database.transaction() as session:
            row, _ = await InsuranceRepository(session, owner.customer_id).get(reference=reference)
            if not row.waits_for_link:
                raise NotFound
            return await confirming.renew(self._context, session, Subject(row.id or 0, owner.customer_id))

    @override
    async def cancel_insurance(self, token: str, reference: str) -> InsuranceRequest:
        owner = await self._sessions.owner(token)
        if not is_reference(reference):
            raise NotFound
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            row, bike = await InsuranceRepository(session, owner.customer_id).get(reference=reference)
            target = InsuranceStatus.CANCELLED
            if not INSURANCE_REQUESTS.allows(row.status, target):
                raise Refused(Code.STATUS_NOT_ALLOWED)
            if not await move(session, row, target, waits_for_link=False, iban="", updated_at=now):
                raise Conflict(Code.STATUS_CHANGED)
            await self._links.withdraw(session, LinkPurpose.INSURANCE, Subject(row.id or 0, owner.customer_id))
            await changes.tell(session, owner.customer_id, Topic.INSURANCES, now)
            await session.refresh(row)
            return shapes.request(row, bike.public_id, now)

    async def _waiting(self, session: AsyncSession, row: InsuranceRequestRow | None) -> Waiting | None:
        if row is None or not row.waits_for_link:
            return None
        return await self._links.waiting(session, LinkPurpose.INSURANCE, Subject(row.id or 0, row.customer_id))
