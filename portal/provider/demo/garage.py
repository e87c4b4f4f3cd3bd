"""Bikes of the demonstration and what was asked for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from portal.flows.service import JOB
from portal.provider.demo.days import Days
from portal.provider.demo.numbers import digits, imei, stable_id
from portal.provider.demo.plans import INSURANCE, BikePlan, LinePlan, OrderPlan, RequestPlan
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.orders import OrderLineRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.work_orders import WorkOrderEventRow
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, WORK_ORDERS, Actor


@dataclass(slots=True)
class BuiltRequest:
    """A request, the key of the partner it is with, and what happened after it was made."""

    row: RequestRow
    partner: str
    events: list[WorkOrderEventRow]


def bike_row(
    order: OrderPlan, line_plan: LinePlan, line: OrderLineRow, days: Days, delivered_on: date | None
) -> BikeRow:
    """A bike with all its numbers. The first line of an order carries its package and insurance."""
    product, plan = line_plan.product, line_plan.bike or BikePlan()
    name = (order.number, line.position)
    engine, first = product.engine, line.position == 1
    insured = order.insured and first
    keys = [
        f"{'ABCDEF'[int(digits(2, 'row', *name)) % 6]}{digits(5, 'key', place, *name)}" for place in range(plan.keys)
    ]
    keys += [""] * (3 - len(keys))
    return BikeRow(
        public_id=stable_id("bike", *name),
        customer_id=0,
        order_id=0,
        name=product.name,
        brand=product.brand,
        kind=product.kind,
        color=line.item_color,
        color_code=product.colors[line_plan.color].code,
        size=line.frame_size,
        frame_number=f"{product.frame_code}{digits(8, 'frame', *name)}" if plan.frame_known else None,
        engine_brand=engine.brand if engine else "",
        engine_system=engine.system if engine else "",
        battery_number=f"{engine.code}-{digits(9, 'battery', *name)}" if engine else "",
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
    """A request for a bike."""
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
        planned_date=None if plan.planned is None else days.ago(-plan.planned),
        created_at=made,
        updated_at=events[-1].happened_at if events else made,
    )
    return BuiltRequest(row, plan.partner, events)


def _history(plan: RequestPlan, days: Days) -> list[WorkOrderEventRow]:
    """How a request came to its status, a step at a time, from the day after it was made."""
    way = WORK_ORDERS[plan.kind].way(plan.status)[1:]
    first = plan.made - 1
    ended = -plan.planned if plan.planned is not None else plan.made - 2
    last = ended if plan.status in CLOSED_WORK_ORDER else 1
    steps = max(1, len(way) - 1)
    return [
        WorkOrderEventRow(
            request_id=0,
            status=status,
            actor=Actor.BACK_OFFICE,
            note=plan.note if place == len(way) - 1 else "",
            happened_at=days.moment(first - round(place * (first - last) / steps), 9 + place, 20),
        )
        for place, status in enumerate(way)
    ]
