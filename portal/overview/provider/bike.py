"""The page of a bike: warranty, next service, documents, actions, mileage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import live
from portal.backend.sessions import Owner
from portal.bikes.provider.queries import BikeQueries, OwnedBike, known_km, last_readings, locked, record_mileage
from portal.bikes.provider.service import to_bike
from portal.contract.account import AccountFact
from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.models import Action
from portal.contracts.provider.queries import ContractQueries
from portal.contracts.provider.service import contract
from portal.conversations.provider.queries import asked_of
from portal.deliveries.provider.queries import DateChangeQueries, ShipmentQueries
from portal.flow import AnswerContext, Kilometres
from portal.insurance.provider.queries import InsuranceQueries, insurance_request, is_open
from portal.insurance.rules import offered_until
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.terms import FIRST_SERVICE_KM, ShopTerms
from portal.kernel.validation import InvalidValue, frame_number, in_groups, is_short_id, required
from portal.login.provider.queries import switched_on
from portal.orders.provider.invoices import InvoiceQueries
from portal.orders.provider.queries import OrderQueries, delivery_ahead
from portal.orders.rules import ShippingTimes, journeys, order_return_until
from portal.overview.api import (
    BikeDocument,
    BikeDocumentKind,
    BikeHome,
    FrameNumber,
    MileageEntry,
    ServiceClock,
    Warranty,
)
from portal.overview.provider.order import OwnRequestService
from portal.overview.provider.timeline import Life, timeline
from portal.overview.rules import BikeDoorFacts, OrderFacts, decide
from portal.returns.provider.return_case import agreed, departure_by, dependents_of, status_now
from portal.service_packages.flow import can_take_package
from portal.tables.bikes import BikeRow, MileageRow, PackageOrderRow
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow, ReturnUnitRow, is_unit_of
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Decision, Feature, Opening, Reason, Topic
from portal.vocabulary.deliveries import ARRIVED
from portal.vocabulary.departures import GONE, Dependent, goes_on
from portal.vocabulary.returns import GIVES_BACK
from portal.vocabulary.services import ServiceJob
from portal.work_orders.provider.queries import ServiceProductQueries
from portal.work_orders.rules import due

BIKE_FEATURES = (
    Feature.REPAIR,
    Feature.SERVICE,
    Feature.CLAIM,
    Feature.STATUS,
    Feature.SERVICE_PACKAGE,
    Feature.INSURANCE,
    Feature.RETURN,
    Feature.ORDER_STATUS,
    Feature.TRACK_AND_TRACE,
    Feature.DELIVERY_DATE,
    Feature.CUSTOMER_SERVICE,
)
_GONE = {
    Code.ORDER_CANCELLED: Reason.ORDER_CANCELLED,
    Code.ALREADY_RETURNED: Reason.RETURNED,
    Code.BIKE_GOING_BACK: Reason.RETURN_REQUESTED,
}


def bike_facts(owned: OwnedBike) -> BikeDoorFacts:
    return BikeDoorFacts(
        frame_number_known=bool(owned.bike.frame_number),
        open_request=owned.open_request is not None,
        insured=bool(owned.insurance),
        insurable_until=offered_until(local_day(owned.order.ordered_at), owned.terms.insurance_days),
        gone=_GONE[owned.gone] if owned.gone else None,
    )


def actions_of(decisions: Mapping[Feature, Decision], owned: OwnedBike, life: Life, now: datetime) -> list[Action]:
    insurance = life.insurances[-1] if life.insurances else None
    unknown = None if owned.bike.frame_number else Reason.FRAME_NUMBER_UNKNOWN
    has_package = not can_take_package(owned.package)
    returned = any(status_now(row, now) not in GIVES_BACK for row in life.returns)
    closed = {
        Feature.SERVICE_PACKAGE: Reason.PACKAGE_EXISTS if has_package else unknown,
        Feature.INSURANCE: Reason.INSURANCE_REQUESTED if is_open(insurance, now) else unknown,
        Feature.RETURN: Reason.RETURN_REQUESTED if returned else None,
    }
    actions = []
    for feature in BIKE_FEATURES:
        decision = decisions.get(feature)
        if decision is None:
            continue
        action = Action(feature=feature, opening=decision.opening, reason=decision.reason, until=decision.until)
        reason = closed.get(feature)
        if reason and action.opening is Opening.OPEN:
            action = Action(feature=feature, opening=Opening.CLOSED, reason=reason)
        actions.append(action)
    return actions


def order_facts(order: OrderRow, shipments: Sequence[ShipmentRow], terms: ShopTerms, now: datetime) -> OrderFacts:
    known = [(parcel.status, ShippingTimes(parcel.shipped_at, parcel.delivered_at)) for parcel in shipments]
    parts = journeys(order.delivery_status, order.ordered_at, known, now)
    return OrderFacts(
        features=frozenset(switched_on([order.features])),
        return_until=order_return_until((part.shipped_at for part in parts), terms.return_days),
        status=order.delivery_status,
        has_tracking=any(
            shipment.tracking_url and shipment.delivered_at is None and shipment.status not in ARRIVED
            for shipment in shipments
        ),
    )


MAX_READINGS = 20
"""Largest number of odometer readings on the timeline."""


class BikeLifeQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def packages(self, bike: BikeRow) -> Sequence[PackageOrderRow]:
        query = select(PackageOrderRow).where(
            PackageOrderRow.customer_id == self._customer_id, PackageOrderRow.bike_id == bike.id
        )
        return (await self._session.exec(query)).all()

    async def mileages(self, bike: BikeRow) -> Sequence[MileageRow]:
        query = (
            select(MileageRow)
            .where(MileageRow.customer_id == self._customer_id, MileageRow.bike_id == bike.id)
            .order_by(col(MileageRow.id).desc())
            .limit(MAX_READINGS)
        )
        return (await self._session.exec(query)).all()

    async def requests(self, bike: BikeRow) -> Sequence[RequestRow]:
        query = (
            select(RequestRow)
            .where(RequestRow.customer_id == self._customer_id, RequestRow.bike_id == bike.id)
            .order_by(col(RequestRow.created_at).desc(), col(RequestRow.id).desc())
        )
        return (await self._session.exec(query)).all()

    async def returns(self, bike: BikeRow) -> Sequence[ReturnRow]:
        units = select(ReturnUnitRow.return_id).where(is_unit_of(bike.id, bike.order_line_id))
        query = (
            select(ReturnRow)
            .where(ReturnRow.customer_id == self._customer_id, col(ReturnRow.id).in_(units))
            .order_by(col(ReturnRow.created_at).desc(), col(ReturnRow.id).desc())
        )
        return (await self._session.exec(query)).all()


_MILEAGE = Kilometres(largest=Decimal(500_000))


class BikeHomeService(OwnRequestService):
    @override
    async def bike_home(self, token: str, bike_id: str) -> BikeHome:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            return await self._home(session, owner, bike_id)

    @override
    async def enter_frame_number(self, token: str, bike_id: str, entry: FrameNumber) -> BikeHome:
        owner = await self._sessions.owner(token)
        if not is_short_id(bike_id):
            raise NotFound
        try:
            number = frame_number(required(entry.frame_number))
        except InvalidValue as error:
            raise InvalidInput(error.code, fields={"frame_number": error.code}) from None
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            bike = await self._locked_bike(session, owner, bike_id)
            if not bike.frame_number:
                bike.frame_number = number
                await live.publish(session, owner.customer_id, Topic.REQUESTS, now)
                await session.flush()
            return await self._home(session, owner, bike_id)

    @staticmethod
    async def _locked_bike(session: AsyncSession, owner: Owner, bike_id: str) -> BikeRow:
        """A bike that the customer has, locked until the end of the transaction."""
        owned = await BikeQueries(session, owner.customer_id).get(bike_id)
        if not goes_on(owned.departure, Dependent.WARRANTY):
            raise Refused(owned.gone or Code.ALREADY_RETURNED)
        return await locked(session, owner.customer_id, owned.bike.id)

    @override
    async def enter_mileage(self, token: str, bike_id: str, entry: MileageEntry) -> BikeHome:
        owner = await self._sessions.owner(token)
        if not is_short_id(bike_id):
            raise NotFound
        now = self._context.clock()
        km = _kilometres(entry, local_day(now))
        async with self._context.database.transaction() as session:
            bike = await self._locked_bike(session, owner, bike_id)
            last = (await last_readings(session, owner.customer_id, [bike])).get(bike.id)
            if km < (known_km(bike, last) or 0) and not entry.corrects:
                raise InvalidInput(Code.MILEAGE_LOWER, fields={"mileage": Code.MILEAGE_LOWER})
            await record_mileage(session, bike, km, now)
            return await self._home(session, owner, bike_id)

    async def _home(self, session: AsyncSession, owner: Owner, bike_id: str) -> BikeHome:
        settings, now = self._context.settings, self._context.clock()
        day = local_day(now)
        bikes = BikeQueries(session, owner.customer_id)
        owned = await bikes.get(bike_id)
        bike = to_bike(owned, day=day)
        shipments = ShipmentQueries(session, owner.customer_id)
        life_rows = BikeLifeQueries(session, owner.customer_id)
        parcels, contents = (
            await shipments.all(owned.order),
            await OrderQueries(session, owner.customer_id).contents(owned.order),
        )
        line = owned.bike.order_line_id or 0
        parcel = next((entry for entry in parcels if line in contents.get(entry.id, {})), None)
        if parcel is None and not contents and len(parcels) == 1:
            parcel = parcels[0]
        events = [
            event
            for event in await shipments.events(owned.order)
            if event.shipment_id is None or (parcel and event.shipment_id == parcel.id)
        ]
        mileages = await life_rows.mileages(owned.bike)
        insurances = await InsuranceQueries(session, owner.customer_id).of_bike(owned.bike)
        changes = await DateChangeQueries(session, owner.customer_id).all(owned.order)
        invoices = await InvoiceQueries(session, owner.customer_id).of_order(owned.order)
        contracts = await ContractQueries(session, owner.customer_id).all(owned.bike.id)
        asked = await asked_of(session, owner.customer_id)
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
            contracts=contracts,
            mileages=mileages,
        )
        facts = order_facts(owned.order, parcels, owned.terms, now)
        decisions = decide(
            facts.features,
            [bike_facts(owned)],
            [facts],
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
                number=in_groups(row.reference),
                day=local_day(row.created_at),
                about=row.kind,
            )
            for row in life.requests
        ]
        if changes:
            documents.append(_document(BikeDocumentKind.DATE_CHANGE, owned, local_day(changes[-1].created_at)))
        planned = delivery_ahead(owned.order.delivery_status, owned.order.scheduled_day)
        if planned and owned.bike.delivered_on is None:
            documents.append(_document(BikeDocumentKind.CALENDAR, owned, planned))
        start = owned.bike.delivered_on or local_day(owned.order.ordered_at)
        known = known_km(owned.bike, mileages[0].km if mileages else None)
        last = insurances[-1] if insurances else None
        return BikeHome(
            bike=bike,
            mileage_km="" if known is None else f"{known.normalize():f}",
            warranty=Warranty(
                since=start,
                until=bike.warranty_until,
                expired=bike.warranty_expired,
                days_left=(bike.warranty_until - day).days,
            )
            if goes_on(owned.departure, Dependent.WARRANTY)
            else None,
            clock=await self._clock(session, owner, owned, start, day)
            if goes_on(owned.departure, Dependent.REMINDER)
            else None,
            timeline=timeline(life, now, owner.locale),
            documents=sorted(documents, key=lambda document: document.day, reverse=True),
            actions=actions_of(decisions, owned, life, now),
            insurance=insurance_request(last, owned.bike, now, asked=last.reference in asked, departure=owned.departure)
            if last
            else None,
            contracts=[contract(found, now, settings, asked=asked) for found in contracts],
            consequences=await self._consequences(session, life, now),
        )

    @staticmethod
    async def _consequences(session: AsyncSession, life: Life, now: datetime) -> list[AccountFact]:
        departure = life.owned.departure
        if departure is None or departure in GONE:
            return []
        open_returns = [row for row in life.returns if departure_by(row, status_now(row, now))]
        settled = {line.kind for row in open_returns for line in agreed(row).lines}
        return await dependents_of(session, [life.owned.bike], departure, settled)

    @staticmethod
    async def _clock(session: AsyncSession, owner: Owner, owned: OwnedBike, start: date, day: date) -> ServiceClock:
        history = await ServiceProductQueries(session, owner.customer_id).history(owned.bike)
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
            last_on=history.last,
        )


def _document(kind: BikeDocumentKind, owned: OwnedBike, day: date) -> BikeDocument:
    number = owned.order.order_number
    return BikeDocument(kind=kind, reference=number, number=number, day=day)


def _kilometres(entry: MileageEntry, day: date) -> Decimal:
    """Parse the entered mileage: comma or point, at most two decimals (part-2 §5)."""
    if not entry.mileage.strip():
        raise InvalidInput(Code.REQUIRED, fields={"mileage": Code.REQUIRED})
    try:
        return Decimal(str(_MILEAGE(entry.mileage, AnswerContext({}, {}, day))))
    except InvalidValue as error:
        raise InvalidInput(error.code, fields={"mileage": error.code}) from None
