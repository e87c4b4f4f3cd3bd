"""Events after the sale in the demonstration shop: partial deliveries, repairs and insurances."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.pdf import in_thread
from portal.backend.security import masked_email
from portal.contracts.rules import ending
from portal.deliveries.rules import days as delivery_days
from portal.demo.catalogue import VERSION, all_documents, insurances, tariffs
from portal.demo.customers import customer_of
from portal.demo.plans import (
    INSURANCE,
    OWN_TRANSPORT,
    BikePlan,
    Days,
    LinePlan,
    OrderPlan,
    RequestPlan,
    digits,
    imei,
    local_moment,
    stable_id,
)
from portal.demo.travelling import complete_history
from portal.insurance.provider.queries import add_document, current_documents
from portal.kernel.address import Country
from portal.kernel.days import local_day
from portal.tables.bikes import BikeRow, MileageRow, PackageOrderRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow, DeliveryDayRow, DeliveryEventRow
from portal.tables.insurance import (
    ContractEndRow,
    InsuranceProductRow,
    InsuranceRequestRow,
    InsuranceTariffRow,
    ShopTermRow,
)
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.contracts import ContractKind, EndStatus
from portal.vocabulary.deliveries import ALL_DAY, DateChangeStatus, DeliveryStatus
from portal.vocabulary.insurance import INSURING, InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.links import LIFETIME
from portal.vocabulary.prices import ShopTerm
from portal.vocabulary.services import ServicePackage
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, WORK_ORDERS, Actor
from portal.work_orders.flow.service import JOB

PARTED = "900000078"
"""An order in two parts: the bike is planned, the accessories have arrived."""

_WITH_HISTORY = tuple(
    order.number for email in ("daan@example.com", "bram@example.com") for order in customer_of(email).orders
)
"""Orders with a complete delivery history."""


@dataclass(frozen=True, slots=True)
class _DateChange:
    number: str
    status: DateChangeStatus
    hours: int
    choice: int
    note: str = ""


_DATE_CHANGES = (
    _DateChange("900000072", DateChangeStatus.WAITING_FOR_CUSTOMER, 1, 6),
    _DateChange("900000073", DateChangeStatus.WAITING_FOR_RETAILER, 5, 7),
    _DateChange("900000074", DateChangeStatus.ACCEPTED, 60, 9),
    _DateChange("900000075", DateChangeStatus.REFUSED, 60, 5, "Op deze dag rijdt er geen bus in jouw regio."),
    _DateChange("900000076", DateChangeStatus.EXPIRED, 30, 8),
)

_INSURANCES: tuple[tuple[str, int, InsuranceStatus, InsuranceType], ...] = (
    ("900000082", 2, InsuranceStatus.WAITING_FOR_INPUT, InsuranceType.THEFT_AND_DAMAGE),
    ("900000083", 50, InsuranceStatus.CREATED, InsuranceType.THEFT),
    ("900000084", 500, InsuranceStatus.FINISHED, InsuranceType.THEFT_AND_DAMAGE),
    ("900000085", 9400, InsuranceStatus.CANCELLED, InsuranceType.THEFT),
)


async def complete_aftercare(session: AsyncSession, days: Days, now: datetime) -> None:
    await _insurances_and_terms(session, now)
    await _documents(session, now)
    numbers = {*_WITH_HISTORY, *(entry[0] for entry in _INSURANCES)}
    found = (await session.exec(select(OrderRow).where(col(OrderRow.order_number).in_(numbers)))).all()
    orders = {order.order_number: order for order in found}
    for number in _WITH_HISTORY:
        if number in orders:
            await complete_history(session, orders[number], days)
    if PARTED in orders:
        await _parts(session, orders[PARTED], days)
    for change in _DATE_CHANGES:
        if change.number in orders:
            await _add_date_change(session, orders[change.number], change, now)
    for number, hours, status, kind in _INSURANCES:
        if number in orders:
            await _insurance(session, orders[number], kind, status, now - timedelta(hours=hours))
    await _packages(session, orders, days)
    await session.flush()


async def _insurances_and_terms(session: AsyncSession, now: datetime) -> None:
    for table, rows in ((InsuranceProductRow, insurances), (InsuranceTariffRow, tariffs)):
        if await stored_row(session, table) is None:
            session.add_all(rows())
    if await stored_row(session, ShopTermRow) is None:
        soon = local_day(now) + timedelta(days=60)
        session.add(ShopTermRow(term=ShopTerm.REPAIR_ANSWER_DAYS, valid_from=soon, value=2))


async def _documents(session: AsyncSession, now: datetime) -> None:
    if await current_documents(session):
        return
    for entry, dutch, english in await in_thread(all_documents):
        public_id = stable_id("insurance document", entry.key)
        await add_document(session, entry.insurer, entry.type, VERSION, dutch, english, now=now, public_id=public_id)


async def _parts(session: AsyncSession, order: OrderRow, days: Days) -> None:
    query = select(ShipmentRow).where(ShipmentRow.order_id == order.id).order_by(col(ShipmentRow.id))
    shipments = (await session.exec(query)).all()
    bike, bag = shipments[0], shipments[1]
    # The bike has not been shipped; its part of the order is only packed.
    bike.shipped_at, bike.tracking_url, bike.tracking_code = None, "", ""
    bike.status, bike.carrier = order.delivery_status, OWN_TRANSPORT.name_in(days.settings)
    bike.scheduled_day, bike.scheduled_from, bike.scheduled_until = order.scheduled_day, "09:00", "20:00"
    bag.status = DeliveryStatus.ORDER_DELIVERED
    for status, moment in ((DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE, bag.shipped_at), (bag.status, bag.delivered_at)):
        if moment:
            key = f"demo-{order.order_number}-bag-{status}"
            event = DeliveryEventRow(order_id=order.id, status=status, key=key, happened_at=moment)
            event.shipment_id = bag.id
            session.add(event)


async def _add_date_change(session: AsyncSession, order: OrderRow, change: _DateChange, now: datetime) -> None:
    reference = stable_id("date change", change.number, length=8)
    row = await stored_row(session, DateChangeRow, reference=reference)
    made = now - timedelta(hours=change.hours)
    new_day = _choice(order, now, change.choice)
    confirmed = change.status not in {DateChangeStatus.WAITING_FOR_CUSTOMER, DateChangeStatus.EXPIRED}
    decided = change.status in {DateChangeStatus.ACCEPTED, DateChangeStatus.REFUSED}
    holds = change.status in {DateChangeStatus.WAITING_FOR_RETAILER, DateChangeStatus.ACCEPTED}
    fresh = {
        "original_day": order.scheduled_day or new_day,
        "new_day": new_day,
        "link_expires_at": made + LIFETIME,
        "created_at": made,
        "confirmed_at": made + timedelta(hours=1) if confirmed else None,
        "decided_at": made + timedelta(hours=20) if decided else None,
    }
    if row is None:
        first, last = (f"{moment:%H:%M}" for moment in ALL_DAY)
        row = DateChangeRow(
            reference=reference,
            customer_id=order.customer_id,
            order_id=order.id,
            status=change.status,
            country_code=order.country_code,
            from_time=first,
            until_time=last,
            note=change.note,
            holds_place=holds,
            **fresh,
        )
        session.add(row)
    elif row.status is change.status:
        for name, value in fresh.items():
            setattr(row, name, value)
    if change.status is DateChangeStatus.ACCEPTED and row.status is change.status:
        order.scheduled_day = new_day
    if holds and row.holds_place and await session.get(DeliveryDayRow, (order.country_code, new_day)) is None:
        session.add(DeliveryDayRow(country_code=order.country_code, day=new_day, capacity=12, taken=1))


def _choice(order: OrderRow, now: datetime, place: int) -> date:
    days = delivery_days(now, order.country_code, 28)
    return next(day for day in days[place:] if day != order.scheduled_day)


async def _insurance(
    session: AsyncSession, order: OrderRow, kind: InsuranceType, status: InsuranceStatus, made: datetime
) -> None:
    bike = await stored_row(session, BikeRow, order_id=order.id)
    if bike is None:
        return
    reference = stable_id("insurance", order.order_number, length=8)
    row = await stored_row(session, InsuranceRequestRow, reference=reference)
    waits = status is InsuranceStatus.WAITING_FOR_INPUT
    if row is None:
        row = InsuranceRequestRow(
            reference=reference,
            customer_id=order.customer_id,
            bike_id=bike.id,
            insurer=Insurer.KETTINGZEKER if kind in INSURING else None,
            type=kind,
            document_id=stable_id("insurance document", f"{Insurer.KETTINGZEKER}-{kind}"),
            premium=Decimal("15.58") if kind is InsuranceType.THEFT_AND_DAMAGE else Decimal("9.62"),
            key_number=bike.key_number_1,
            iban="NL91ABNA0417164300" if status in {InsuranceStatus.CREATED, InsuranceStatus.WAITING_FOR_INPUT} else "",
            status=status,
            waits_for_link=waits,
            created_at=made,
            updated_at=made,
        )
        session.add(row)
    if row.status is not status:
        return
    row.created_at = row.updated_at = made
    row.link_expires_at = made + LIFETIME if waits else None
    if status is InsuranceStatus.FINISHED:
        row.policy_number = row.policy_number or f"P{digits(9, 'policy', order.order_number)}"
        row.starts_on = local_day(made)
        bike.insurance, bike.policy_number, bike.insurance_start = kind.value, row.policy_number, row.starts_on


async def _packages(session: AsyncSession, orders: Mapping[str, OrderRow], days: Days) -> None:
    for number, add in (("900000084", _package), ("900000085", _ended_package)):
        if number in orders:
            await add(session, orders[number], days)


async def _package(session: AsyncSession, order: OrderRow, days: Days) -> None:
    bike = await stored_row(session, BikeRow, order_id=order.id)
    if bike is None:
        return
    reference = stable_id("package", order.order_number, length=8)
    row = await stored_row(session, PackageOrderRow, reference=reference)
    made = days.moment(20, 14)
    if row is not None:
        row.created_at = made
        return
    bike.service_package = ServicePackage.SERVICE32
    own = {"customer_id": order.customer_id, "bike_id": bike.id}
    package, monthly = ServicePackage.SERVICE32, Decimal("10.95")
    session.add(PackageOrderRow(reference=reference, package=package, monthly=monthly, created_at=made, **own))
    session.add(MileageRow(km=Decimal("512.40"), read_at=days.moment(2, 18), **own))


async def _ended_package(session: AsyncSession, order: OrderRow, days: Days) -> None:
    bike = await stored_row(session, BikeRow, order_id=order.id)
    if bike is None:
        return
    made, declared, monthly = days.moment(300, 14), days.moment(110, 10), Decimal("7.95")
    found = ending(
        concluded_on=local_day(made),
        starts_on=local_day(made),
        monthly=monthly,
        declared_on=local_day(declared),
        notice_months=days.settings.contract_notice_months,
        withdrawal_days=days.settings.withdrawal_days,
    )
    reference, key = (stable_id(name, order.order_number, length=8) for name in ("ended package", "contract end"))
    customer = await stored_row(session, CustomerRow, id=order.customer_id)
    package = await stored_row(session, PackageOrderRow, reference=reference) or PackageOrderRow(
        reference=reference,
        customer_id=order.customer_id,
        bike_id=bike.id,
        package=ServicePackage.SERVICE21,
        monthly=monthly,
        created_at=made,
    )
    row = await stored_row(session, ContractEndRow, reference=key) or ContractEndRow(
        reference=key,
        customer_id=order.customer_id,
        contract=reference,
        kind=ContractKind.SERVICE_PACKAGE,
        ending=found.kind,
        name=customer.full_name,
        email=masked_email(customer.email),
        key=key,
        status=EndStatus.PROCESSED,
        ends_on=found.ends_on,
        received_at=declared,
        updated_at=declared,
    )
    package.created_at = made
    row.ends_on, row.refund = found.ends_on, found.refund
    row.last_payment, row.last_from = found.last_payment, found.last_from
    row.received_at = row.confirmed_at = declared
    row.processed_at = days.moment(108, 15)
    row.ended_at = row.updated_at = local_moment(found.ends_on + timedelta(days=1), 0, 5)
    session.add_all([package, row])


async def stored_row(session: AsyncSession, table: Any, **values: object) -> Any:
    """A row with these values; None if there is none."""
    return (await session.exec(select(table).filter_by(**values).limit(1))).first()


@dataclass(slots=True)
class BuiltRequest:
    row: RequestRow
    partner: str
    events: list[WorkOrderEventRow]


def bike_row(
    order: OrderPlan, line_plan: LinePlan, line: OrderLineRow, days: Days, delivered_on: date | None
) -> BikeRow:
    """Build a bike with all its numbers. The first line of an order has its service package and insurance."""
    product, plan = line_plan.product, line_plan.bike or BikePlan()
    name = (order.number, line.position)
    engine, first = product.engine, line.position == 1
    insured = order.insured and first
    keys = [
        f"{'ABCDEF'[int(digits(2, 'row', *name)) % 6]}{digits(5, 'key', place, *name)}" for place in range(plan.keys)
    ]
    keys += [""] * (3 - len(keys))
    battery_number = f"{engine.code}-{digits(9, 'battery', *name)}" if engine else ""
    return BikeRow(
        public_id=stable_id("bike", *name),
        customer_id=0,
        order_id=0,
        name=product.name,
        name_en=product.english,
        brand=product.brand,
        kind=product.kind,
        color=line.item_color,
        color_en=line.item_color_en,
        color_code=product.colors[line_plan.color].code,
        size=line.frame_size,
        frame_number=f"{product.frame_code}{digits(8, 'frame', *name)}" if plan.frame_known else None,
        engine_brand=engine.brand if engine else "",
        engine_system=engine.system if engine else "",
        battery_number=battery_number,
        battery_passport=f"https://accupaspoort.example/{battery_number}" if battery_number else "",
        imei_number=imei(*name) if product.tracker else "",
        key_number_1=keys[0],
        key_number_2=keys[1],
        key_number_3=keys[2],
        service_card=f"SK-{digits(8, 'card', *name)}" if plan.service_card else "",
        service_package=order.package if first else None,
        insurance=INSURANCE if insured else "",
        policy_number=f"P{digits(9, 'policy', *name)}" if insured else "",
        insurance_start=(delivered_on or days.ago(order.placed)) if insured else None,
        mileage=plan.mileage,
        mileage_at=days.ago(plan.read) if plan.mileage is not None else None,
        pin_code=plan.pin_code,
        delivered_on=delivered_on,
    )


def request_row(bike: BikeRow, place: int, plan: RequestPlan, days: Days) -> BuiltRequest:
    made = days.moment(plan.made, 19 - place % 3, 12)
    events = _history(plan, days)
    row = RequestRow(
        reference=f"S{digits(8, 'request', bike.public_id, place)}",
        customer_id=0,
        bike_id=0,
        kind=plan.kind,
        status=plan.status,
        title=plan.title,
        description=plan.description,
        details={JOB: plan.job.value} if plan.job else None,
        planned_date=_planned(plan, days),
        created_at=made,
        updated_at=events[-1].happened_at if events else made,
    )
    return BuiltRequest(row, plan.partner, events)


def _planned(plan: RequestPlan, days: Days) -> date | None:
    if plan.planned is None:
        return None
    return days.working_day(plan.planned, Country.NL) if plan.planned > 0 else days.worked(-plan.planned)


def _history(plan: RequestPlan, days: Days) -> list[WorkOrderEventRow]:
    path = WORK_ORDERS[plan.kind].path_to(plan.status)[1:]
    first = plan.made - 1
    ended = -plan.planned if plan.planned is not None else plan.made - 2
    last = ended if plan.status in CLOSED_WORK_ORDER else 1
    steps = max(1, len(path) - 1)
    return [
        WorkOrderEventRow(
            request_id=0,
            status=status,
            actor=Actor.BACK_OFFICE,
            note=plan.note if place == len(path) - 1 else "",
            happened_at=days.moment(first - round(place * (first - last) / steps), 9 + place, 20),
        )
        for place, status in enumerate(path)
    ]
