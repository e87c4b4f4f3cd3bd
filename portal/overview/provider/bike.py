"""The home of a bike: timeline, warranty, service clock, documents, actions; and its mileage."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.contract.bike_home import (
    BikeDocument,
    BikeDocumentKind,
    BikeHome,
    MileageEntry,
    ServiceClock,
    Warranty,
)
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.overview_api import OverviewApi
from portal.domain.codes import Code
from portal.domain.dashboard import decide
from portal.domain.dates import local_day
from portal.domain.flow import AnswerContext, Number
from portal.domain.identifiers import is_short_id
from portal.domain.service_jobs import due
from portal.domain.terms import FIRST_SERVICE_KM
from portal.domain.validation import InvalidValue
from portal.provider.repositories.bike_life import BikeLifeRepository
from portal.provider.repositories.bikes import BikeRepository, OwnedBike
from portal.provider.repositories.date_changes import DateChangeRepository
from portal.provider.repositories.insurances import InsuranceRepository
from portal.provider.repositories.invoices import InvoiceRepository
from portal.provider.repositories.service_products import ServiceProductRepository
from portal.provider.repositories.shipments import ShipmentRepository
from portal.provider.services import insurance_shapes
from portal.provider.services.bike_facts import actions_of, bike_facts, order_facts
from portal.provider.services.bike_timeline import Life, timeline
from portal.provider.services.bikes import to_bike
from portal.provider.services.service import Service
from portal.provider.sessions import Owner
from portal.provider.tables.bike_life import MileageRow
from portal.vocabulary.services import ServiceJob

_MILEAGE = Number(largest=Decimal(500_000))


class BikeHomeService(Service, OverviewApi):
    """Operations on one bike, whole."""

    @override
    async def bike_home(self, token: str, bike_id: str) -> BikeHome:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            return await self._home(session, owner, bike_id)

    @override
    async def enter_mileage(self, token: str, bike_id: str, entry: MileageEntry) -> BikeHome:
        owner = await self._sessions.owner(token)
        if not is_short_id(bike_id):
            raise NotFound
        now = self._context.clock()
        km = _kilometres(entry, local_day(now))
        async with self._context.database.transaction() as session:
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
            life = BikeLifeRepository(session, owner.customer_id)
            bike = await life.locked(owned.bike)
            last = next(iter(await life.mileages(bike)), None)
            known = max(last.km if last else Decimal(0), Decimal(bike.mileage or 0))
            if last and bike.mileage is not None and int(last.km) == bike.mileage:
                known = last.km
            if km < known and not entry.corrects:
                raise InvalidInput(Code.MILEAGE_LOWER, fields={"mileage": Code.MILEAGE_LOWER})
            if last is None or last.km != km or bike.mileage != int(km):
                session.add(MileageRow(customer_id=owner.customer_id, bike_id=bike.id or 0, km=km, read_at=now))
            # Whole kilometres are what the rest of the house counts with.
            bike.mileage, bike.mileage_at = int(km), local_day(now)
            await session.flush()
            return await self._home(session, owner, bike_id)

    async def _home(self, session: AsyncSession, owner: Owner, bike_id: str) -> BikeHome:
        settings, now = self._context.settings, self._context.clock()
        day = local_day(now)
        bikes = BikeRepository(session, owner.customer_id)
        owned = await bikes.get(bike_id)
        bike = to_bike(owned, day=day, warranty_years=settings.warranty_years)
        shipments = ShipmentRepository(session, owner.customer_id)
        life_rows = BikeLifeRepository(session, owner.customer_id)
        parcels, contents = await shipments.all(owned.order), await shipments.contents(owned.order)
        line = owned.bike.order_line_id or 0
        parcel = next((entry for entry in parcels if line in contents.get(entry.id or 0, {})), None)
        if parcel is None and not contents and len(parcels) == 1:
            parcel = parcels[0]
        events = [
            event
            for event in await shipments.events(owned.order)
            if event.shipment_id is None or (parcel and event.shipment_id == parcel.id)
        ]
        mileages = await life_rows.mileages(owned.bike)
        insurances = await InsuranceRepository(session, owner.customer_id).of_bike(owned.bike)
        changes = await DateChangeRepository(session, owner.customer_id).all(owned.order)
        invoices = await InvoiceRepository(session, owner.customer_id).of_order(owned.order)
        life = Life(
            owned=owned,
            warranty_until=bike.warranty_until,
            shipment=parcel,
            events=events,
            changes=changes,
            requests=await life_rows.requests(owned.bike),
            insurances=insurances,
            packages=await life_rows.packages(owned.bike),
            returns=await life_rows.returns(owned.bike),
            mileages=mileages,
        )
        decisions = decide(
            frozenset(order_facts(owned.order, parcels).features),
            [bike_facts(owned)],
            [order_facts(owned.order, parcels)],
            any_request=bool(life.requests),
            day=day,
        )
        documents = [
            BikeDocument(
                kind=BikeDocumentKind.INVOICE, reference=row.public_id, number=row.number, day=row.invoice_date
            )
            for row in invoices
        ]
        documents += [
            BikeDocument(
                kind=BikeDocumentKind.REQUEST,
                reference=row.reference,
                number=row.reference,
                day=local_day(row.created_at),
                about=row.kind,
            )
            for row in life.requests
        ]
        if changes:
            documents.append(_paper(BikeDocumentKind.DATE_CHANGE, owned, local_day(changes[-1].created_at)))
        if owned.order.scheduled_day and owned.bike.delivered_on is None:
            documents.append(_paper(BikeDocumentKind.CALENDAR, owned, owned.order.scheduled_day))
        start = owned.bike.delivered_on or local_day(owned.order.ordered_at)
        known = mileages[0].km if mileages and int(mileages[0].km) == owned.bike.mileage else owned.bike.mileage
        last = insurances[-1] if insurances else None
        return BikeHome(
            bike=bike,
            mileage_km="" if known is None else f"{Decimal(known).normalize():f}",
            warranty=Warranty(
                since=start,
                until=bike.warranty_until,
                expired=bike.warranty_expired,
                days_left=(bike.warranty_until - day).days,
            ),
            clock=await self._clock(session, owner, owned, start, day),
            timeline=timeline(life, now, owner.locale),
            documents=documents,
            actions=actions_of(decisions, owned, life, now),
            insurance=insurance_shapes.request(last, owned.bike.public_id, now) if last else None,
        )

    @staticmethod
    async def _clock(session: AsyncSession, owner: Owner, owned: OwnedBike, start: date, day: date) -> ServiceClock:
        history = await ServiceProductRepository(session, owner.customer_id).history(owned.bike)
        mileage = owned.bike.mileage
        found = due(start, history.done, history.last, mileage, day)
        at_km = FIRST_SERVICE_KM if found.job is ServiceJob.FIRST else None
        return ServiceClock(
            job=found.job,
            urgency=found.urgency,
            due_on=found.day,
            due_at_km=at_km,
            km_left=None if at_km is None or mileage is None else at_km - mileage,
            days_left=(found.day - day).days,
            by_distance=found.by_distance,
            last_on=history.last,
        )


def _paper(kind: BikeDocumentKind, owned: OwnedBike, day: date) -> BikeDocument:
    number = owned.order.order_number
    return BikeDocument(kind=kind, reference=number, number=number, day=day)


def _kilometres(entry: MileageEntry, day: date) -> Decimal:
    """What was typed, with a comma or a point and at most two decimals (part-2 §5)."""
    if not entry.mileage.strip():
        raise InvalidInput(Code.REQUIRED, fields={"mileage": Code.REQUIRED})
    try:
        return Decimal(str(_MILEAGE(entry.mileage, AnswerContext({}, {}, day))))
    except InvalidValue as error:
        raise InvalidInput(error.code, fields={"mileage": error.code}) from None
