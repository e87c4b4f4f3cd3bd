"""The timeline of a bike: past and planned events of all subjects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from portal.bikes.provider.queries import OwnedBike
from portal.contract.account import LocalizedText
from portal.contract.models import Locale
from portal.contracts.provider.account import end_title
from portal.contracts.provider.queries import TakenOut
from portal.insurance.rules import effective_status
from portal.kernel.days import local_day
from portal.kernel.texts import N_
from portal.overview.api import TimelineEvent, TimelineEventKind
from portal.returns.provider.account import status_of
from portal.returns.provider.return_case import ReturnCase, status_now
from portal.tables.bikes import MileageRow, PackageOrderRow
from portal.tables.deliveries import DateChangeRow, DeliveryEventRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import ShipmentRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.contracts import BINDING, END_LABELS, EndKind
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus, current_status, names_day
from portal.vocabulary.departures import Dependent, goes_on
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus, status_words
from portal.work_orders.provider.account import day_ahead, handover_of, waits
from portal.work_orders.provider.confirmation import title_and_description

_REQUESTS = {
    RequestKind.REPAIR: TimelineEventKind.REPAIR,
    RequestKind.SERVICE: TimelineEventKind.SERVICE,
    RequestKind.CLAIM: TimelineEventKind.CLAIM,
}


@dataclass(slots=True)
class Life:
    """Everything that is known of a bike. `shipment`: the shipment that contains it; None if unknown."""

    owned: OwnedBike
    warranty_until: date
    shipment: ShipmentRow | None = None
    events: Sequence[DeliveryEventRow] = ()
    changes: Sequence[DateChangeRow] = ()
    requests: Sequence[RequestRow] = ()
    insurances: Sequence[InsuranceRequestRow] = ()
    packages: Sequence[PackageOrderRow] = ()
    returns: Sequence[ReturnRow] = ()
    contracts: Sequence[TakenOut] = ()
    mileages: Sequence[MileageRow] = field(default_factory=list)


def timeline(life: Life, now: datetime, locale: Locale) -> list[TimelineEvent]:
    """The events of a bike, latest day first, so that future events are on top."""
    day = local_day(now)
    everything = [
        *_order(life, day),
        *_changes(life, now),
        *_requests(life, day, locale),
        *_insurances(life, now),
        *return_events(life.returns, now),
        *(
            _at(
                TimelineEventKind.SERVICE_PACKAGE,
                row.created_at,
                reference=row.reference,
                detail=row.package.value,
            )
            for row in life.packages
        ),
        *_contract_ends(life, day),
        *_mileages(life),
    ]
    if goes_on(life.owned.departure, Dependent.WARRANTY):
        ends_on = life.warranty_until
        everything.append(TimelineEvent(kind=TimelineEventKind.WARRANTY, day=ends_on, ahead=ends_on >= day))
    return sorted(everything, key=lambda entry: (entry.day, _moment(entry)), reverse=True)


def _moment(entry: TimelineEvent) -> float:
    return entry.happened_at.timestamp() if entry.happened_at else 0.0


def _at(kind: TimelineEventKind, moment: datetime, **more: object) -> TimelineEvent:
    return TimelineEvent.model_validate({"kind": kind, "day": local_day(moment), "happened_at": moment, **more})


def _order(life: Life, day: date) -> Iterator[TimelineEvent]:
    order, number = life.owned.order, life.owned.order.order_number
    delivery = {"reference": number, "page": f"/order-status/{number}"}
    yield _at(TimelineEventKind.ORDER, order.ordered_at, reference=number, page=f"/orders/{number}")
    seen: set[DeliveryStatus] = set()
    for event in life.events:
        seen.add(event.status)
        yield _at(TimelineEventKind.DELIVERY, event.happened_at, **delivery, status=event.status.value, text=event.note)
    # Older orders have no delivery events: derive them from the dates. Of equal moments, the arrival is the later one.
    parcel = life.shipment
    arrived = life.owned.bike.delivered_on
    if arrived and not seen & {DeliveryStatus.ORDER_DELIVERED, DeliveryStatus.ORDER_PICKED_UP}:
        picked_up = order.delivery_status is DeliveryStatus.ORDER_PICKED_UP
        status = DeliveryStatus.ORDER_PICKED_UP if picked_up else DeliveryStatus.ORDER_DELIVERED
        known = parcel.delivered_at if parcel and parcel.delivered_at else None
        moment = known if known and local_day(known) == arrived else None
        yield TimelineEvent(
            kind=TimelineEventKind.DELIVERY, day=arrived, happened_at=moment, status=status.value, **delivery
        )
    if parcel and parcel.shipped_at and not seen:
        status = DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE
        yield _at(TimelineEventKind.DELIVERY, parcel.shipped_at, **delivery, status=status.value)
    planned = (parcel.scheduled_day if parcel else None) or order.scheduled_day
    if not arrived and planned and planned >= day and names_day(order.delivery_status):
        yield TimelineEvent(kind=TimelineEventKind.DELIVERY, day=planned, ahead=True, **delivery)


def _changes(life: Life, now: datetime) -> Iterator[TimelineEvent]:
    for row in life.changes:
        status = current_status(row.status, row.link_expires_at, now)
        ended = row.link_expires_at if status is DateChangeStatus.EXPIRED else None
        moment = ended or row.decided_at or row.confirmed_at or row.created_at
        yield _at(
            TimelineEventKind.DATE_CHANGE,
            moment,
            status=status.value,
            reference=row.reference,
            new_day=row.new_day,
            page=f"/delivery-date/{life.owned.order.order_number}",
        )


def _requests(life: Life, day: date, locale: Locale) -> Iterator[TimelineEvent]:
    for row in life.requests:
        kind = _REQUESTS.get(row.kind)
        if kind is None:
            continue
        title, _ = title_and_description(row, locale)
        about = {"reference": row.reference, "text": title, "page": f"/maintenance/{row.reference}"}
        moments = [(WorkOrderStatus.NEW, row.created_at), (row.status, row.updated_at)]
        for status, moment in moments[: 1 if row.status is WorkOrderStatus.NEW else 2]:
            words, _ = status_words(row.kind, status, handover_of(row), planned=False)
            label = LocalizedText.of(words).model_dump()
            yield _at(kind, moment, **about, status=status.value, label=label)
        planned = None if waits(row, life.owned.departure) else day_ahead(row)
        if planned and planned >= day:
            yield TimelineEvent(kind=kind, day=planned, ahead=True, **about)


def _contract_ends(life: Life, day: date) -> Iterator[TimelineEvent]:
    """What ended contracts: each declaration, and the last day of a contract that was cancelled."""
    for contract in life.contracts:
        page = f"/contracts/{contract.reference}"
        for row in contract.ends:
            yield _at(
                TimelineEventKind.CONTRACT_END,
                row.processed_at or row.confirmed_at or row.received_at,
                status=row.status.value,
                reference=row.reference,
                title=end_title(row.ending, contract.product).model_dump(),
                label=LocalizedText.of(END_LABELS[row.status]).model_dump(),
                page=page,
            )
            if row.status in BINDING and row.ending is EndKind.CANCELLATION:
                yield TimelineEvent(
                    kind=TimelineEventKind.CONTRACT_END,
                    day=row.ends_on,
                    ahead=row.ends_on >= day,
                    reference=row.reference,
                    title=LocalizedText.of(N_("Last day: {product}"), product=contract.product).model_dump(),
                    page=page,
                )


def _mileages(life: Life) -> Iterator[TimelineEvent]:
    for row in life.mileages:
        yield _at(TimelineEventKind.MILEAGE, row.read_at, detail=f"{row.km.normalize():f}")
    bike = life.owned.bike
    # The mileage was set by the workshop, or before readings were stored.
    if bike.mileage is not None and bike.mileage_at and not life.mileages:
        yield TimelineEvent(kind=TimelineEventKind.MILEAGE, day=bike.mileage_at, detail=str(bike.mileage))


def return_events(rows: Sequence[ReturnRow], now: datetime) -> Iterator[TimelineEvent]:
    for row in rows:
        status = status_now(row, now)
        label, _ = status_of(ReturnCase(row, status, ()))
        moment = row.updated_at if status is row.status else row.confirm_until or row.updated_at
        yield _at(
            TimelineEventKind.RETURN,
            moment,
            status=status.value,
            reference=row.reference,
            label=label.model_dump(),
            detail=row.kind.value,
            page=f"/returns/{row.public_id}",
        )


def _insurances(life: Life, now: datetime) -> Iterator[TimelineEvent]:
    for row in life.insurances:
        status = effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link)
        moment = row.updated_at if status is row.status else row.link_expires_at or row.updated_at
        yield _at(
            TimelineEventKind.INSURANCE,
            moment,
            status=status.value,
            reference=row.reference,
            text=row.note,
            detail=row.type.value,
            asks=status is InsuranceStatus.WAITING_FOR_INPUT and not row.waits_for_link,
        )
    bike = life.owned.bike
    if bike.insurance_start and not any(row.policy_number for row in life.insurances):
        yield TimelineEvent(
            kind=TimelineEventKind.INSURANCE,
            day=bike.insurance_start,
            status="finished",
            reference=bike.policy_number,
            detail=bike.insurance,
        )
